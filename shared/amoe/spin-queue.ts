import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';

/** Message that asks a worker to run a shard's orders that are due on or before `day` (New York). */
export type ShardMessage = { organization_id: string; shard: number; day: string };

const maxPerBatch = 10;

/** Sends messages for workers of the spin run; sending twice is safe. Throws if SQS rejects one, after all others. */
export async function sendShards(messages: ShardMessage[]): Promise<void> {
  const rejected: unknown[] = [];
  for (let start = 0; start < messages.length; start += maxPerBatch) {
    const batch = messages.slice(start, start + maxPerBatch);
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl: variable(queueVariables['spin-shards'].url),
        Entries: batch.map((message, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(message),
          // SQS shares the queue fairly among message groups, so each organization is a group.
          MessageGroupId: message.organization_id,
        })),
      }),
    );
    rejected.push(...Failed.map(({ Code }) => Code));
  }
  if (rejected.length > 0)
    throw new Error(`${rejected.length} messages of the spin run were rejected: ${rejected[0]}`);
}

import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';

/** Queue message: run the shard's orders that are due on or before `day` (New York). */
export type ShardMessage = { organization_id: string; shard: number; day: string };

const maxPerBatch = 10;

/** Sends messages to the spin run's queue. Throws if SQS rejects any. Sending all messages again is safe. */
export async function sendShards(messages: ShardMessage[]): Promise<void> {
  for (let start = 0; start < messages.length; start += maxPerBatch) {
    const batch = messages.slice(start, start + maxPerBatch);
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl: variable(queueVariables['spin-shards'].url),
        Entries: batch.map((message, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(message),
          // A message group per organization makes SQS share the queue fairly among organizations.
          MessageGroupId: message.organization_id,
        })),
      }),
    );
    if (Failed.length > 0)
      throw new Error(`${Failed.length} messages of the spin run were rejected: ${Failed[0]?.Code}`);
  }
}

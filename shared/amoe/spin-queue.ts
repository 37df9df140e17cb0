import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';

/**
 * Message that tells a worker of the spin run to run all orders of one shard that are due on or before `day`
 * (New York).
 */
export type ShardMessage = { organization_id: string; shard: number; day: string };

const maxPerBatch = 10;

/**
 * Sends messages to the queue of the spin run. Throws if SQS rejects a message. The caller can then send all
 * messages again, because a repeated message runs no spin twice.
 */
export async function sendShards(messages: ShardMessage[]): Promise<void> {
  for (let start = 0; start < messages.length; start += maxPerBatch) {
    const batch = messages.slice(start, start + maxPerBatch);
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl: variable(queueVariables['spin-shards'].url),
        Entries: batch.map((message, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(message),
          // With a message group per organization, SQS treats the queue as a fair queue: an organization with
          // many messages does not delay the messages of others.
          MessageGroupId: message.organization_id,
        })),
      }),
    );
    if (Failed.length > 0)
      throw new Error(`${Failed.length} messages of the spin run were rejected: ${Failed[0]?.Code}`);
  }
}

import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';

/** The message to a worker of the spin run: a shard of an organization, and the last day that is due. */
export type ShardMessage = { organization_id: string; shard: number; day: string };

const mostPerBatch = 10;

/** Puts messages on the queue of the spin run. Throws if one is refused; all can safely be sent again. */
export async function sendShards(messages: ShardMessage[]): Promise<void> {
  for (let start = 0; start < messages.length; start += mostPerBatch) {
    const batch = messages.slice(start, start + mostPerBatch);
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl: variable(queueVariables['spin-shards'].url),
        Entries: batch.map((message, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(message),
          // Fair queue: an organization with many messages does not delay the others.
          MessageGroupId: message.organization_id,
        })),
      }),
    );
    if (Failed.length > 0)
      throw new Error(`${Failed.length} messages of the spin run were refused: ${Failed[0]?.Code}`);
  }
}

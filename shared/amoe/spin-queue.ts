import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

/** What a worker of the spin run is told: its shard, and the last day that is due. */
export type ShardMessage = { shard: number; day: string };

const mostPerBatch = 10;
let client: SQSClient | undefined;

/** Puts messages on the queue of the spin run. Throws where one is not taken; to send all again does no harm. */
export async function sendShards(messages: ShardMessage[]): Promise<void> {
  client ??= new SQSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000, throwOnRequestTimeout: true },
  });
  for (let start = 0; start < messages.length; start += mostPerBatch) {
    const batch = messages.slice(start, start + mostPerBatch);
    const { Failed = [] } = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: process.env.QUEUE_URL_SPIN_SHARDS,
        Entries: batch.map((message, index) => ({ Id: String(index), MessageBody: JSON.stringify(message) })),
      }),
    );
    if (Failed.length > 0)
      throw new Error(`${Failed.length} messages of the spin run were refused: ${Failed[0]?.Code}`);
  }
}

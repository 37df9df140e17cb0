import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { sqs } from './aws.ts';
import { type QueueName, queueVariables, requiredVariable } from './environment.ts';

const maxPerBatch = 10;

/** Sends messages for workers; sending twice must be safe. Throws after the last batch if SQS rejected a message. */
export async function sendMessages(
  queue: QueueName,
  messages: readonly { organization_id: string }[],
): Promise<void> {
  const rejected: unknown[] = [];
  for (let start = 0; start < messages.length; start += maxPerBatch) {
    const batch = messages.slice(start, start + maxPerBatch);
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl: requiredVariable(queueVariables[queue].url),
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
    throw new Error(`${rejected.length} messages of ${queue} were rejected: ${rejected[0]}`);
}

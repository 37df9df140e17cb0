/**
 * Lists and redrives messages in the dead-letter queue. SQS's own redrive changes message ids, so
 * `isFirstSuccessor` would drop redriven retries as duplicates.
 */
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import {
  asFirstMessage,
  enqueue,
  isDelivery,
  messageIn,
  parkedUrl,
  type Received,
} from './delivery-queue.ts';

const maxPerRequest = 10;
// Received messages stay invisible for two minutes, so that no message is read twice.
const invisibleSeconds = 120;

type ParkedMessage = { message: Message; queued: Received };

/** Receives parked messages and hides them for two minutes. Returns an empty list if no more exist. */
async function receiveParked(): Promise<ParkedMessage[]> {
  for (;;) {
    const messages = await receive();
    const parked = messages.flatMap((message) => {
      const queued = messageIn(message.Body!, message.MessageId!);
      return queued ? [{ message, queued }] : [];
    });
    if (parked.length > 0 || messages.length === 0) return parked;
  }
}

async function receive(): Promise<Message[]> {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl: parkedUrl(),
      MaxNumberOfMessages: maxPerRequest,
      VisibilityTimeout: invisibleSeconds,
      WaitTimeSeconds: 1,
    }),
  );
  return Messages;
}

const receiptHandles = (parked: ParkedMessage[]) =>
  parked.map(({ message }, index) => ({ Id: String(index), ReceiptHandle: message.ReceiptHandle! }));

async function makeVisible(parked: ParkedMessage[]): Promise<void> {
  const entries = receiptHandles(parked).map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
  await sqs().send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: parkedUrl(), Entries: entries }));
}

async function deleteParked(parked: ParkedMessage[]): Promise<void> {
  await sqs().send(new DeleteMessageBatchCommand({ QueueUrl: parkedUrl(), Entries: receiptHandles(parked) }));
}

/** Returns up to `maxCount` parked messages. The messages stay in the dead-letter queue. */
export async function parkedDeliveries(maxCount: number): Promise<Received[]> {
  const batches: ParkedMessage[][] = [];
  let count = 0;
  for (let batch = await receiveParked(); batch.length > 0; batch = await receiveParked()) {
    batches.push(batch);
    count += batch.length;
    if (count >= maxCount) break;
  }
  await Promise.all(batches.map(makeVisible));
  return batches
    .flat()
    .slice(0, maxCount)
    .map(({ queued }) => queued);
}

// Maximum number of batches (of ten messages) to receive before queueing the messages again. With more batches, the
// first messages could become visible in the meantime.
const batchesAtOnce = 100;

async function receiveBatches(): Promise<ParkedMessage[][]> {
  const batches: ParkedMessage[][] = [];
  for (let batch = await receiveParked(); batch.length > 0; batch = await receiveParked()) {
    batches.push(batch);
    if (batches.length === batchesAtOnce) break;
  }
  return batches;
}

/** Queues all parked messages again, as first attempts, up to 1,000 at a time. Throws if some stay parked. */
export async function redrive(beforeSending: (messages: Received[]) => Promise<void>): Promise<number> {
  let count = 0;
  for (let batches = await receiveBatches(); batches.length > 0; batches = await receiveBatches()) {
    try {
      await beforeSending(batches.flat().map(({ queued }) => queued));
      for (let batch = batches[0]; batch; batch = batches[0]) {
        await requeue(batch);
        batches.shift();
        count += batch.length;
      }
    } catch (error) {
      await Promise.all(batches.map(makeVisible));
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${count} messages were queued again; the others stay parked: ${why}`, {
        cause: error,
      });
    }
  }
  return count;
}

async function requeue(batch: ParkedMessage[]): Promise<void> {
  const failed = await enqueue(batch.map(({ queued }) => withFirstAttempt(queued)));
  if (failed.length > 0) throw new Error(`${failed.length} messages could not be queued`);
  await deleteParked(batch);
}

const withFirstAttempt = (message: Received) =>
  isDelivery(message) ? { ...asFirstMessage(message), attempt: 1 } : message;

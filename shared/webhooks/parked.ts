/**
 * Lists, deletes and redrives parked messages. The redrive of SQS would change message ids, so deliveries
 * could be dropped.
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
  type Delivery,
  enqueue,
  isDelivery,
  messageIn,
  parkedUrl,
  type Taken,
} from './delivery-queue.ts';

const maxPerRequest = 10;
// Received messages stay invisible for two minutes, so that no message is read twice.
const lookSeconds = 120;

type Parked = { message: Message; queued: Taken };

/** Receives parked messages and hides them for two minutes. Returns an empty list if no more exist. */
async function take(): Promise<Parked[]> {
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
      VisibilityTimeout: lookSeconds,
      WaitTimeSeconds: 1,
    }),
  );
  return Messages;
}

const handles = (parked: Parked[]) =>
  parked.map(({ message }, index) => ({ Id: String(index), ReceiptHandle: message.ReceiptHandle! }));

async function giveBack(parked: Parked[]): Promise<void> {
  const entries = handles(parked).map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
  await sqs().send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: parkedUrl(), Entries: entries }));
}

async function remove(parked: Parked[]): Promise<void> {
  await sqs().send(new DeleteMessageBatchCommand({ QueueUrl: parkedUrl(), Entries: handles(parked) }));
}

/**
 * Returns whole batches of parked messages, until at least `maxCount`. The messages stay in the dead-letter
 * queue.
 */
export async function parkedDeliveries(maxCount: number): Promise<Taken[]> {
  const seen: Parked[][] = [];
  let count = 0;
  for (let batch = await take(); batch.length > 0; batch = await take()) {
    seen.push(batch);
    count += batch.length;
    if (count >= maxCount) break;
  }
  await Promise.all(seen.map(giveBack));
  return seen.flat().map(({ queued }) => queued);
}

/** Deletes the parked deliveries that `isChosen` selects. Returns the number of deleted deliveries. */
export async function dropParked(isChosen: (delivery: Delivery) => boolean): Promise<number> {
  const kept: Parked[][] = [];
  let count = 0;
  for (let batch = await take(); batch.length > 0; batch = await take()) {
    const isGone = ({ queued }: Parked) => isDelivery(queued) && isChosen(queued);
    const gone = batch.filter(isGone);
    if (gone.length > 0) await remove(gone);
    count += gone.length;
    const others = batch.filter((parked) => !isGone(parked));
    if (others.length > 0) kept.push(others);
  }
  await Promise.all(kept.map(giveBack));
  return count;
}

// Batches redriven at a time. Messages of a larger group could become visible again before they are queued.
const batchesAtOnce = 100;

/** Receives up to 1,000 parked messages in batches. */
async function takeSome(): Promise<Parked[][]> {
  const batches: Parked[][] = [];
  for (let batch = await take(); batch.length > 0; batch = await take()) {
    batches.push(batch);
    if (batches.length === batchesAtOnce) break;
  }
  return batches;
}

/**
 * Queues all parked messages again, from the first attempt. Calls `beforeSending` before each group. Throws
 * if some stay parked.
 */
export async function redrive(beforeSending: (messages: Taken[]) => Promise<void>): Promise<number> {
  let count = 0;
  for (let batches = await takeSome(); batches.length > 0; batches = await takeSome()) {
    try {
      await beforeSending(batches.flat().map(({ queued }) => queued));
      for (let batch = batches[0]; batch; batch = batches[0]) {
        await sendAgain(batch);
        batches.shift();
        count += batch.length;
      }
    } catch (error) {
      await Promise.all(batches.map(giveBack));
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${count} messages were queued again; the others stay parked: ${why}`, {
        cause: error,
      });
    }
  }
  return count;
}

async function sendAgain(batch: Parked[]): Promise<void> {
  const failed = await enqueue(batch.map(({ queued }) => restarted(queued)));
  if (failed.length > 0) throw new Error(`${failed.length} messages could not be queued`);
  await remove(batch);
}

const restarted = (message: Taken) =>
  isDelivery(message) ? { ...asFirstMessage(message), attempt: 1 } : message;

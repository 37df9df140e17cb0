/** Deliveries that have failed for good: an operator looks at them and sends them again. */
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { type Delivery, deliveryIn, enqueue, parkedUrl } from './delivery-queue.ts';

const mostPerRequest = 10;
// Long enough to look at all of them; they are given back before.
const lookSeconds = 120;

type Parked = { message: Message; delivery: Delivery };

/** Deliveries off the queue for a while; none if there are no more. */
async function take(): Promise<Parked[]> {
  for (;;) {
    const messages = await receive();
    const parked = messages.flatMap((message) => {
      const delivery = deliveryIn(message.Body!);
      return delivery ? [{ message, delivery }] : [];
    });
    if (parked.length > 0 || messages.length === 0) return parked;
  }
}

async function receive(): Promise<Message[]> {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl: parkedUrl(),
      MaxNumberOfMessages: mostPerRequest,
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

/** Looks at parked deliveries, up to `most` of them, and leaves them where they are. */
export async function parkedDeliveries(most: number): Promise<Delivery[]> {
  const seen: Parked[][] = [];
  let count = 0;
  for (let batch = await take(); batch.length > 0; batch = await take()) {
    seen.push(batch);
    count += batch.length;
    if (count >= most) break;
  }
  await Promise.all(seen.map(giveBack));
  return seen.flat().map(({ delivery }) => delivery);
}

/**
 * Sends all parked deliveries again, from their first attempt on; they keep their ids. Each is taken off only once it
 * is queued. Returns how many; throws if some could not be queued, which stay parked.
 */
export async function redrive(): Promise<number> {
  let count = 0;
  for (let batch = await take(); batch.length > 0; batch = await take()) {
    const failed = await enqueue(batch.map(({ delivery }) => anew(delivery)));
    if (failed.length > 0) {
      await giveBack(batch);
      throw new Error(`${count} are on their way again; the others could not be queued, and stay parked`);
    }
    await sqs().send(new DeleteMessageBatchCommand({ QueueUrl: parkedUrl(), Entries: handles(batch) }));
    count += batch.length;
  }
  return count;
}

const anew = ({ not_before: _, ...delivery }: Delivery): Delivery => ({
  ...delivery,
  attempt: 1,
  redrives: (delivery.redrives ?? 0) + 1,
});

/**
 * The queue of deliveries. A message is a delivery (one event for one webhook), a backlog step or a backlog
 * check.
 */
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';
import { isId, timeOfUlid, ulidOf } from '../ids.ts';
import { log } from '../log.ts';
import { gathering } from '../promises.ts';
import { pause } from '../retry.ts';
import { noticeType } from '../vocabulary.ts';

/** A queued event for one webhook. */
export type Delivery = {
  organization_id: string;
  webhook_id: string;
  /** The `webhook-id` header of every attempt, by which a receiver recognizes duplicates. */
  event_id: string;
  event_type: string;
  /** The payload, signed and sent byte for byte. */
  body: string;
  /** Number of the next attempt, from 1. */
  attempt: number;
  /** The shard in which calls are recorded: the one of the event's user. 0 if absent. */
  shard?: number;
  /** Epoch milliseconds before which the delivery is not attempted. */
  not_before?: number;
  /** Whether `not_before` is a time that was reserved for this delivery at a limited webhook. */
  paced?: boolean;
  /** Whether a backlog step failed to deliver this event, so that the queue retries it. */
  from_backlog?: boolean;
  /** The id of the message that queued this one; absent from the first message of an event. */
  follows?: string | undefined;
};

/** The next step of a webhook's backlog. */
export type BacklogStep = {
  organization_id: string;
  webhook_id: string;
  /** The step's number, from 1; 0 asks whether a failing receiver should fall behind. */
  step: number;
};

/** A check, five minutes after a backlog step, whether the step read all records between two positions. */
export type BacklogCheck = {
  organization_id: string;
  webhook_id: string;
  from: string;
  to: string;
  records: number;
};

export type Message = Delivery | BacklogStep | BacklogCheck;

/** A received message with its SQS message id. */
export type Taken<M extends Message = Message> = M & { message_id: string };

/**
 * Returns the time of the record that an event is about; undefined for invocations and notices, which have no
 * record.
 */
export const recordTimeOf = ({ event_id, event_type }: Delivery): number | undefined =>
  event_type === 'invoke' || event_type === noticeType || !isId('evt', event_id)
    ? undefined
    : timeOfUlid(ulidOf(event_id));

const mostPerBatch = 10;
const mostBatchBytes = 256 * 1024;
const atOnce = 8;
/** Longest delay that SQS supports. */
export const longestQueueDelaySeconds = 900;

const queue = queueVariables.deliveries;

type Entry<M extends Message = Message> = { message: M; seconds: number };

/**
 * Queues messages in batches and retries those that SQS refuses. Returns the messages that may not be queued.
 * The message group is the webhook, so that a slow webhook does not delay the others (SQS fair queues).
 */
export async function enqueue<M extends Message>(messages: M[]): Promise<M[]> {
  const open = await sendAll(
    messages.map((message) => ({ message, seconds: 0 })),
    4,
  );
  return open.map(({ message }) => message);
}

/** Returns the entries that SQS did not accept in any of the tries. */
async function sendAll<M extends Message>(entries: Entry<M>[], tries: number): Promise<Entry<M>[]> {
  let open = entries;
  for (let attempt = 0; open.length > 0 && attempt < tries; attempt++) {
    if (attempt > 0) await pause(attempt);
    open = await sendOnce(open);
  }
  return open;
}

async function sendOnce<M extends Message>(entries: Entry<M>[]): Promise<Entry<M>[]> {
  const batches = batchesOf(entries);
  const open: Entry<M>[] = [];
  // Eight parallel requests keep up with the stream without overloading SQS.
  await Promise.all(
    Array.from({ length: Math.min(atOnce, batches.length) }, async () => {
      for (let batch = batches.shift(); batch; batch = batches.shift())
        open.push(...(await sendBatch(batch)));
    }),
  );
  return open;
}

function batchesOf<M extends Message>(entries: Entry<M>[]): Entry<M>[][] {
  const batches: Entry<M>[][] = [];
  let room = 0;
  for (const entry of entries) {
    const bytes = Buffer.byteLength(textOf(entry.message));
    if (bytes > room || batches.at(-1)?.length === mostPerBatch) {
      batches.push([]);
      room = mostBatchBytes;
    }
    batches.at(-1)!.push(entry);
    room -= bytes;
  }
  return batches;
}

/** Returns the entries that SQS did not accept: all of them if the request itself failed. */
async function sendBatch<M extends Message>(batch: Entry<M>[]): Promise<Entry<M>[]> {
  const entries = batch.map(({ message, seconds }, index) => ({
    Id: String(index),
    MessageBody: textOf(message),
    MessageGroupId: message.webhook_id,
    DelaySeconds: Math.ceil(Math.max(0, Math.min(seconds, longestQueueDelaySeconds))),
  }));
  try {
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({ QueueUrl: variable(queue.url), Entries: entries }),
    );
    return Failed.map(({ Id }) => batch[Number(Id)]!);
  } catch (error) {
    log.failure('queueing messages', error, { messages: batch.length });
    return batch;
  }
}

const gatherMs = 10;
// Only two tries, so that the function has time for them even after a call that times out.
const sendGathered = gathering((entries: Entry[]) => sendAll(entries, 2), gatherMs);

/**
 * Queues a message with a delay of up to 15 minutes; longer delays are shortened. Concurrent messages share a
 * request. Throws if the message may not be queued.
 */
export async function sendLater(message: Message, seconds: number): Promise<void> {
  const entry = { message, seconds };
  if ((await sendGathered(entry)).includes(entry)) throw new Error('the message could not be queued');
}

/**
 * Queues a delivery for a later time. A message that arrives earlier, after 15 minutes at most, is held again:
 * a wait of ten hours takes 40 messages. No message gets old, so the alarm on the queue's age means that
 * messages are not consumed. Throws if the delivery may not be queued.
 */
export function hold(
  { message_id, ...delivery }: Delivery & { message_id?: string },
  at: number,
  now: number,
): Promise<void> {
  return sendLater({ ...delivery, not_before: at, follows: message_id }, (at - now) / 1000);
}

/** Returns the URL of the dead-letter queue, where deliveries are parked. */
export const parkedUrl = () => variable(queue.deadLetterUrl);

/** Parks a delivery whose last attempt has failed: operators can list parked deliveries and send them again. */
export async function park(delivery: Delivery): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: parkedUrl(),
      MessageBody: textOf(asFirstMessage(delivery)),
      MessageGroupId: delivery.webhook_id,
    }),
  );
}

/**
 * Returns a delivery without its waits and its predecessor, as it was first queued; its attempt number stays.
 */
export function asFirstMessage(delivery: Delivery): Delivery {
  const { not_before, paced, follows, ...first } = delivery;
  return first;
}

const textOf = (message: Message) => JSON.stringify({ ...message, message_id: undefined });

/**
 * Parses a message body. Returns undefined for an unknown one, so that it does not fail the rest of its batch.
 */
export function messageIn(body: string, id: string): Taken | undefined {
  try {
    const value = JSON.parse(body) as Partial<Delivery & BacklogStep & BacklogCheck> | null;
    const areTexts = (...texts: unknown[]) => texts.every((text) => typeof text === 'string');
    if (!areTexts(value?.organization_id, value?.webhook_id)) return undefined;
    const { event_id, event_type, body: payload, attempt, step, from, to, records } = value!;
    const isKnown =
      Number.isInteger(step) ||
      (areTexts(event_id, event_type, payload) && Number.isInteger(attempt)) ||
      (areTexts(from, to) && Number.isInteger(records));
    return isKnown ? ({ ...value, message_id: id } as Taken) : undefined;
  } catch {
    return undefined;
  }
}

export const isStep = (message: Taken): message is Taken<BacklogStep> => 'step' in message;
export const isCheck = (message: Taken): message is Taken<BacklogCheck> => 'records' in message;
export const isDelivery = (message: Taken): message is Taken<Delivery> => 'attempt' in message;

/**
 * The queue of deliveries: one message for each event and webhook, now, later, or parked; and the steps and checks of
 * backlogs.
 */
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';
import { isId, timeOfUlid, ulidOf } from '../ids.ts';
import { log } from '../log.ts';
import { gathering } from '../promises.ts';
import { pause } from '../retry.ts';
import { noticeType } from '../vocabulary.ts';

/** An event on its way to one webhook, as it lies on the queue. */
export type Delivery = {
  organization_id: string;
  webhook_id: string;
  /** The `webhook-id` of every attempt, by which a receiver knows a duplicate. */
  event_id: string;
  /** The event's type, or `invoke`. */
  event_type: string;
  /** The payload, byte for byte as it is signed and sent. */
  body: string;
  /** Number of the next attempt, from 1. */
  attempt: number;
  /** The shard in which its calls are recorded: that of the event's user; the first if absent. */
  shard?: number;
  /** Epoch milliseconds until which it waits on the queue. */
  not_before?: number;
  /** Whether it waits for a time that was reserved for it, since its receiver takes only so many a second. */
  paced?: boolean;
  /** Whether a backlog step could not deliver it, so that it is retried by itself. */
  from_backlog?: boolean;
  /** The id of the message that queued this one; absent from the first one of an event. */
  follows?: string | undefined;
};

/** The next step of a webhook's backlog. */
export type BacklogStep = {
  organization_id: string;
  webhook_id: string;
  /** Its number, from 1; 0 for a failing receiver that may fall behind. */
  step: number;
};

/** A check, some minutes later, of how many records a backlog step has read between two positions. */
export type BacklogCheck = {
  organization_id: string;
  webhook_id: string;
  from: string;
  to: string;
  records: number;
};

/** What lies on the queue. */
export type Message = Delivery | BacklogStep | BacklogCheck;

/** A message that was taken off the queue, with the id that SQS gave it. */
export type Taken<M extends Message = Message> = M & { message_id: string };

/** The time of the record that a delivery tells of; undefined for invocations and notices, which tell of none. */
export const recordTimeOf = ({ event_id, event_type }: Delivery): number | undefined =>
  event_type === 'invoke' || event_type === noticeType || !isId('evt', event_id)
    ? undefined
    : timeOfUlid(ulidOf(event_id));

const mostPerBatch = 10;
const mostBatchBytes = 256 * 1024;
const atOnce = 8;
/** The longest that SQS itself can hold a message back. */
export const longestQueueDelaySeconds = 900;

const queue = queueVariables.deliveries;

type Entry<M extends Message = Message> = { message: M; seconds: number };

/**
 * Puts messages on the queue, in batches, and again what SQS refused. Returns those that may not be on it after all;
 * the others are. Groups by webhook, so that a busy or slow one delays no other.
 */
export async function enqueue<M extends Message>(messages: M[]): Promise<M[]> {
  const open = await sendAll(
    messages.map((message) => ({ message, seconds: 0 })),
    4,
  );
  return open.map(({ message }) => message);
}

/** Returns what SQS did not take, however often it was tried. */
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
  // Eight requests at a time: enough to keep up with the stream, and no herd.
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

/** Returns what SQS did not take: all, if the request itself failed. */
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
// Twice, so that a function has time left for them after a call that hangs.
const sendGathered = gathering((entries: Entry[]) => sendAll(entries, 2), gatherMs);

/**
 * Puts a message on the queue after a number of seconds, or after a quarter of an hour if that is less. Messages of one
 * moment share a request. Throws if this one may not be on the queue.
 */
export async function sendLater(message: Message, seconds: number): Promise<void> {
  const entry = { message, seconds };
  if ((await sendGathered(entry)).includes(entry)) throw new Error('the message could not be queued');
}

/**
 * Lets a delivery wait on the queue until a time: one that comes earlier is held again. Throws if it could
 * not be queued.
 */
export function hold(
  { message_id, ...delivery }: Delivery & { message_id?: string },
  at: number,
  now: number,
): Promise<void> {
  return sendLater({ ...delivery, not_before: at, follows: message_id }, (at - now) / 1000);
}

/** Where deliveries are parked. */
export const parkedUrl = () => variable(queue.deadLetterUrl);

/** Puts a delivery that has failed for good where an operator sees it and can send it again. */
export async function park(delivery: Delivery): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: parkedUrl(),
      MessageBody: textOf(firstOf(delivery)),
      MessageGroupId: delivery.webhook_id,
    }),
  );
}

/** A delivery as it was queued first, but for its attempt: it waits for nothing and follows no message. */
export function firstOf(delivery: Delivery): Delivery {
  const { not_before, paced, follows, ...first } = delivery;
  return first;
}

const textOf = (message: Message) => JSON.stringify({ ...message, message_id: undefined });

/** The message in a body, with its id; undefined for any other body, which no other message may suffer for. */
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

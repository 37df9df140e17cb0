/** The SQS queue of deliveries, backlog steps and backlog checks. A delivery is one event for one webhook. */
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';
import { isId, timeOfUlid, ulidOf } from '../ids.ts';
import { log } from '../log.ts';
import { batched, concurrently } from '../promises.ts';
import { pause } from '../retry.ts';
import { bucketOf } from '../shards.ts';
import type { RecordList } from '../table/keys.ts';
import { noticeType } from '../vocabulary.ts';

/** A queued event for one webhook, with its next attempt. */
export type Delivery = {
  organization_id: string;
  webhook_id: string;
  /** The `webhook-id` header of every attempt, by which a receiver recognizes duplicates. */
  event_id: string;
  event_type: string;
  /** The record that the event is about. Absent from invocations and notices. */
  record?: { user_id: string; list: RecordList; ulid: string };
  /** The payload of a `webhook_disabled` notice, which has no personal data. Other payloads stay in the table. */
  notice?: object;
  /** Number of the next attempt, from 1. */
  attempt: number;
  /** Epoch milliseconds before which the delivery is not attempted. */
  not_before?: number;
  /** Whether `not_before` is a time reserved under the webhook's limit per second. */
  paced?: boolean;
  /** Whether a backlog step queued the event after a failed attempt, or a backlog check queued it again. */
  from_backlog?: boolean;
  /** SQS message id of the delivery's previous message; absent from the first message. */
  follows?: string | undefined;
};

export type BacklogStep = {
  organization_id: string;
  webhook_id: string;
  /** The step's number. Step 0 starts a backlog if the receiver is still failing; later steps deliver the backlog. */
  step: number;
};

/** A request to check that a backlog step read all records whose ULIDs sort between `from` and `to`. */
export type BacklogCheck = {
  organization_id: string;
  webhook_id: string;
  from: string;
  to: string;
  records: number;
};

export type Message = Delivery | BacklogStep | BacklogCheck;

/** A message received from the queue, with its SQS message id. */
export type Received<M extends Message = Message> = M & { message_id: string };

/**
 * Returns the time of the event's record (epoch milliseconds), or undefined for invocations and
 * `webhook_disabled` notices.
 */
export const recordTimeOf = ({ event_id, event_type }: Delivery): number | undefined =>
  event_type === 'invoke' || event_type === noticeType || !isId('evt', event_id)
    ? undefined
    : timeOfUlid(ulidOf(event_id));

const maxPerBatch = 10;
const maxBatchBytes = 256 * 1024;
/** Enough to keep pace with the table's stream without overloading SQS. */
const parallelRequests = 8;
/** Longest delay that SQS supports. */
export const maxQueueDelaySeconds = 900;

const queue = queueVariables.deliveries;

type Entry<M extends Message = Message> = { message: M; seconds: number };

const groupsPerOrganization = 4;
/**
 * Returns a message's group. SQS shares the queue fairly among groups, and holds back groups with over a tenth of the
 * work. With a group per webhook, a host with 100 slow webhooks would have 100 small groups, and delay all hosts.
 */
const groupOf = ({ organization_id, webhook_id }: Message) =>
  `${organization_id}#${bucketOf(webhook_id, groupsPerOrganization)}`;

/** Queues messages. Returns the messages that SQS did not confirm. */
export async function enqueue<M extends Message>(messages: M[]): Promise<M[]> {
  const unconfirmed = await sendAll(
    messages.map((message) => ({ message, seconds: 0 })),
    4,
  );
  return unconfirmed.map(({ message }) => message);
}

/** Sends entries to SQS, with up to `tries` attempts per entry. Returns the entries that SQS did not confirm. */
async function sendAll<M extends Message>(entries: Entry<M>[], tries: number): Promise<Entry<M>[]> {
  let unconfirmed = entries;
  for (let attempt = 0; unconfirmed.length > 0 && attempt < tries; attempt++) {
    if (attempt > 0) await pause(attempt);
    unconfirmed = await sendOnce(unconfirmed);
  }
  return unconfirmed;
}

async function sendOnce<M extends Message>(entries: Entry<M>[]): Promise<Entry<M>[]> {
  const unconfirmed: Entry<M>[] = [];
  await concurrently(parallelRequests, batchesOf(entries), async (batch) => {
    unconfirmed.push(...(await sendBatch(batch)));
  });
  return unconfirmed;
}

function batchesOf<M extends Message>(entries: Entry<M>[]): Entry<M>[][] {
  const batches: Entry<M>[][] = [];
  let room = 0;
  for (const entry of entries) {
    const bytes = Buffer.byteLength(textOf(entry.message));
    if (bytes > room || batches.at(-1)?.length === maxPerBatch) {
      batches.push([]);
      room = maxBatchBytes;
    }
    batches.at(-1)!.push(entry);
    room -= bytes;
  }
  return batches;
}

/** Sends a batch to SQS. Returns the entries that SQS rejected, or all entries if the request failed. */
async function sendBatch<M extends Message>(batch: Entry<M>[]): Promise<Entry<M>[]> {
  const entries = batch.map(({ message, seconds }, index) => ({
    Id: String(index),
    MessageBody: textOf(message),
    MessageGroupId: groupOf(message),
    DelaySeconds: Math.ceil(Math.max(0, Math.min(seconds, maxQueueDelaySeconds))),
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
// Tries SQS at most twice, because the preceding webhook call can take 15 s of the function's timeout.
const sendGathered = batched((entries: Entry[]) => sendAll(entries, 2), gatherMs);

/**
 * Queues a message with a delay, shortened to 15 minutes (SQS's maximum). Throws if SQS did not confirm the
 * message.
 */
export async function sendLater(message: Message, seconds: number): Promise<void> {
  const entry = { message, seconds };
  if ((await sendGathered(entry)).includes(entry)) throw new Error('the message could not be queued');
}

/** Queues a delivery for an attempt at `time` (epoch milliseconds). Throws if SQS did not confirm the message. */
export function delayUntil(
  { message_id, ...delivery }: Delivery & { message_id?: string },
  time: number,
  now: number,
): Promise<void> {
  return sendLater({ ...delivery, not_before: time, follows: message_id }, (time - now) / 1000);
}

/** Returns the URL of the dead-letter queue, which holds the parked deliveries. */
export const parkedUrl = () => variable(queue.deadLetterUrl);

/** Moves a delivery to the dead-letter queue, where operators can list it and send it again. */
export async function park(delivery: Delivery): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: parkedUrl(),
      MessageBody: textOf(asFirstMessage(delivery)),
      MessageGroupId: groupOf(delivery),
    }),
  );
}

/** Returns a delivery without the fields about its earlier queue messages. The attempt number is unchanged. */
export function asFirstMessage(delivery: Delivery): Delivery {
  const { not_before, paced, follows, ...first } = delivery;
  return first;
}

const textOf = (message: Message) => JSON.stringify({ ...message, message_id: undefined });

/** Parses a queue message's body. Returns undefined if the body is malformed. */
export function messageIn(body: string, id: string): Received | undefined {
  try {
    const value = JSON.parse(body) as Partial<Delivery & BacklogStep & BacklogCheck> | null;
    const areTexts = (...texts: unknown[]) => texts.every((text) => typeof text === 'string');
    if (!areTexts(value?.organization_id, value?.webhook_id)) return undefined;
    const { event_id, event_type, record, notice, attempt, step, from, to, records } = value!;
    const hasPayload =
      event_type === 'invoke' || notice || (record && areTexts(record.user_id, record.list, record.ulid));
    const isKnown =
      Number.isInteger(step) ||
      (areTexts(event_id, event_type) && hasPayload && Number.isInteger(attempt)) ||
      (areTexts(from, to) && Number.isInteger(records));
    return isKnown ? ({ ...value, message_id: id } as Received) : undefined;
  } catch {
    return undefined;
  }
}

export const isBacklogStep = (message: Received): message is Received<BacklogStep> => 'step' in message;
export const isBacklogCheck = (message: Received): message is Received<BacklogCheck> => 'records' in message;
export const isDelivery = (message: Received): message is Received<Delivery> => 'attempt' in message;

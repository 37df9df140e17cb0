/**
 * The queue of deliveries: one message for each event and webhook, now, later, or parked; and the steps and checks of
 * backlogs.
 */
import {
  ActionAfterCompletion,
  CreateScheduleCommand,
  FlexibleTimeWindowMode,
} from '@aws-sdk/client-scheduler';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { scheduler, sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';
import { isId, sha256, timeOfUlid, ulidOf } from '../ids.ts';
import { log } from '../log.ts';
import { faultOf, pause } from '../retry.ts';
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
  /** How often an operator has sent it anew. */
  redrives?: number;
  /** Epoch milliseconds of the next attempt, if the message comes back before it. */
  not_before?: number;
  /** Whether that is the time that was reserved for it, since its receiver takes only so many a second. */
  paced?: boolean;
  /** Whether a backlog step could not deliver it, so that it is retried by itself. */
  from_backlog?: boolean;
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

/** The time of the record that a delivery tells of; undefined for invocations and notices, which tell of none. */
export const recordTimeOf = ({ event_id, event_type }: Delivery): number | undefined =>
  event_type === 'invoke' || event_type === noticeType || !isId('evt', event_id)
    ? undefined
    : timeOfUlid(ulidOf(event_id));

const mostPerBatch = 10;
const mostBatchBytes = 256 * 1024;
const atOnce = 8;
const tries = 4;
/** The longest that SQS itself can hold a message back. */
export const longestQueueDelaySeconds = 900;

const queue = queueVariables.deliveries;

/**
 * Puts messages on the queue, in batches, and again what SQS refused. Returns those that may not be on it after all;
 * the others are. Groups by webhook, so that a busy or slow one delays no other.
 */
export async function enqueue<M extends Message>(messages: M[]): Promise<M[]> {
  let open = messages;
  for (let attempt = 0; open.length > 0 && attempt < tries; attempt++) {
    if (attempt > 0) await pause(attempt);
    const batches = batchesOf(open);
    open = [];
    // Eight requests at a time: enough to keep up with the stream, and no herd.
    await Promise.all(
      Array.from({ length: Math.min(atOnce, batches.length) }, async () => {
        for (let batch = batches.shift(); batch; batch = batches.shift())
          open.push(...(await sendBatch(batch)));
      }),
    );
  }
  return open;
}

function batchesOf<M extends Message>(messages: M[]): M[][] {
  const batches: M[][] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = Buffer.byteLength(textOf(message));
    if (bytes > room || batches.at(-1)?.length === mostPerBatch) {
      batches.push([]);
      room = mostBatchBytes;
    }
    batches.at(-1)!.push(message);
    room -= bytes;
  }
  return batches;
}

/** Returns what SQS did not take: all, if the request itself failed. */
async function sendBatch<M extends Message>(batch: M[]): Promise<M[]> {
  const entries = batch.map((message, index) => ({
    Id: String(index),
    MessageBody: textOf(message),
    MessageGroupId: message.webhook_id,
  }));
  try {
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({ QueueUrl: variable(queue.url), Entries: entries }),
    );
    return Failed.map(({ Id }) => batch[Number(Id)]!);
  } catch (error) {
    log.failure('queueing deliveries', error, { deliveries: batch.length });
    return batch;
  }
}

/**
 * Puts a delivery on the queue after a number of seconds: by SQS itself up to 15 minutes, by a one-time schedule
 * beyond. The schedule is named by event, webhook and attempt, so that it exists once however often it is asked for.
 */
export async function enqueueLater(delivery: Delivery, seconds: number, now: number): Promise<void> {
  if (seconds <= longestQueueDelaySeconds) return sendLater(delivery, seconds);
  const at = now + seconds * 1000;
  if (await schedule(delivery, at)) return;
  await hold(delivery, at, now);
}

/** Lets a delivery wait on the queue until a time: a message that comes early is held back again. No schedule is made. */
export function hold(delivery: Delivery, at: number, now: number): Promise<void> {
  return sendLater({ ...delivery, not_before: at }, (at - now) / 1000);
}

/** Puts a message on the queue after a number of seconds, or after a quarter of an hour if that is less. */
export async function sendLater(message: Message, seconds: number): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: variable(queue.url),
      MessageBody: textOf(message),
      MessageGroupId: message.webhook_id,
      DelaySeconds: Math.ceil(Math.max(0, Math.min(seconds, longestQueueDelaySeconds))),
    }),
  );
}

/** Returns false if there can be no schedule now, such as for too many at a time. */
async function schedule(delivery: Delivery, at: number): Promise<boolean> {
  try {
    await scheduler().send(
      new CreateScheduleCommand({
        Name: scheduleName(delivery),
        GroupName: variable('SCHEDULE_GROUP'),
        ScheduleExpression: `at(${new Date(at).toISOString().slice(0, 19)})`,
        ScheduleExpressionTimezone: 'UTC',
        FlexibleTimeWindow: { Mode: FlexibleTimeWindowMode.OFF },
        ActionAfterCompletion: ActionAfterCompletion.DELETE,
        Target: {
          Arn: variable(queue.arn),
          RoleArn: variable('SCHEDULE_ROLE_ARN'),
          DeadLetterConfig: { Arn: variable(queue.deadLetterArn) },
          Input: textOf(delivery),
        },
      }),
    );
    return true;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    // There is one of this name already.
    if (name === 'ConflictException') return true;
    if (name === 'ServiceQuotaExceededException' || faultOf(error)) return false;
    throw error;
  }
}

/** The name of the one-time schedule of a delivery's next attempt. */
export function scheduleName({
  event_id,
  webhook_id,
  attempt,
  redrives = 0,
  from_backlog,
}: Delivery): string {
  // An earlier schedule for this attempt may end with nothing sent, because its webhook is behind.
  const own = from_backlog ? ' from backlog' : '';
  return `delivery-${sha256(`${event_id} ${webhook_id} ${attempt} ${redrives}${own}`)}`;
}

/** Where deliveries are parked. */
export const parkedUrl = () => variable(queue.deadLetterUrl);

/** Puts a delivery that has failed for good where an operator sees it and can send it again. */
export async function park(delivery: Delivery): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: parkedUrl(),
      MessageBody: textOf(delivery),
      MessageGroupId: delivery.webhook_id,
    }),
  );
}

// A schedule's input has placeholders such as `<aws.scheduler.execution-id>`; what a host wrote must not be taken for
// one. Other angle brackets stay as they are: a body full of them would outgrow the 256 KB that a schedule can hold.
const textOf = (message: Message) => JSON.stringify(message).replaceAll('<aws.', '\\u003caws.');

/** The message in a body; undefined for any other body, which no other message may suffer for. */
export function messageIn(body: string): Message | undefined {
  try {
    const value = JSON.parse(body) as Partial<Delivery & BacklogStep & BacklogCheck> | null;
    const areTexts = (...texts: unknown[]) => texts.every((text) => typeof text === 'string');
    if (!areTexts(value?.organization_id, value?.webhook_id)) return undefined;
    const { event_id, event_type, body: payload, attempt, step, from, to, records } = value!;
    const isKnown =
      Number.isInteger(step) ||
      (areTexts(event_id, event_type, payload) && Number.isInteger(attempt)) ||
      (areTexts(from, to) && Number.isInteger(records));
    return isKnown ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}

export const isStep = (message: Message): message is BacklogStep => 'step' in message;
export const isCheck = (message: Message): message is BacklogCheck => 'records' in message;
export const isDelivery = (message: Message): message is Delivery => 'attempt' in message;

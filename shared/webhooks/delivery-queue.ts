/** The queue of deliveries: one message for each event and webhook, now, later, or parked. */
import {
  ActionAfterCompletion,
  CreateScheduleCommand,
  FlexibleTimeWindowMode,
} from '@aws-sdk/client-scheduler';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { scheduler, sqs } from '../aws.ts';
import { queueVariables, variable } from '../environment.ts';
import { sha256 } from '../ids.ts';
import { log } from '../log.ts';
import { faultOf, pause } from '../retry.ts';

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
  /** The shard of the event's record, in which its calls are recorded; absent for the first, and for what has none. */
  shard?: number;
  /** How often an operator has sent it anew. */
  redrives?: number;
  /** Epoch milliseconds of the next attempt, if the message comes back before it. */
  not_before?: number;
  /** Whether that is the time that was reserved for it, since its receiver takes only so many a second. */
  paced?: boolean;
};

const mostPerBatch = 10;
const mostBatchBytes = 256 * 1024;
const atOnce = 8;
const tries = 4;
/** The longest that SQS itself can hold a message back. */
export const longestQueueDelaySeconds = 900;

const queue = queueVariables.deliveries;

/**
 * Puts deliveries on the queue, in batches, and again what SQS refused. Returns those that may not be on it after all;
 * the others are. Groups by webhook, so that a busy or slow one delays no other.
 */
export async function enqueue(deliveries: Delivery[]): Promise<Delivery[]> {
  let open = deliveries;
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

function batchesOf(deliveries: Delivery[]): Delivery[][] {
  const batches: Delivery[][] = [];
  let room = 0;
  for (const delivery of deliveries) {
    const bytes = Buffer.byteLength(messageOf(delivery));
    if (bytes > room || batches.at(-1)?.length === mostPerBatch) {
      batches.push([]);
      room = mostBatchBytes;
    }
    batches.at(-1)!.push(delivery);
    room -= bytes;
  }
  return batches;
}

/** Returns what SQS did not take: all, if the request itself failed. */
async function sendBatch(batch: Delivery[]): Promise<Delivery[]> {
  const entries = batch.map((delivery, index) => ({
    Id: String(index),
    MessageBody: messageOf(delivery),
    MessageGroupId: delivery.webhook_id,
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
  const seconds = Math.min((at - now) / 1000, longestQueueDelaySeconds);
  return sendLater({ ...delivery, not_before: at }, seconds);
}

async function sendLater(delivery: Delivery, seconds: number): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: variable(queue.url),
      MessageBody: messageOf(delivery),
      MessageGroupId: delivery.webhook_id,
      DelaySeconds: Math.ceil(seconds),
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
          Input: messageOf(delivery),
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
export function scheduleName({ event_id, webhook_id, attempt, redrives = 0 }: Delivery): string {
  return `delivery-${sha256(`${event_id} ${webhook_id} ${attempt} ${redrives}`)}`;
}

/** Where deliveries are parked. */
export const parkedUrl = () => variable(queue.deadLetterUrl);

/** Puts a delivery that has failed for good where an operator sees it and can send it again. */
export async function park(delivery: Delivery): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: parkedUrl(),
      MessageBody: messageOf(delivery),
      MessageGroupId: delivery.webhook_id,
    }),
  );
}

// A schedule's input has placeholders such as `<aws.scheduler.execution-id>`; what a host wrote must not be taken for
// one. Other angle brackets stay as they are: a body full of them would outgrow the 256 KB that a schedule can hold.
const messageOf = (delivery: Delivery) => JSON.stringify(delivery).replaceAll('<aws.', '\\u003caws.');

/** The delivery in a message's body; undefined for any other body, which no other message may suffer for. */
export function deliveryIn(body: string): Delivery | undefined {
  try {
    const value = JSON.parse(body) as Partial<Delivery> | null;
    const texts = [
      value?.organization_id,
      value?.webhook_id,
      value?.event_id,
      value?.event_type,
      value?.body,
    ];
    const isDelivery = texts.every((text) => typeof text === 'string') && Number.isInteger(value?.attempt);
    return isDelivery ? (value as Delivery) : undefined;
  } catch {
    return undefined;
  }
}

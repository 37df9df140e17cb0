import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { sqs } from '../aws.ts';
import { queueVariables, requiredVariable } from '../environment.ts';
import { timeOfUlid } from '../ids.ts';
import { log } from '../log.ts';
import { batched, concurrently } from '../promises.ts';
import { pauseBeforeRetry } from '../retry.ts';
import { bucketOf } from '../shards.ts';
import type { RecordList } from '../table/keys.ts';

export type Delivery = {
  organization_id: string;
  webhook_id: string;
  /** The `webhook-id` header of every attempt, by which a receiver recognizes duplicates. */
  event_id: string;
  event_type: string;
  record?: { user_id: string; list: RecordList | 'actions'; ulid: string };
  attempt: number;
  /** Epoch milliseconds before which the delivery is not attempted. */
  not_before?: number;
  probe?: true;
};

/** Returns the time of the event's record (epoch milliseconds), or undefined for invocations. */
export const recordTimeOf = ({ record }: Delivery): number | undefined => record && timeOfUlid(record.ulid);

const maxPerBatch = 10;
const maxBatchBytes = 256 * 1024;
/** Enough to keep pace with the table's stream without overloading SQS. */
const parallelRequests = 8;
const maxQueueDelaySeconds = 900;

const queue = queueVariables.deliveries;

type Entry = { message: Delivery; seconds: number };

const groupsPerOrganization = 4;
/**
 * SQS holds back large groups. With a group per webhook, a host with 100 slow webhooks would have 100 small groups, and
 * delay all hosts.
 */
const groupOf = ({ organization_id, webhook_id }: Delivery) =>
  `${organization_id}#${bucketOf(webhook_id, groupsPerOrganization)}`;

/** Queues deliveries for an attempt now. `failed`: those that SQS did not confirm. */
export async function enqueueDeliveries(messages: Delivery[]): Promise<{ failed: Delivery[] }> {
  const unconfirmed = await sendAll(
    messages.map((message) => ({ message, seconds: 0 })),
    4,
  );
  return { failed: unconfirmed.map(({ message }) => message) };
}

/** Sends entries to SQS, with up to `tries` attempts per entry. Returns the entries that SQS did not confirm. */
async function sendAll(entries: Entry[], tries: number): Promise<Entry[]> {
  let unconfirmed = entries;
  for (let attempt = 0; unconfirmed.length > 0 && attempt < tries; attempt++) {
    if (attempt > 0) await pauseBeforeRetry(attempt);
    unconfirmed = await sendOnce(unconfirmed);
  }
  return unconfirmed;
}

async function sendOnce(entries: Entry[]): Promise<Entry[]> {
  const unconfirmed: Entry[] = [];
  await concurrently(parallelRequests, batchesOf(entries), async (batch) => {
    unconfirmed.push(...(await sendBatch(batch)));
  });
  return unconfirmed;
}

function batchesOf(entries: Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let room = 0;
  for (const entry of entries) {
    const bytes = Buffer.byteLength(JSON.stringify(entry.message));
    if (bytes > room || batches.at(-1)?.length === maxPerBatch) {
      batches.push([]);
      room = maxBatchBytes;
    }
    batches.at(-1)!.push(entry);
    room -= bytes;
  }
  return batches;
}

async function sendBatch(batch: Entry[]): Promise<Entry[]> {
  const entries = batch.map(({ message, seconds }, index) => ({
    Id: String(index),
    MessageBody: JSON.stringify(message),
    MessageGroupId: groupOf(message),
    DelaySeconds: Math.ceil(Math.max(0, Math.min(seconds, maxQueueDelaySeconds))),
  }));
  try {
    const { Failed = [] } = await sqs().send(
      new SendMessageBatchCommand({ QueueUrl: requiredVariable(queue.url), Entries: entries }),
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

/** Queues an attempt at `time` (epoch milliseconds), by delays of 15 minutes at most. Throws if SQS did not confirm. */
export async function enqueueForLater(delivery: Delivery, time: number, now: number): Promise<void> {
  const entry = { message: { ...delivery, not_before: time }, seconds: (time - now) / 1000 };
  if ((await sendGathered(entry)).includes(entry)) throw new Error('the delivery could not be queued');
}

export const parkedQueueUrl = () => requiredVariable(queue.deadLetterUrl);

/** Moves a delivery to the dead-letter queue. If an operator moves it back, it begins at attempt 1. */
export async function parkDelivery({ not_before: _, ...delivery }: Delivery): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: parkedQueueUrl(),
      MessageBody: JSON.stringify({ ...delivery, attempt: 1 }),
      MessageGroupId: groupOf(delivery),
    }),
  );
}

export function parseDelivery(body: string): Delivery | undefined {
  try {
    const value = JSON.parse(body) as Partial<Delivery> | null;
    const areTexts = (...texts: unknown[]) => texts.every((text) => typeof text === 'string');
    const { organization_id, webhook_id, event_id, event_type, record, attempt } = value!;
    const hasPayload = event_type === 'invoke' || areTexts(record?.user_id, record?.list, record?.ulid);
    const isKnown = areTexts(organization_id, webhook_id, event_id, event_type) && hasPayload;
    return isKnown && Number.isInteger(attempt) ? (value as Delivery) : undefined;
  } catch {
    return undefined;
  }
}

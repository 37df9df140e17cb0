/** Delivers part of a backlog: reads records from the table in order and sends their events. */
import type { HistoryRecord } from '../accounts/records.ts';
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { count } from '../metrics.ts';
import { timeSortKey } from '../table/keys.ts';
import type { EventType } from '../vocabulary.ts';
import { attempt, type DeliveryDeps, finalVerdict, requestedWaitSeconds, retryOrPark } from './attempt.ts';
import { replacedFrom } from './audience.ts';
import type { BacklogStep, Delivery, Received } from './delivery-queue.ts';
import { eventPayload } from './payloads.ts';
import type { CallResponse } from './post.ts';
import { deliveriesOf } from './publishing.ts';
import type { Backlog } from './receiver.ts';
import { recordsInOrder } from './replay.ts';
import { allWebhooks, type Webhook } from './webhooks.ts';

/** Minimum age (milliseconds) of records that a step reads: newer ones may be missing from the index `byTime`. */
export const readAfterMs = 2_000;

/** Maximum records in a wave, a group whose events are sent at the same time. */
const maxWaveSize = 50;
const maxPerRead = 500;
// One record more than the largest wave, to see whether more records follow.
const maxPerShortRead = maxWaveSize + 1;
/**
 * Milliseconds for which a step starts new attempts: short, because other backlogs wait for the same Lambda
 * functions.
 */
export const newAttemptsForMs = 5_000;

/**
 * Number of consecutive failed backlog steps (three days) after which the queue retries each failed event on its own,
 * if the rest of the backlog fits into one wave.
 */
export const stepsUntilSeparateRetries = 300;

export type StepResult = {
  /**
   * Position at which the next step begins to read. The events of all earlier records are delivered or queued
   * for separate retries.
   */
  cursor: string;
  /** Number of completed records: all their events are delivered or queued for separate retries. */
  records: number;
  /** Whether the step completed all records that are before the backlog's end and older than two seconds. */
  isAll: boolean;
  /** Number of events in the latest wave that got a 2xx or 410 response. */
  arrived: number;
  /** Number of events sent in the latest wave that got no 2xx or 410 response. */
  failed: number;
  /** Number of events sent in all waves of the step. */
  sent: number;
  /** Number of events in all waves of the step that got a 2xx response. */
  succeeded: number;
  /** The longest `Retry-After`, in seconds, among the responses to the latest wave. */
  requestedWait: number;
};

/** Returns the maximum number of records per wave: after failed steps, at most the number of failed steps. */
const waveSize = ({ per_second = maxWaveSize }: Webhook, { failed_steps }: Backlog): number =>
  Math.min(maxWaveSize, per_second, failed_steps > 0 ? failed_steps : maxWaveSize);

/** Sends a backlog's events in groups (waves), for five seconds or until most events of a wave fail. */
export async function deliverBacklog(
  webhook: Webhook,
  backlog: Backlog,
  { message_id }: Received<BacklogStep>,
  deps: DeliveryDeps,
): Promise<StepResult> {
  const { organization_id: organizationId, per_second } = webhook;
  const deadline = deps.now() + newAttemptsForMs;
  // Sends only one wave after a failed step, or if the webhook has a limit per second.
  const isShort = backlog.failed_steps > 0 || per_second !== undefined;
  const maxWave = waveSize(webhook, backlog);
  const perRead = isShort ? maxPerShortRead : maxPerRead;
  const none = { records: 0, isAll: false, arrived: 0, failed: 0, sent: 0, succeeded: 0, requestedWait: 0 };
  const result: StepResult = { cursor: backlog.cursor, ...none };
  const to = ulidFloor(Math.min(backlog.until ?? Number.POSITIVE_INFINITY, deps.now() - readAfterMs));
  if (to <= backlog.cursor) return { ...result, isAll: true };
  const replaced = replacedFrom(webhook, await allWebhooks(organizationId));
  for await (const records of recordsInOrder({ organizationId, from: backlog.cursor, to }, perRead)) {
    const earlierRecords = result.records;
    const pending = recordEventsOf(webhook, records, replaced);
    const isLast = records.length < perRead;
    for (let from = 0; from < pending.length; from += maxWave) {
      const wave = pending.slice(from, from + maxWave);
      const isRest = isLast && from + maxWave >= pending.length;
      await sendWave(wave, webhook, deadline, deps);
      const retriesSeparately = isRest && backlog.failed_steps >= stepsUntilSeparateRetries;
      const completed = await addResults(wave, result, { retriesSeparately, message_id }, deps);
      const next = pending[from + completed];
      if (completed > 0)
        moveCursor(result, earlierRecords, next ? records.slice(0, records.indexOf(next.record)) : records);
      const isEnough = isShort || result.failed > result.arrived || deps.now() > deadline;
      if (completed < wave.length || (isEnough && !isRest)) return result;
    }
    moveCursor(result, earlierRecords, records);
    if (deps.now() > deadline && !isLast) return result;
  }
  return { ...result, cursor: to, isAll: true };
}

/** Moves the step's cursor past `records`. `earlierRecords` is the number of records completed in earlier reads. */
function moveCursor(result: StepResult, earlierRecords: number, records: HistoryRecord[]): void {
  result.records = earlierRecords + records.length;
  const last = records.at(-1);
  if (last) result.cursor = `${timeSortKey(last)}0`;
}

type EventToSend = { delivery: Delivery; payload: string; answer?: CallResponse };
/** A record with its events. Each event that was sent has the receiver's response. */
type RecordEvents = { record: HistoryRecord; events: EventToSend[] };

/** Returns the records that have events for this webhook, each with its events. */
function recordEventsOf(
  webhook: Webhook,
  records: HistoryRecord[],
  replaced: Record<EventType, number>,
): RecordEvents[] {
  const isOwn = (type: EventType, record: HistoryRecord) => timeOfUlid(timeSortKey(record)) < replaced[type];
  const deliveries = deliveriesOf(records, ({ type }, record) => (isOwn(type, record) ? [webhook] : []));
  const byRecord = Map.groupBy(deliveries, ({ record }) => record);
  return [...byRecord].map(([record, planned]) => ({
    record,
    events: planned.map(({ delivery }) => ({
      delivery,
      payload: eventPayload(record, delivery.event_type, delivery.event_id)!,
    })),
  }));
}

/** Sends a wave's events: events of one user in sequence, of different users in parallel. */
async function sendWave(
  wave: RecordEvents[],
  webhook: Webhook,
  deadline: number,
  deps: DeliveryDeps,
): Promise<void> {
  const users = Map.groupBy(wave, ({ record }) => record.user_id);
  const perUser = [...users.values()].map(async (pending) => {
    for (const one of pending) {
      for (const event of one.events) {
        // Sends the events of the wave's first record even after the deadline, so that every step makes
        // progress.
        if (one !== wave[0] && deps.now() > deadline) return;
        event.answer = await attempt(event.delivery, event.payload, webhook, deps);
      }
    }
  });
  const rejected = (await Promise.allSettled(perUser)).find(({ status }) => status === 'rejected');
  if (rejected) throw (rejected as PromiseRejectedResult).reason;
}

/** Adds a wave's results to `result`. Returns the number of records whose events need no further step. */
async function addResults(
  wave: RecordEvents[],
  result: StepResult,
  { retriesSeparately, message_id }: { retriesSeparately: boolean; message_id: string },
  deps: DeliveryDeps,
): Promise<number> {
  const firstUnsent = wave.findIndex(({ events }) => events.some(({ answer }) => !answer));
  const answers = wave.flatMap(({ events }) => events.flatMap(({ answer }) => answer ?? []));
  const verdicts = answers.map(finalVerdict);
  result.arrived = verdicts.filter((verdict) => verdict !== undefined).length;
  result.failed = answers.length - result.arrived;
  result.requestedWait = Math.max(...answers.map((answer) => requestedWaitSeconds(answer, deps.now())));
  result.sent += answers.length;
  result.succeeded += verdicts.filter((verdict) => verdict === 'delivered').length;
  if (result.failed > 0) count('FailedWebhookCalls', result.failed);
  // If all events failed, the next step sends them again, unless the queue retries each event separately.
  if (result.arrived === 0 && !retriesSeparately) return 0;
  const completed = firstUnsent === -1 ? wave : wave.slice(0, firstUnsent);
  const refused = completed.flatMap(({ events }) => events.filter(({ answer }) => !finalVerdict(answer!)));
  const retries = refused.map(({ delivery, answer }) =>
    retryOrPark({ ...delivery, from_backlog: true, message_id }, answer!, deps),
  );
  await Promise.all(retries);
  return completed.length;
}

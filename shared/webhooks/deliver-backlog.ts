/** Delivers a part of a backlog from the table, in the order of its records: one step. */
import type { HistoryRecord } from '../accounts/records.ts';
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { count } from '../metrics.ts';
import { timeSortKey } from '../table/keys.ts';
import type { EventType } from '../vocabulary.ts';
import { attempt, type DeliveryDeps, endOf, secondsAsked, tryLater } from './attempt.ts';
import { replacedFrom } from './audience.ts';
import type { BacklogStep, Delivery, Taken } from './delivery-queue.ts';
import type { CallResponse } from './post.ts';
import { deliveriesOf } from './publishing.ts';
import type { Backlog } from './receiver.ts';
import { recordsInOrder } from './replay.ts';
import { allWebhooks, type Webhook } from './webhooks.ts';

/** By so long after its time a record is in the index, as a rule. `check-backlog.ts` finds those that come later. */
export const readAfterMs = 2_000;

/** Records of a wave; one makes up to two events. */
const mostAtOnce = 50;
const mostPerRead = 500;
// One more than a wave has, so that it shows whether there is more.
const fewPerRead = mostAtOnce + 1;
/** How long attempts are begun: a short time, so that the steps of many webhooks leave room for others' deliveries. */
export const newAttemptsForMs = 5_000;

/**
 * After so many failed steps with all that there is in the backlog, some three days, each event is retried by
 * itself: if the events fail and not the receiver, they are parked before the webhook would be switched off.
 */
export const stepsUntilLetGo = 300;

/** What a step has done. */
export type Delivered = {
  /** The position up to which all is delivered, or retried by itself. */
  cursor: string;
  /** Records up to the cursor. */
  records: number;
  /** Whether the backlog is delivered as far as it can be read. */
  isAll: boolean;
  /** Of the last wave: events that arrived or were not wanted any more, and those that failed. */
  arrived: number;
  failed: number;
  /** Events that were sent, and those that got a 2xx. */
  sent: number;
  succeeded: number;
  /** Seconds that the receiver asked to wait. */
  asked: number;
};

/** How many records are sent at once; after failed steps as many as these were. */
const mostOf = ({ per_second = mostAtOnce }: Webhook, { failed_steps }: Backlog): number =>
  Math.min(mostAtOnce, per_second, failed_steps > 0 ? failed_steps : mostAtOnce);

/**
 * Delivers the next events of a backlog, in waves, until that takes too long, or fails. The retries of refused events
 * follow the message of the step.
 */
export async function deliverBacklog(
  webhook: Webhook,
  backlog: Backlog,
  { message_id }: Taken<BacklogStep>,
  deps: DeliveryDeps,
): Promise<Delivered> {
  const { organization_id: organizationId, per_second } = webhook;
  const deadline = deps.now() + newAttemptsForMs;
  const isShort = backlog.failed_steps > 0 || per_second !== undefined;
  const most = mostOf(webhook, backlog);
  const perRead = isShort ? fewPerRead : mostPerRead;
  const none = { records: 0, isAll: false, arrived: 0, failed: 0, sent: 0, succeeded: 0, asked: 0 };
  const done: Delivered = { cursor: backlog.cursor, ...none };
  const to = ulidFloor(Math.min(backlog.until ?? Number.POSITIVE_INFINITY, deps.now() - readAfterMs));
  if (to <= backlog.cursor) return { ...done, isAll: true };
  const replaced = replacedFrom(webhook, await allWebhooks(organizationId));
  for await (const records of recordsInOrder({ organizationId, from: backlog.cursor, to }, perRead)) {
    const before = done.records;
    const pending = await recordEventsOf(webhook, records, replaced);
    const isLast = records.length < perRead;
    for (let from = 0; from < pending.length; from += most) {
      const wave = pending.slice(from, from + most);
      const isRest = isLast && from + most >= pending.length;
      await send(wave, webhook, deadline, deps);
      const isLetGo = isRest && backlog.failed_steps >= stepsUntilLetGo;
      const ended = await conclude(wave, done, { isLetGo, message_id }, deps);
      const next = pending[from + ended];
      if (ended > 0) moveTo(done, before, next ? records.slice(0, records.indexOf(next.record)) : records);
      const isEnough = isShort || done.failed > done.arrived || deps.now() > deadline;
      if (ended < wave.length || (isEnough && !isRest)) return done;
    }
    moveTo(done, before, records);
    if (deps.now() > deadline && !isLast) return done;
  }
  return { ...done, cursor: to, isAll: true };
}

/** Moves the cursor behind some records, the first of those that were read after `before` others. */
function moveTo(done: Delivered, before: number, records: HistoryRecord[]): void {
  done.records = before + records.length;
  const last = records.at(-1);
  if (last) done.cursor = `${timeSortKey(last)}0`;
}

/** A record with its events, and with the answer to each so far. */
type RecordEvents = { record: HistoryRecord; events: { delivery: Delivery; answer?: CallResponse }[] };

/** The records that have events for a webhook, with those events. */
async function recordEventsOf(
  webhook: Webhook,
  records: HistoryRecord[],
  replaced: Record<EventType, number>,
): Promise<RecordEvents[]> {
  const isOwn = (type: EventType, record: HistoryRecord) => timeOfUlid(timeSortKey(record)) < replaced[type];
  const made = await deliveriesOf(records, ({ type }, record) => (isOwn(type, record) ? [webhook] : []));
  const byRecord = Map.groupBy(made, ({ record }) => record);
  return [...byRecord].map(([record, events]) => ({ record, events }));
}

/** Sends a wave: the events of a user one after the other, those of different users at the same time. */
async function send(
  wave: RecordEvents[],
  webhook: Webhook,
  deadline: number,
  deps: DeliveryDeps,
): Promise<void> {
  const users = Map.groupBy(wave, ({ record }) => record.user_id);
  const ends = [...users.values()].map(async (pending) => {
    for (const one of pending) {
      for (const event of one.events) {
        // The first record is sent whatever happens, so that each step comes further.
        if (one !== wave[0] && deps.now() > deadline) return;
        event.answer = await attempt(event.delivery, webhook, deps);
      }
    }
  });
  const broken = (await Promise.allSettled(ends)).find(({ status }) => status === 'rejected');
  if (broken) throw (broken as PromiseRejectedResult).reason;
}

/**
 * Adds what came of a wave. If nothing arrived, the receiver fails, and all is sent again, unless it is let
 * go. Otherwise the receiver may refuse single events, which are retried by themselves. Returns how many of
 * the wave's records are done with, from the first one on.
 */
async function conclude(
  wave: RecordEvents[],
  done: Delivered,
  { isLetGo, message_id }: { isLetGo: boolean; message_id: string },
  deps: DeliveryDeps,
): Promise<number> {
  const left = wave.findIndex(({ events }) => events.some(({ answer }) => !answer));
  const answers = wave.flatMap(({ events }) => events.flatMap(({ answer }) => answer ?? []));
  const ends = answers.map(endOf);
  done.arrived = ends.filter((end) => end !== undefined).length;
  done.failed = answers.length - done.arrived;
  done.asked = Math.max(...answers.map((answer) => secondsAsked(answer, deps.now())));
  done.sent += answers.length;
  done.succeeded += ends.filter((end) => end === 'delivered').length;
  if (done.failed > 0) count('FailedWebhookCalls', done.failed);
  if (done.arrived === 0 && !isLetGo) return 0;
  const ended = left === -1 ? wave : wave.slice(0, left);
  const refused = ended.flatMap(({ events }) => events.filter(({ answer }) => !endOf(answer!)));
  const later = refused.map(({ delivery, answer }) =>
    tryLater({ ...delivery, from_backlog: true, message_id }, answer!, deps),
  );
  await Promise.all(later);
  return ended.length;
}

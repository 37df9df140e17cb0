/** Telling a webhook that is behind what follows: one step of its catch-up. */
import type { HistoryRecord } from '../accounts/records.ts';
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { count } from '../metrics.ts';
import { timeSortKey } from '../table/keys.ts';
import type { EventType } from '../vocabulary.ts';
import { replacedFrom } from './audience.ts';
import { attempt, type DeliveryDeps, endOf, secondsAsked, tryLater } from './delivery.ts';
import type { Delivery } from './delivery-queue.ts';
import type { Sign } from './health.ts';
import type { CallResponse } from './post.ts';
import { deliveriesOf } from './publishing.ts';
import type { Behind } from './receiver-state.ts';
import { recordsInOrder } from './replay.ts';
import { allWebhooks, type Webhook } from './webhooks.ts';

/**
 * How long after its time a record is surely in the index: it has its time before it is written, by up to a minute or
 * two, and the index may lag when it is busy.
 */
export const inIndexAfterMs = 5 * 60_000;

/** Records of a wave; one is told as up to two events. */
const mostAtOnce = 50;
const mostPerRead = 500;
// One more than a wave has, so that it shows whether there is more.
const fewPerRead = mostAtOnce + 1;
/** How long attempts are begun: a short time, so that the steps of many webhooks leave room for others' deliveries. */
export const newAttemptsForMs = 5_000;

/**
 * After so many steps in vain with all that there is to tell, some three days, each event goes its own way: if it is the
 * events and not the receiver, they are parked before the webhook would be switched off.
 */
export const stepsUntilLetGo = 300;

/** What telling came to. */
export type Told = {
  /** The position up to which all is told, or goes its own way. */
  at: string;
  /** Whether that is all that is surely in the index, up to the end if there is one. */
  isAll: boolean;
  /** Of the last wave: how many events arrived or were not wanted any more, and how many failed. */
  arrived: number;
  failed: number;
  /** Seconds that the receiver asked to wait. */
  asked: number;
  /** What came of each event that was sent. */
  signs: Sign[];
};

/** How many records are told at once; after steps in vain as many as these were. */
const mostOf = ({ per_second = mostAtOnce }: Webhook, { vain }: Behind): number =>
  Math.min(mostAtOnce, per_second, vain > 0 ? vain : mostAtOnce);

/** Tells a webhook that is behind what follows, in waves, until that takes too long, or fails. */
export async function tellFrom(webhook: Webhook, behind: Behind, deps: DeliveryDeps): Promise<Told> {
  const { organization_id: organizationId, per_second } = webhook;
  const deadline = deps.now() + newAttemptsForMs;
  const isShort = behind.vain > 0 || per_second !== undefined;
  const most = mostOf(webhook, behind);
  const perRead = isShort ? fewPerRead : mostPerRead;
  const told: Told = {
    at: behind.at,
    isAll: false,
    arrived: 0,
    failed: 0,
    asked: 0,
    signs: [],
  };
  const to = ulidFloor(Math.min(behind.until ?? Number.POSITIVE_INFINITY, deps.now() - inIndexAfterMs));
  if (to <= behind.at) return { ...told, isAll: true };
  const replaced = replacedFrom(webhook, await allWebhooks(organizationId));
  for await (const records of recordsInOrder({ organizationId, from: behind.at, to }, perRead)) {
    const tellings = await tellingsOf(webhook, records, replaced);
    const isLast = records.length < perRead;
    for (let from = 0; from < tellings.length; from += most) {
      const wave = tellings.slice(from, from + most);
      const isRest = isLast && from + most >= tellings.length;
      await tell(wave, webhook, deadline, deps);
      const done = await conclude(wave, told, isRest && behind.vain >= stepsUntilLetGo, deps);
      if (done > 0) told.at = positionOf(tellings[from + done]) ?? after(records);
      const isEnough = isShort || told.failed > told.arrived || deps.now() > deadline;
      if (done < wave.length || (isEnough && !isRest)) return told;
    }
    told.at = after(records);
    if (deps.now() > deadline && !isLast) return told;
  }
  return { ...told, at: to, isAll: true };
}

/** A record with its events, and with what the receiver answered to each so far. */
type Telling = { record: HistoryRecord; events: { delivery: Delivery; answer?: CallResponse }[] };

const positionOf = (telling: Telling | undefined): string | undefined =>
  telling && timeSortKey(telling.record);
/** The position after some records. */
const after = (records: HistoryRecord[]): string => `${timeSortKey(records.at(-1)!)}0`;

/** Those of some records that a webhook is told of. */
async function tellingsOf(
  webhook: Webhook,
  records: HistoryRecord[],
  replaced: Record<EventType, number>,
): Promise<Telling[]> {
  const isOwn = (type: EventType, record: HistoryRecord) => timeOfUlid(timeSortKey(record)) < replaced[type];
  const made = await deliveriesOf(records, ({ type }, record) => (isOwn(type, record) ? [webhook] : []));
  const byRecord = Map.groupBy(made, ({ record }) => record);
  return [...byRecord].map(([record, events]) => ({ record, events }));
}

/** Sends a wave: the events of a user one after the other, those of different users at the same time. */
async function tell(wave: Telling[], webhook: Webhook, deadline: number, deps: DeliveryDeps): Promise<void> {
  const users = Map.groupBy(wave, ({ record }) => record.user_id);
  const ends = [...users.values()].map(async (tellings) => {
    for (const telling of tellings) {
      for (const event of telling.events) {
        // The first record is told whatever happens, so that each step comes further.
        if (telling !== wave[0] && deps.now() > deadline) return;
        event.answer = await attempt(event.delivery, webhook, deps);
      }
    }
  });
  const broken = (await Promise.allSettled(ends)).find(({ status }) => status === 'rejected');
  if (broken) throw (broken as PromiseRejectedResult).reason;
}

/**
 * Notes what came of a wave. If nothing arrived, it is the receiver that fails, and all is told again, unless it is let
 * go. Otherwise it may be an event that it does not take, which goes its own way. Returns how many of the wave's records
 * are done with, from the first one on.
 */
async function conclude(wave: Telling[], told: Told, isLetGo: boolean, deps: DeliveryDeps): Promise<number> {
  const left = wave.findIndex(({ events }) => events.some(({ answer }) => !answer));
  const answers = wave.flatMap(({ events }) => events.flatMap(({ answer }) => answer ?? []));
  const ends = answers.map(endOf);
  told.arrived = ends.filter((end) => end !== undefined).length;
  told.failed = answers.length - told.arrived;
  told.asked = Math.max(...answers.map((answer) => secondsAsked(answer, deps.now())));
  told.signs.push(...ends.map((end) => ({ ok: end === 'delivered', attempt: 2, recordTime: undefined })));
  if (told.failed > 0) count('FailedWebhookCalls', told.failed);
  if (told.arrived === 0 && !isLetGo) return 0;
  const done = left === -1 ? wave : wave.slice(0, left);
  for (const { delivery, answer } of done.flatMap(({ events }) => events)) {
    if (!endOf(answer!)) await tryLater({ ...delivery, from_catch_up: true }, answer!, deps);
  }
  return done.length;
}

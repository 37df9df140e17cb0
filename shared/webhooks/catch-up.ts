/**
 * Catching up: telling a webhook that is behind what it was not told, in the order of the records, a step for each
 * message. While its receiver fails, steps ask with a few events, and come more and more rarely.
 */
import type { HistoryRecord } from '../accounts/records.ts';
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { get } from '../table/client.ts';
import { timeSortKey, webhookKey } from '../table/keys.ts';
import type { EventType } from '../vocabulary.ts';
import { replacedFrom } from './audience.ts';
import { fallBehind, moveOn, stepOf, toldUntil } from './behind.ts';
import { attempt, type DeliveryDeps, endOf, note, secondsAsked, tryLater } from './delivery.ts';
import { type CatchUp, type Delivery, sendLater } from './delivery-queue.ts';
import type { Sign } from './health.ts';
import { reserve } from './pace.ts';
import type { CallResponse } from './post.ts';
import { deliveriesOf } from './publishing.ts';
import { recordsInOrder } from './replay.ts';
import { jitter, longestRetryAfterSeconds } from './retry-schedule.ts';
import { allWebhooks, type Behind, type Webhook } from './webhooks.ts';

/**
 * How long after its time a record is surely in the index: it has its time before it is written, by up to a minute or
 * two, and the index may lag when it is busy.
 */
export const settledAfterMs = 5 * 60_000;
/** How far ahead the end is noted, so that whoever publishes has read of it by then, by whatever clock. */
const noticeMs = 60_000;
// A step that was taken and whose next one is not queued yet may have broken off.
const brokenOffMs = 2 * 60_000;

/** Of records; one is told as up to two events. */
const mostAtOnce = 50;
const mostPerRead = 500;
// One more than a wave has, so that it shows whether there is more.
const fewPerRead = mostAtOnce + 1;
// Short, so that the steps of many webhooks leave room for the deliveries of others.
const newAttemptsForMs = 5_000;

const firstWaitSeconds = 5;
const longestWaitSeconds = 15 * 60;
/** By then what failed at the beginning is settled: if there still is nothing to tell, nothing will be. */
const emptySteps = 8;
/**
 * After so many steps in vain with all that there is to tell, some three days, each event goes its own way: if it is the
 * events and not the receiver, they are parked before the webhook would be switched off.
 */
export const stepsUntilLetGo = 300;

/** What became of a step: the next one is queued; there is none; it came too early; or another one came in between. */
export type StepVerdict = 'went on' | 'over' | 'early' | 'repeated';

/** Takes a step for each message, all at a time. Returns those that are settled; the others have to come again. */
export async function catchUpAll(messages: CatchUp[], deps: DeliveryDeps): Promise<Set<CatchUp>> {
  const settled = new Set<CatchUp>();
  await Promise.all(
    messages.map(async (message) => {
      try {
        const verdict = await takeStep(message, deps);
        log.info('catch-up step', { ...message, verdict });
        settled.add(message);
      } catch (error) {
        log.failure('catch-up step', error, { ...message, verdict: 'unsettled' });
      }
    }),
  );
  return settled;
}

/**
 * Takes the step of a message. How far it came is written before the next one is queued, and only then may the message be
 * taken off the queue: one that finds its step taken waits until the next one is taken too, or queues that once more.
 * Throws if it could not be written or queued.
 */
async function takeStep(message: CatchUp, deps: DeliveryDeps): Promise<StepVerdict> {
  const webhook = await get<Webhook>(webhookKey(message.organization_id, message.webhook_id));
  if (!webhook || webhook.disabled_at !== undefined) return 'over';
  const { behind } = webhook;
  if (!behind) return message.step === 0 ? begin(webhook, deps) : 'over';
  const taken = behind.step - message.step;
  if (taken < 0 || taken > 1) return 'over';
  const early = behind.due + (taken === 1 ? brokenOffMs : 0) - deps.now();
  if (early > 1000) {
    await sendLater(message, early / 1000);
    return 'early';
  }
  if (taken === 1) {
    await sendLater(stepOf(webhook), 0);
    return 'went on';
  }
  return goOn(webhook, behind, deps);
}

async function begin(webhook: Webhook, { now }: DeliveryDeps): Promise<StepVerdict> {
  const fallen = await fallBehind(webhook, now());
  if (!fallen) return 'over';
  const { organization_id, webhook_id, failing_since } = webhook;
  log.warn('webhook behind', { organization_id, webhook_id, failing_since });
  await sendLater(stepOf(fallen), 0);
  return 'went on';
}

async function goOn(webhook: Webhook, behind: Behind, deps: DeliveryDeps): Promise<StepVerdict> {
  const started = deps.now();
  const told = await tellFrom(webhook, behind, deps);
  await note(webhook, told.signs, deps.now());
  const next = await nextOf(webhook, behind, { ...told, tookMs: deps.now() - started }, deps);
  if (!(await moveOn(webhook, next))) {
    // By a change of the webhook, the same message once more, or events that were still on their way.
    await sendLater(stepOf(webhook), 1);
    return 'repeated';
  }
  if (next) {
    await sendLater(stepOf({ ...webhook, behind: next }), (next.due - deps.now()) / 1000);
    return 'went on';
  }
  const { organization_id, webhook_id } = webhook;
  log.info('webhook caught up', { organization_id, webhook_id });
  return 'over';
}

/** What a step came to. */
type Told = {
  /** The position up to which all is told, or goes its own way. */
  at: string;
  /** Whether that is all that is settled, up to the end if there is one. */
  isAll: boolean;
  /** Of the last wave: how many events arrived or were not wanted any more, and how many failed. */
  arrived: number;
  failed: number;
  /** Seconds that the receiver asked to wait. */
  asked: number;
  /** How many events were sent in all, and what came of each. */
  signs: Sign[];
};

/** How the webhook is behind after a step; undefined if it is no more. */
async function nextOf(
  webhook: Webhook,
  behind: Behind,
  { at, isAll, arrived, failed, asked, signs, tookMs }: Told & { tookMs: number },
  { now, random }: DeliveryDeps,
): Promise<Behind | undefined> {
  const next = { ...behind, at, step: behind.step + 1 };
  const isEmpty = isAll && signs.length === 0;
  if (failed > arrived || (isEmpty && behind.vain > 0 && behind.vain < emptySteps)) {
    const usual = Math.min(longestWaitSeconds, firstWaitSeconds * 2 ** behind.vain);
    const seconds = Math.max(usual, Math.min(asked, longestRetryAfterSeconds)) * (1 + jitter * random());
    return { ...next, vain: behind.vain + 1, due: now() + seconds * 1000 };
  }
  // So much comes that catching up would take longer than all that it has to tell took: what comes from now on is queued
  // beside.
  const isSlow =
    tookMs > newAttemptsForMs && behind.vain === 0 && toldUntil({ at }) - toldUntil(behind) < 2 * tookMs;
  const { until = isAll || isSlow ? now() + noticeMs : undefined } = behind;
  if (!isAll) return { ...next, vain: 0, until, due: await freeAt(webhook, signs.length, now()) };
  if (toldUntil({ at }) === until) return undefined;
  return { ...next, vain: 0, until, due: until! + settledAfterMs };
}

/** From when on a receiver that was sent some events takes more. */
async function freeAt(webhook: Webhook, sent: number, now: number): Promise<number> {
  const { per_second } = webhook;
  if (per_second === undefined || sent === 0) return now;
  const times = await reserve(webhook, per_second, sent, now);
  return times.at(-1)! + 1000 / per_second;
}

/** How many records are told at once: one after the other fails, and one more with each step in vain. */
const mostOf = ({ per_second = mostAtOnce }: Webhook, { vain }: Behind): number =>
  Math.min(mostAtOnce, per_second, vain > 0 ? vain : mostAtOnce);

/** Tells a webhook what follows, in waves, until that takes too long, or fails. */
async function tellFrom(webhook: Webhook, behind: Behind, deps: DeliveryDeps): Promise<Told> {
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
  const to = ulidFloor(Math.min(behind.until ?? Number.POSITIVE_INFINITY, deps.now() - settledAfterMs));
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

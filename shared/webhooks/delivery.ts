/** One attempt to deliver an event to a webhook, and what follows from it. */
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { getAll } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import { isoOf } from '../time.ts';
import { isLeftToCatchUp, leaveNear, recordTimeOf } from './behind.ts';
import type { Call, RecordCall } from './calls.ts';
import { type Delivery, enqueueLater, hold, park } from './delivery-queue.ts';
import { noteHealth, type Sign } from './health.ts';
import { reserve } from './pace.ts';
import type { CallResponse, Post } from './post.ts';
import { delayAfter, retryAfterSeconds } from './retry-schedule.ts';
import { signedHeaders } from './signature.ts';
import { secretsOf, type Webhook } from './webhooks.ts';

/** What an attempt depends on. */
export type DeliveryDeps = {
  post: Post;
  record: RecordCall;
  /** Epoch milliseconds. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Seconds between attempts. */
  delays: number[];
};

/**
 * What became of an attempt: a 2xx; a failure that is tried again; one after the last attempt, parked; a 410, or a
 * webhook that was deleted, switched off or is behind meanwhile, with which the delivery ends (in the last case its
 * event is told by the catch-up); a message that came before its time, or for which a later one was reserved.
 */
export type DeliveryVerdict =
  | 'delivered'
  | 'retried'
  | 'parked'
  | 'gone'
  | 'dropped'
  | 'off'
  | 'behind'
  | 'early';

/** What a verdict says of the receiver: whether it is well, or nothing. */
const isWell: { [verdict in DeliveryVerdict]?: boolean } = {
  delivered: true,
  retried: false,
  parked: false,
  gone: false,
};

/**
 * Makes one attempt for each delivery, all at a time, and logs each with its verdict. Returns the deliveries that are
 * settled; what became of the others is not known, and they have to be attempted again.
 */
export async function deliverAll(deliveries: Delivery[], deps: DeliveryDeps): Promise<Set<Delivery>> {
  const webhooks = await withNearLeft(await currentWebhooks(deliveries), deliveries);
  const reserved = reservationsFor(deliveries, webhooks, deps.now());
  const settled = new Set<Delivery>();
  const signs = new Map<string, Sign[]>();
  let failures = 0;
  await Promise.all(
    deliveries.map(async (delivery) => {
      const { event_id, webhook_id, attempt: number, organization_id } = delivery;
      const named = { event_id, webhook_id, attempt: number, organization_id };
      try {
        const times = reserved.get(webhookName(delivery));
        const timed = times && awaitsPace(delivery) ? atTime(delivery, (await times).shift()!) : delivery;
        const verdict = await deliver(timed, webhooks.get(webhookName(delivery)), deps);
        log.info('webhook attempt', { ...named, verdict });
        if (verdict === 'retried' || verdict === 'parked') failures++;
        const ok = isWell[verdict];
        const seen = signs.get(webhookName(delivery)) ?? [];
        const sign = { ok: ok === true, attempt: number, recordTime: recordTimeOf(delivery) };
        signs.set(webhookName(delivery), ok === undefined ? seen : [...seen, sign]);
        settled.add(delivery);
      } catch (error) {
        log.failure('webhook attempt', error, { ...named, verdict: 'unsettled' });
      }
    }),
  );
  if (failures > 0) count('FailedWebhookCalls', failures);
  await Promise.all([...signs].map(([name, seen]) => noteSigns(webhooks.get(name), seen, deps.now())));
  return settled;
}

/** The webhooks of deliveries; to the catch-ups of those that have told nothing yet, what is on its way is left too. */
async function withNearLeft(
  webhooks: Map<string, Webhook | undefined>,
  deliveries: Delivery[],
): Promise<Map<string, Webhook | undefined>> {
  const entries = [...webhooks].map(async ([name, webhook]) => {
    if (!webhook?.behind) return [name, webhook] as const;
    const own = deliveries.filter((delivery) => webhookName(delivery) === name && !delivery.from_catch_up);
    const times = own.flatMap((delivery) => recordTimeOf(delivery) ?? []);
    return [name, await leaveNear(webhook, times)] as const;
  });
  return new Map(await Promise.all(entries));
}

/** As `noteHealth`, but never throws: what was attempted is settled, and a later attempt notes what this could not. */
export async function noteSigns(webhook: Webhook | undefined, signs: Sign[], now: number): Promise<void> {
  if (!webhook) return;
  const { organization_id, webhook_id } = webhook;
  await noteHealth(webhook, signs, now).catch((error: unknown) =>
    log.failure('noting how a receiver is', error, { organization_id, webhook_id }),
  );
}

/** Whether a delivery of a limited webhook has no time reserved yet. */
const awaitsPace = ({ paced, not_before }: Delivery) => !paced && not_before === undefined;
const atTime = (delivery: Delivery, at: number): Delivery => ({ ...delivery, not_before: at, paced: true });

/** The times of those deliveries whose webhooks are limited, of each webhook in the order in which they are made. */
function reservationsFor(
  deliveries: Delivery[],
  webhooks: Map<string, Webhook | undefined>,
  now: number,
): Map<string, Promise<number[]>> {
  const waiting = deliveries.filter(awaitsPace);
  const reservations = new Map<string, Promise<number[]>>();
  for (const [name, webhook] of webhooks) {
    const count = waiting.filter((delivery) => webhookName(delivery) === name).length;
    if (webhook?.per_second === undefined || webhook.disabled_at !== undefined || count === 0) continue;
    reservations.set(name, reserve(webhook, webhook.per_second, count, now));
  }
  return reservations;
}

const webhookName = ({ organization_id, webhook_id }: Delivery) => `${organization_id} ${webhook_id}`;

/** The webhooks of deliveries as they are now, in one request. */
async function currentWebhooks(deliveries: Delivery[]): Promise<Map<string, Webhook | undefined>> {
  const distinct = new Map(deliveries.map((delivery) => [webhookName(delivery), delivery]));
  const keys = [...distinct.values()].map(({ organization_id, webhook_id }) =>
    webhookKey(organization_id, webhook_id),
  );
  const found = (await getAll(keys)) as (Webhook | undefined)[];
  return new Map([...distinct.keys()].map((name, index) => [name, found[index]]));
}

/**
 * Makes one attempt. The call is recorded before the next attempt is queued, and only then may the message be taken
 * off the queue: a crash on the way repeats the attempt, and loses nothing. Throws if it could not be recorded or
 * queued.
 */
export async function deliver(
  delivery: Delivery,
  webhook: Webhook | undefined,
  deps: DeliveryDeps,
): Promise<DeliveryVerdict> {
  if (!webhook) return 'dropped';
  const recordTime = recordTimeOf(delivery);
  if (recordTime !== undefined && !delivery.from_catch_up && isLeftToCatchUp(webhook, recordTime)) {
    return 'behind';
  }
  const { not_before = 0, paced, ...due } = delivery;
  const early = not_before - deps.now();
  if (early > 1000) {
    await (paced ? hold(delivery, not_before, deps.now()) : enqueueLater(due, early / 1000, deps.now()));
    return 'early';
  }
  // An invocation is sent all the same: so a host can try its receiver before it is switched on.
  if (webhook.disabled_at !== undefined && delivery.event_type !== 'invoke') {
    await deps.record(callOf(delivery, webhook, deps.now(), { error: 'the webhook is switched off' }));
    return 'off';
  }
  const answer = await attempt(delivery, webhook, deps);
  return endOf(answer) ?? tryLater(due, answer, deps);
}

/** How a delivery has ended with an answer; undefined if it failed, and is to be tried again. */
export function endOf(answer: CallResponse): 'delivered' | 'gone' | undefined {
  if ('status' in answer && answer.status >= 200 && answer.status < 300) return 'delivered';
  return 'status' in answer && answer.status === 410 ? 'gone' : undefined;
}

/** The seconds that a receiver asks to wait. */
export function secondsAsked(answer: CallResponse, now: number): number {
  const header = 'status' in answer ? answer.retryAfter : undefined;
  return retryAfterSeconds(header, now) ?? 0;
}

/** Queues the next attempt after one that failed, or parks the delivery after the last. Throws if it could not. */
export async function tryLater(
  due: Delivery,
  answer: CallResponse,
  deps: DeliveryDeps,
): Promise<'retried' | 'parked'> {
  const retryAfter = secondsAsked(answer, deps.now());
  const seconds = delayAfter(due.attempt, { delays: deps.delays, retryAfter, random: deps.random() });
  if (seconds === undefined) {
    await park(due);
    return 'parked';
  }
  await enqueueLater({ ...due, attempt: due.attempt + 1 }, seconds, deps.now());
  return 'retried';
}

/** Calls a webhook with a delivery, and records the call. Throws if it could not be recorded. */
export async function attempt(
  delivery: Delivery,
  webhook: Webhook,
  { post, record, now }: DeliveryDeps,
): Promise<CallResponse> {
  const at = now();
  const { event_id: id, body } = delivery;
  const headers = signedHeaders({ id, atSeconds: Math.floor(at / 1000), body }, await secretsOf(webhook, at));
  const started = performance.now();
  const answer = await post(webhook.callback_url, headers, body);
  const duration_ms = Math.round(performance.now() - started);
  await record(
    callOf(delivery, webhook, at, {
      duration_ms,
      ...('status' in answer ? { response_status: answer.status } : { error: answer.error }),
    }),
  );
  return answer;
}

/** The record of a call, or of one that was not made. */
const callOf = (delivery: Delivery, webhook: Webhook, at: number, came: Partial<Call>): Call => ({
  organization_id: delivery.organization_id,
  webhook_id: delivery.webhook_id,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  timestamp: isoOf(at),
  url: webhook.callback_url,
  payload: delivery.body,
  attempt: delivery.attempt,
  shard: delivery.shard,
  duration_ms: 0,
  ...came,
});

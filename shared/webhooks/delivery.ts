/** Deliveries from the queue: one attempt for each, and what follows from it. */
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { getAll } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import { attempt, callOf, type DeliveryDeps, endOf, tryLater } from './attempt.ts';
import { type Delivery, enqueueLater, hold, recordTimeOf, sendLater } from './delivery-queue.ts';
import { type AttemptResult, noteAttempts } from './note-attempts.ts';
import { reserve } from './pace.ts';
import { heldUntil, isDeliveredByBacklog, isLeftToBacklog, isOff } from './receiver.ts';
import type { Webhook } from './webhooks.ts';

/**
 * Result of taking a delivery off the queue. A delivery ends with a 2xx (`delivered`), a 410 (`gone`), its last attempt
 * (`parked`), a deleted webhook (`dropped`), one that is switched off (`off`), or a backlog that delivers the event
 * (`behind`). Otherwise it is on the queue again: `retried` after a failure, `early` before its time.
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

/** What a verdict shows of the receiver: whether it is well, or nothing. */
const isWell: { [verdict in DeliveryVerdict]?: boolean } = {
  delivered: true,
  retried: false,
  parked: false,
  gone: false,
};

/**
 * Makes one attempt for each delivery, all at a time, and logs each with its verdict. Returns the deliveries that are
 * settled; the others' outcomes are unknown, and they have to be attempted again.
 */
export async function deliverAll(deliveries: Delivery[], deps: DeliveryDeps): Promise<Set<Delivery>> {
  const webhooks = await currentWebhooks(deliveries);
  const reserved = reservationsFor(deliveries, webhooks, deps.now());
  const settled = new Set<Delivery>();
  const results = new Map<string, AttemptResult[]>();
  let failures = 0;
  await Promise.all(
    deliveries.map(async (delivery) => {
      const { event_id, webhook_id, attempt: number, organization_id } = delivery;
      const named = { event_id, webhook_id, attempt: number, organization_id };
      const name = webhookName(delivery);
      try {
        const times = reserved.get(name);
        const timed = times && awaitsPace(delivery) ? atTime(delivery, (await times).shift()!) : delivery;
        const verdict = await deliver(timed, webhooks.get(name), deps);
        log.info('webhook attempt', { ...named, verdict });
        if (verdict === 'retried' || verdict === 'parked') failures++;
        const ok = isWell[verdict];
        // An event that a backlog could not deliver is refused itself, and shows nothing of its receiver's health.
        const recordTime = delivery.from_backlog ? undefined : recordTimeOf(delivery);
        const before = results.get(name) ?? [];
        results.set(name, ok === undefined ? before : [...before, { ok, attempt: number, recordTime }]);
        settled.add(delivery);
      } catch (error) {
        log.failure('webhook attempt', error, { ...named, verdict: 'unsettled' });
      }
    }),
  );
  if (failures > 0) count('FailedWebhookCalls', failures);
  await Promise.all([...results].map(([name, some]) => noteAttempts(webhooks.get(name), some, deps.now())));
  return settled;
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
    if (webhook?.per_second === undefined || isOff(webhook) || count === 0) continue;
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
 * Makes one attempt. The call is recorded before the next attempt is queued, and only then may the message be taken off
 * the queue: a crash in between repeats the attempt, and loses nothing. Throws if it could not be recorded or queued.
 */
export async function deliver(
  delivery: Delivery,
  webhook: Webhook | undefined,
  deps: DeliveryDeps,
): Promise<DeliveryVerdict> {
  if (!webhook) return 'dropped';
  const recordTime = delivery.from_backlog ? undefined : recordTimeOf(delivery);
  if (recordTime !== undefined) {
    if (isLeftToBacklog(webhook, recordTime)) return 'behind';
    if (delivery.attempt > 1 && isDeliveredByBacklog(webhook, recordTime)) return 'behind';
    const heldMs = (heldUntil(webhook, recordTime) ?? 0) - deps.now();
    if (heldMs > 0) {
      await sendLater(delivery, heldMs / 1000);
      return 'early';
    }
  }
  const { not_before = 0, paced, ...due } = delivery;
  const early = not_before - deps.now();
  if (early > 1000) {
    await (paced ? hold(delivery, not_before, deps.now()) : enqueueLater(due, early / 1000, deps.now()));
    return 'early';
  }
  // An invocation is sent all the same: so a host can try its receiver before it is switched on.
  if (isOff(webhook) && delivery.event_type !== 'invoke') {
    await deps.record(callOf(delivery, webhook, deps.now(), { error: 'the webhook is switched off' }));
    return 'off';
  }
  const answer = await attempt(delivery, webhook, deps);
  return endOf(answer) ?? tryLater(due, answer, deps);
}

/** Deliveries from the queue: one attempt for each, and what follows from it. */
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { getAll, put } from '../table/client.ts';
import { ttlAt } from '../table/keys.ts';
import { followerKey, webhookKey } from '../table/webhook-keys.ts';
import { attempt, callOf, type DeliveryDeps, endOf, tryLater } from './attempt.ts';
import { type Delivery, hold, recordTimeOf, type Taken } from './delivery-queue.ts';
import { type AttemptResult, noteAttempts } from './note-attempts.ts';
import { reserve } from './pace.ts';
import { heldUntil, isDeliveredByBacklog, isLeftToBacklog, isOff } from './receiver.ts';
import type { Webhook } from './webhooks.ts';

/**
 * Result of taking a delivery off the queue. A delivery ends with a 2xx (`delivered`), a 410 (`gone`), its last attempt
 * (`parked`), a deleted webhook (`dropped`), one that is switched off (`off`), or a backlog that delivers the event
 * (`behind`). A message that is there twice ends once (`repeated`). Otherwise the delivery is on the queue again:
 * `retried` after a failure, `early` before its time.
 */
export type DeliveryVerdict =
  | 'delivered'
  | 'retried'
  | 'parked'
  | 'gone'
  | 'dropped'
  | 'off'
  | 'behind'
  | 'repeated'
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
export async function deliverAll(
  deliveries: Taken<Delivery>[],
  deps: DeliveryDeps,
): Promise<Set<Taken<Delivery>>> {
  const webhooks = await currentWebhooks(deliveries);
  const now = deps.now();
  const reserved = reservationsFor(deliveries, webhooks, now);
  const settled = new Set<Taken<Delivery>>();
  const results = new Map<string, AttemptResult[]>();
  let failures = 0;
  await Promise.all(
    deliveries.map(async (delivery) => {
      const { event_id, webhook_id, attempt: number, organization_id } = delivery;
      const named = { event_id, webhook_id, attempt: number, organization_id };
      const name = webhookName(delivery);
      try {
        const times = reserved.get(name);
        const timed =
          times && awaitsPace(delivery, now) ? atTime(delivery, (await times).shift()!) : delivery;
        const verdict = await deliver(timed, webhooks.get(name), deps);
        // One that waits for hours comes every quarter of an hour.
        if (verdict !== 'early') log.info('webhook attempt', { ...named, verdict });
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

/** A delivery may come so many milliseconds early, since a queue counts whole seconds. */
const earlyMs = 1000;
/** Whether a delivery to a limited webhook is due and has no time reserved yet. */
const awaitsPace = ({ paced, not_before = 0 }: Delivery, now: number) =>
  !paced && not_before <= now + earlyMs;
const atTime = (delivery: Taken<Delivery>, at: number) => ({ ...delivery, not_before: at, paced: true });

/** The times of those deliveries whose webhooks are limited, of each webhook in the order in which they are made. */
function reservationsFor(
  deliveries: Delivery[],
  webhooks: Map<string, Webhook | undefined>,
  now: number,
): Map<string, Promise<number[]>> {
  const waiting = deliveries.filter((delivery) => awaitsPace(delivery, now));
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
  delivery: Taken<Delivery>,
  webhook: Webhook | undefined,
  deps: DeliveryDeps,
): Promise<DeliveryVerdict> {
  if (!webhook) return 'dropped';
  const recordTime = delivery.from_backlog ? undefined : recordTimeOf(delivery);
  if (recordTime !== undefined) {
    if (isLeftToBacklog(webhook, recordTime)) return 'behind';
    if (delivery.attempt > 1 && isDeliveredByBacklog(webhook, recordTime)) return 'behind';
  }
  const now = deps.now();
  if (!(await isFirstToFollow(delivery, now))) return 'repeated';
  const { not_before = 0 } = delivery;
  const held = recordTime === undefined ? 0 : (heldUntil(webhook, recordTime) ?? 0);
  if (held > now || not_before > now + earlyMs) {
    await hold(delivery, Math.max(held, not_before), now);
    return 'early';
  }
  // An invocation is sent all the same: so a host can try its receiver before it is switched on.
  if (isOff(webhook) && delivery.event_type !== 'invoke') {
    await deps.record(callOf(delivery, webhook, now, { error: 'the webhook is switched off' }));
    return 'off';
  }
  const answer = await attempt(delivery, webhook, deps);
  return endOf(answer) ?? tryLater(delivery, answer, deps);
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Whether a message is the first to come of those that follow the same one, or that one again. Several follow
 * it if it was handled twice, or if a request to the queue was repeated. The others end, so that they do not
 * multiply with each wait.
 */
async function isFirstToFollow(delivery: Taken<Delivery>, now: number): Promise<boolean> {
  const { organization_id, webhook_id, event_id, follows, message_id } = delivery;
  if (follows === undefined) return true;
  const key = followerKey(organization_id, webhook_id, event_id, follows);
  return put(
    { ...key, message_id, ...ttlAt(now + dayMs) },
    {
      ConditionExpression: 'attribute_not_exists(pk) OR message_id = :me',
      ExpressionAttributeValues: { ':me': message_id },
    },
  );
}

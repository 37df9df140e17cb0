/** Handles deliveries from the queue: attempts each delivery now, queues it for later or ends it. */
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { getAll, putUnless } from '../table/client.ts';
import { ttlAt } from '../table/keys.ts';
import { followerKey, webhookKey } from '../table/webhook-keys.ts';
import { attempt, callOf, type DeliveryDeps, finalVerdict, retryOrPark } from './attempt.ts';
import { type Delivery, delayUntil, type Received, recordTimeOf } from './delivery-queue.ts';
import { reserveTimes } from './pace.ts';
import { readPayload } from './payloads.ts';
import { delayedUntil, isDeliveredByBacklog, isLeftToBacklog, isOff } from './receiver.ts';
import { type AttemptResult, updateReceiver } from './update-receiver.ts';
import type { Webhook } from './webhooks.ts';

/**
 * `gone`: the receiver answered 410. `dropped`: no webhook or payload is stored. `off`: the webhook is off. `behind`: a
 * backlog delivers the event. `repeated`: duplicate message. `early`: not due yet.
 */
type DeliveryVerdict =
  | 'delivered'
  | 'retried'
  | 'parked'
  | 'gone'
  | 'dropped'
  | 'off'
  | 'behind'
  | 'repeated'
  | 'early';

/** Whether a verdict shows that the receiver is healthy (`true`) or failing (`false`). Other verdicts show neither. */
const isHealthy: { [verdict in DeliveryVerdict]?: boolean } = {
  delivered: true,
  retried: false,
  parked: false,
  gone: false,
};

/** Handles deliveries in parallel. Returns the deliveries handled without an error; SQS must redeliver the others. */
export async function deliverAll(
  deliveries: Received<Delivery>[],
  deps: DeliveryDeps,
): Promise<Set<Received<Delivery>>> {
  const webhooks = await currentWebhooks(deliveries);
  const now = deps.now();
  const reserved = reservationsFor(deliveries, webhooks, now);
  const settled = new Set<Received<Delivery>>();
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
          times && awaitsPace(delivery, now) ? reservedFor(delivery, (await times).shift()!) : delivery;
        const verdict = await deliver(timed, webhooks.get(name), deps);
        // Does not log `early`, because a delivery that waits for hours is received every 15 minutes.
        if (verdict !== 'early') log.info('webhook attempt', { ...named, verdict });
        if (verdict === 'retried' || verdict === 'parked') failures++;
        const ok = isHealthy[verdict];
        // A delivery that a backlog step or check queued gets no record time, so its failure starts no new backlog.
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
  await Promise.all([...results].map(([name, some]) => updateReceiver(webhooks.get(name), some, deps.now())));
  return settled;
}

/**
 * Maximum milliseconds by which a delivery may be early, because SQS delays by whole seconds. So a webhook may get
 * twice its limit in one second.
 */
const earlyMs = 1000;
/**
 * Returns whether a delivery is due but has no reserved time. A webhook with a limit per second needs reserved times.
 */
const awaitsPace = ({ paced, not_before = 0 }: Delivery, now: number) =>
  !paced && not_before <= now + earlyMs;
const reservedFor = (delivery: Received<Delivery>, at: number) => ({
  ...delivery,
  not_before: at,
  paced: true,
});

/** Reserves one time per due delivery, in order, for each webhook with a limit per second. */
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
    reservations.set(name, reserveTimes(webhook, webhook.per_second, count, now));
  }
  return reservations;
}

const webhookName = ({ organization_id, webhook_id }: Delivery) => `${organization_id} ${webhook_id}`;

async function currentWebhooks(deliveries: Delivery[]): Promise<Map<string, Webhook | undefined>> {
  const distinct = new Map(deliveries.map((delivery) => [webhookName(delivery), delivery]));
  const keys = [...distinct.values()].map(({ organization_id, webhook_id }) =>
    webhookKey(organization_id, webhook_id),
  );
  const found = (await getAll(keys)) as (Webhook | undefined)[];
  return new Map([...distinct.keys()].map((name, index) => [name, found[index]]));
}

/**
 * Handles one delivery. A crash can repeat an attempt but not lose the delivery. Throws if recording or
 * queueing failed.
 */
export async function deliver(
  delivery: Received<Delivery>,
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
  if (!(await isFirstSuccessor(delivery, now))) return 'repeated';
  const { not_before = 0 } = delivery;
  const delayedTo = recordTime === undefined ? 0 : (delayedUntil(webhook, recordTime) ?? 0);
  if (delayedTo > now || not_before > now + earlyMs) {
    await delayUntil(delivery, Math.max(delayedTo, not_before), now);
    return 'early';
  }
  const payload = await readPayload(delivery);
  if (payload === undefined) return 'dropped';
  // Sends invocations even to a webhook that is switched off, so that a host can test its receiver.
  if (isOff(webhook) && delivery.event_type !== 'invoke') {
    await deps.record(callOf(delivery, payload, webhook, now, { error: 'the webhook is switched off' }));
    return 'off';
  }
  const answer = await attempt(delivery, payload, webhook, deps);
  return finalVerdict(answer) ?? retryOrPark(delivery, answer, deps);
}

const dayMs = 24 * 60 * 60 * 1000;

/** A message that is handled twice queues two successors. Returns true only for the successor that is handled first. */
async function isFirstSuccessor(delivery: Received<Delivery>, now: number): Promise<boolean> {
  const { organization_id, webhook_id, event_id, follows, message_id } = delivery;
  if (follows === undefined) return true;
  const key = followerKey(organization_id, webhook_id, event_id, follows);
  const other = await putUnless(
    { ...key, message_id, ...ttlAt(now + dayMs) },
    {
      ConditionExpression: 'attribute_not_exists(pk) OR message_id = :me',
      ExpressionAttributeValues: { ':me': message_id },
    },
  );
  return other === undefined;
}

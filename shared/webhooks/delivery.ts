/** Handles deliveries from the queue: attempts each delivery now, queues it for later or ends it. */
import { log } from '../log.ts';
import { getItems } from '../table/client.ts';
import { webhookKey } from '../table/webhook-keys.ts';
import {
  attemptDelivery,
  type DeliveryDeps,
  finalVerdict,
  requestedWaitSeconds,
  retryOrPark,
} from './attempt.ts';
import { type Delivery, enqueueForLater, parkDelivery, recordTimeOf } from './delivery-queue.ts';
import { readPayload } from './payloads.ts';
import {
  afterFailure,
  afterSuccess,
  isEventMissed,
  isPaused,
  isSwitchedOff,
  type MissedEvent,
  tellingAttempt,
} from './receiver.ts';
import { replayMissed } from './replay.ts';
import { changeReceiver, type Webhook, webhookCreatedAt } from './webhooks.ts';

/**
 * `gone`: the receiver answered 410. `failed`: a probe failed, which is not retried. `dropped`: no webhook or payload
 * is stored. `missed`: a replay sends the event later. `early`: not due yet.
 */
type DeliveryVerdict =
  | 'delivered'
  | 'retried'
  | 'parked'
  | 'failed'
  | 'gone'
  | 'dropped'
  | 'missed'
  | 'early';

/** Returns the deliveries handled without an error; SQS must redeliver the others. */
export async function deliverAll(deliveries: Delivery[], deps: DeliveryDeps): Promise<Set<Delivery>> {
  const webhooks = await currentWebhooks(deliveries);
  const settled = new Set<Delivery>();
  const results = new Map<string, Result[]>();
  await Promise.all(
    deliveries.map(async (delivery) => {
      const { event_id, webhook_id, attempt: number, organization_id } = delivery;
      const named = { event_id, webhook_id, attempt: number, organization_id };
      const name = webhookName(delivery);
      try {
        const { verdict, waitSeconds } = await deliver(delivery, webhooks.get(name), deps);
        // Does not log `early`, because a delivery that waits for hours is received every 15 minutes.
        if (verdict !== 'early') log.info('webhook attempt', { ...named, verdict });
        results.set(name, [...(results.get(name) ?? []), { delivery, verdict, waitSeconds }]);
        settled.add(delivery);
      } catch (error) {
        log.failure('webhook attempt', error, { ...named, verdict: 'unsettled' });
      }
    }),
  );
  await Promise.all([...results].map(([name, some]) => updateReceiver(webhooks.get(name), some, deps.now)));
  return settled;
}

/** `waitSeconds`: present after a failed attempt, with the wait that the receiver asked for, or 0. */
type Outcome = { verdict: DeliveryVerdict; waitSeconds?: number | undefined };
type Result = Outcome & { delivery: Delivery };

/** Milliseconds for which the delivery that resumes a receiver also replays missed events. */
const replayForMs = 5_000;

/** Updates a receiver's health. Only logs errors, because a later attempt or the sweep updates it. */
async function updateReceiver(
  webhook: Webhook | undefined,
  results: Result[],
  now: () => number,
): Promise<void> {
  if (!webhook) return;
  try {
    if (results.some(({ verdict }) => verdict === 'delivered')) {
      const moved = await changeReceiver(webhook, (receiver) => afterSuccess(receiver, now()));
      const until = now() + replayForMs;
      if (isPaused(webhook) && moved) await replayMissed(moved, now, () => now() > until);
      return;
    }
    const event = results.flatMap(failedEvent)[0];
    if (!event) return;
    const waitSeconds = Math.max(...results.map((result) => result.waitSeconds ?? 0));
    const failure = { event, waitSeconds, created: webhookCreatedAt(webhook) };
    await changeReceiver(webhook, (receiver) => afterFailure(receiver, failure, now()));
  } catch (error) {
    const { organization_id, webhook_id } = webhook;
    log.failure("storing a receiver's health", error, { organization_id, webhook_id });
  }
}

function failedEvent({ delivery, waitSeconds }: Result): MissedEvent[] {
  const { event_id, event_type, record, probe, attempt: number } = delivery;
  const tells = waitSeconds !== undefined && (probe || number === tellingAttempt);
  return tells && record ? [{ event_id, event_type, record }] : [];
}

const webhookName = ({ organization_id, webhook_id }: Delivery) => `${organization_id} ${webhook_id}`;

async function currentWebhooks(deliveries: Delivery[]): Promise<Map<string, Webhook | undefined>> {
  const distinct = new Map(deliveries.map((delivery) => [webhookName(delivery), delivery]));
  const keys = [...distinct.values()].map(({ organization_id, webhook_id }) =>
    webhookKey(organization_id, webhook_id),
  );
  const found = (await getItems(keys)) as (Webhook | undefined)[];
  return new Map([...distinct.keys()].map((name, index) => [name, found[index]]));
}

/** Maximum milliseconds by which an attempt may be early, because SQS delays by whole seconds. */
const earlyMs = 1000;

/** A crash can repeat an attempt but not lose the delivery. Throws if recording or queueing failed. */
export async function deliver(
  delivery: Delivery,
  webhook: Webhook | undefined,
  deps: DeliveryDeps,
): Promise<Outcome> {
  if (!webhook) return { verdict: 'dropped' };
  if (await isLeftToReplay(delivery, webhook)) return { verdict: 'missed' };
  if (isSwitchedOff(webhook) && delivery.record) {
    await parkDelivery(delivery);
    return { verdict: 'parked' };
  }
  const now = deps.now();
  const { not_before = 0 } = delivery;
  if (not_before > now + earlyMs) {
    await enqueueForLater(delivery, not_before, now);
    return { verdict: 'early' };
  }
  const payload = await readPayload(delivery);
  if (payload === undefined) return { verdict: 'dropped' };
  const answer = await attemptDelivery(delivery, payload, webhook, deps);
  const final = finalVerdict(answer);
  if (final === 'delivered') return { verdict: final };
  const waitSeconds = requestedWaitSeconds(answer, deps.now());
  if (final) return { verdict: final, waitSeconds };
  return { verdict: delivery.probe ? 'failed' : await retryOrPark(delivery, answer, deps), waitSeconds };
}

/**
 * Returns whether a replay sends the event later. An unattempted event before the cursor moves the cursor back: an
 * earlier replay queued it.
 */
async function isLeftToReplay(delivery: Delivery, webhook: Webhook): Promise<boolean> {
  const recordTime = recordTimeOf(delivery);
  if (recordTime === undefined || !isPaused(webhook)) return false;
  if (delivery.probe) return isSwitchedOff(webhook);
  if (isEventMissed(webhook, recordTime)) return true;
  if (delivery.attempt > 1) return false;
  const moved = await changeReceiver(webhook, (receiver) =>
    isPaused({ receiver }) && recordTime < receiver!.missed_from
      ? { ...receiver!, missed_from: recordTime }
      : receiver,
  );
  return moved !== undefined && isEventMissed(moved, recordTime);
}

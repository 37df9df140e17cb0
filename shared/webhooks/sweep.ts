/** Visits all webhooks whose receivers are not well, each minute: pauses, probes, replays, switches off. */
import { log } from '../log.ts';
import { countMetric } from '../metrics.ts';
import { concurrently } from '../promises.ts';
import { shuffled } from '../shuffled.ts';
import { getItem } from '../table/client.ts';
import { readRange } from '../table/ranges.ts';
import { unwellWebhooks } from '../table/webhook-keys.ts';
import { enqueueDeliveries } from './delivery-queue.ts';
import { pausedIfDue, type Receiver } from './receiver.ts';
import { findMissed, replayMissed } from './replay.ts';
import { changeReceiver, type Webhook } from './webhooks.ts';

const atOnce = 16;
/** Time slice in milliseconds, so that a long replay does not keep other receivers waiting. */
const replayForMs = 10_000;

/** An error at one webhook does not stop the others. */
export async function sweepReceivers(now: () => number, timeIsUp: () => boolean): Promise<void> {
  const listed = (await readRange(unwellWebhooks())) as Webhook[];
  const isResumed = ({ receiver }: Webhook) => Number(receiver?.state === 'resumed');
  // Visits resumed receivers last, because a replay takes longer than a probe.
  const ordered = shuffled(listed).sort((a, b) => isResumed(a) - isResumed(b));
  await concurrently(atOnce, ordered, async ({ pk, sk, organization_id, webhook_id }) => {
    try {
      // Reads the webhook again, because the index may be late.
      const webhook = timeIsUp() ? undefined : await getItem<Webhook>({ pk, sk });
      if (webhook) await visit(webhook, now, timeIsUp);
    } catch (error) {
      log.failure('sweeping a receiver', error, { organization_id, webhook_id });
    }
  });
}

async function visit(webhook: Webhook, now: () => number, timeIsUp: () => boolean): Promise<void> {
  const moved = await changeReceiver(webhook, (receiver) => {
    const swept = receiver && pausedIfDue(receiver, now());
    if (swept?.state === 'off' && swept !== receiver) tellSwitchOff(webhook, swept);
    return swept;
  });
  if (moved?.receiver?.state === 'paused') return probe(moved, now());
  const until = now() + replayForMs;
  if (moved?.receiver?.state === 'resumed')
    return replayMissed(moved, now, () => timeIsUp() || now() > until);
}

/** Called before the webhook is switched off, because the write's response may be lost. */
function tellSwitchOff({ organization_id, webhook_id }: Webhook, receiver: Receiver): void {
  const { failing_since, disabled_at, disabled_reason } = receiver;
  log.warn('webhook disabled', { organization_id, webhook_id, failing_since, disabled_at, disabled_reason });
  countMetric('WebhooksSwitchedOff', 1);
}

/** Sends the next missed event, each time another, so that no event can keep the receiver paused. */
async function probe(webhook: Webhook, now: number): Promise<void> {
  const { organization_id, webhook_id, receiver } = webhook;
  const { probe: last, probed_until, quiet_until = 0 } = receiver!;
  if (quiet_until > now) return;
  const { event = last, position } = await findMissed(webhook, probed_until, now);
  if (!event) return;
  const { failed } = await enqueueDeliveries([
    { organization_id, webhook_id, ...event, attempt: 1, probe: true },
  ]);
  if (failed.length > 0) throw new Error('a probe could not be queued');
  await changeReceiver(webhook, (stored) =>
    stored?.state === 'paused' ? { ...stored, probe: event, probed_until: position } : stored,
  );
}

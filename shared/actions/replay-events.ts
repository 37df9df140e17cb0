import { isoOf } from '../time.ts';
import { replacedFrom } from '../webhooks/audience.ts';
import { eventsOf } from '../webhooks/events.ts';
import { type ReplayWindow, requeueEvents } from '../webhooks/replay.ts';
import type { Webhook } from '../webhooks/webhooks.ts';
import type { ActionContext } from './action-records.ts';
import { recordAction } from './record-action.ts';

/** Publishes a window's events again. Records the action first: a transaction cannot include SQS. */
export async function replayEvents(
  window: ReplayWindow,
  webhook: Webhook | undefined,
  context: ActionContext,
): Promise<number> {
  const about = {
    window: { from: isoOf(window.from), to: isoOf(window.to) },
    ...(webhook && { webhook_id: webhook.webhook_id }),
  };
  const action = { action: 'events_replayed', about, before: {}, after: {} } as const;
  const record = () => recordAction(window.organizationId, () => action, context);
  const recipient = webhook && { webhook, replaced: replacedFrom(webhook, [webhook]) };
  let count = 0;
  // Most actions have no event.
  for await (const records of requeueEvents(window, recipient, record))
    count += records.filter((one) => eventsOf(one).length > 0).length;
  return count;
}

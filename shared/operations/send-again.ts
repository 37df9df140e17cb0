/**
 * How an operator has webhooks told again: with a record in each organization concerned. Messages on a queue are in no
 * transaction, so the record is written before the first of them is sent.
 */
import { isoOf } from '../time.ts';
import type { Message } from '../webhooks/delivery-queue.ts';
import { redrive } from '../webhooks/parked.ts';
import { replay, type Window } from '../webhooks/replay.ts';
import type { About, By } from './operation-records.ts';
import { type Deed, operate } from './record-action.ts';

/** Publishes the records of a window again. Returns how many there were; nothing is recorded if there were none. */
export function replayEvents(window: Window, by: By): Promise<number> {
  const { organizationId, from, to, webhookId } = window;
  const about = {
    window: { from: isoOf(from), to: isoOf(to) },
    ...(webhookId === undefined ? {} : { webhook_id: webhookId }),
  };
  return replay(window, () => record(organizationId, 'events_replayed', about, by));
}

/**
 * Sends all parked messages again. Returns how many. Throws if some could not be recorded or queued; these
 * stay parked.
 */
export function redriveDeliveries(by: By): Promise<number> {
  return redrive(async (messages) => {
    for (const [organizationId, own] of Map.groupBy(messages, ({ organization_id }) => organization_id))
      await record(organizationId, 'deliveries_redriven', { parked: countsOf(own) }, by);
  });
}

/** How many messages there are for each webhook. */
const countsOf = (messages: Message[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(messages, ({ webhook_id }) => webhook_id)].map(([id, { length }]) => [id, length]),
  );

const record = (organizationId: string, action: Deed['action'], about: About, by: By): Promise<void> =>
  operate(organizationId, () => ({ action, about, before: {}, after: {} }), by);

/**
 * Sends webhook events again as an operator's action, with a record in each organization concerned. SQS takes
 * no part in transactions, so the record is written before the first message is sent.
 */
import { isoOf } from '../time.ts';
import type { Message } from '../webhooks/delivery-queue.ts';
import { redrive } from '../webhooks/parked.ts';
import { replay, type Window } from '../webhooks/replay.ts';
import type { About, By } from './operation-records.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/**
 * Publishes the records of a time window again. Returns their number. Records no action if there are none.
 */
export function replayEvents(window: Window, by: By): Promise<number> {
  const { organizationId, from, to, webhookId } = window;
  const about = {
    window: { from: isoOf(from), to: isoOf(to) },
    ...(webhookId === undefined ? {} : { webhook_id: webhookId }),
  };
  return replay(window, () => record(organizationId, 'events_replayed', about, by));
}

/**
 * Sends all parked messages again. Returns their number. Throws if some could not be recorded or queued;
 * these stay parked.
 */
export function redriveDeliveries(by: By): Promise<number> {
  return redrive(async (messages) => {
    for (const [organizationId, own] of Map.groupBy(messages, ({ organization_id }) => organization_id))
      await record(organizationId, 'deliveries_redriven', { parked: countsOf(own) }, by);
  });
}

/** Returns the number of messages by webhook. */
const countsOf = (messages: Message[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(messages, ({ webhook_id }) => webhook_id)].map(([id, { length }]) => [id, length]),
  );

const record = (
  organizationId: string,
  action: OperatorAction['action'],
  about: About,
  by: By,
): Promise<void> => recordAction(organizationId, () => ({ action, about, before: {}, after: {} }), by);

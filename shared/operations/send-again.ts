/**
 * Operator actions: send webhook events again. Records the action first, because a DynamoDB transaction
 * cannot include SQS.
 */
import { isoOf } from '../time.ts';
import type { Message } from '../webhooks/delivery-queue.ts';
import { redrive } from '../webhooks/parked.ts';
import { replay, type Window } from '../webhooks/replay.ts';
import type { About, ActionContext } from './operation-records.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/**
 * Publishes the events of all records in a time window again, for one webhook or for all. Returns the number of
 * records.
 */
export function replayEvents(window: Window, context: ActionContext): Promise<number> {
  const { organizationId, from, to, webhookId } = window;
  const about = {
    window: { from: isoOf(from), to: isoOf(to) },
    ...(webhookId === undefined ? {} : { webhook_id: webhookId }),
  };
  return replay(window, () => record(organizationId, 'events_replayed', about, context));
}

/** Sends all parked webhook messages again and returns their number. Throws if some messages stay parked. */
export function redriveDeliveries(context: ActionContext): Promise<number> {
  return redrive(async (messages) => {
    for (const [organizationId, own] of Map.groupBy(messages, ({ organization_id }) => organization_id))
      await record(organizationId, 'deliveries_redriven', { parked: countsOf(own) }, context);
  });
}

/** Returns the number of messages by webhook id. */
const countsOf = (messages: Message[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(messages, ({ webhook_id }) => webhook_id)].map(([id, { length }]) => [id, length]),
  );

const record = (
  organizationId: string,
  action: OperatorAction['action'],
  about: About,
  context: ActionContext,
): Promise<void> => recordAction(organizationId, () => ({ action, about, before: {}, after: {} }), context);

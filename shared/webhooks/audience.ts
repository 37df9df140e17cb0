/** Decides which of an organization's webhooks receive an event. */
import { type EventType, eventTypes } from '../vocabulary.ts';
import { isOff } from './receiver.ts';
import { createdAt, type Webhook } from './webhooks.ts';

/**
 * Returns the webhooks that receive events of a type. `at` is the commit time of the event's record, in epoch
 * milliseconds.
 */
export type Audience = (type: EventType, at: number) => Webhook[];

/**
 * Returns a function that selects the webhooks for an event. Of several webhooks with the same callback URL,
 * only the newest when the record was written counts, even if it is off.
 */
export function audienceOf(webhooks: Webhook[]): Audience {
  const byNewest = new Map<Webhook | undefined, Record<EventType, Webhook[]>>();
  return (type, at) => {
    const newest = webhooks.findLast((webhook) => createdAt(webhook) <= at);
    const known = byNewest.get(newest) ?? audienceByType(webhooks.slice(0, webhooks.indexOf(newest!) + 1));
    byNewest.set(newest, known);
    return known[type];
  };
}

const audienceByType = (webhooks: Webhook[]): Record<EventType, Webhook[]> => {
  const wanting = (type: EventType) => webhooks.filter((webhook) => wants(webhook, type));
  const byType = eventTypes.map((type) => [type, newestOfEach(wanting(type)).filter(isOn)]);
  return Object.fromEntries(byType) as Record<EventType, Webhook[]>;
};

/**
 * Returns the other webhooks to notify that `webhook` was switched off: only those that are on, one per
 * callback URL.
 */
export const webhooksToNotify = (webhook: Webhook, webhooks: Webhook[]): Webhook[] =>
  newestOfEach(webhooks).filter((other) => isOn(other) && receiverOf(other) !== receiverOf(webhook));

// Maximum milliseconds of a request that registers or changes a webhook. The webhook stores the time of the
// request's start.
const longestRequestMs = 60_000;

/**
 * For each event type, returns the time (epoch milliseconds) from which a newer webhook with the same URL
 * replaces `webhook`. Infinity if none does; 0 without a subscription to the type.
 */
export function replacedFrom(webhook: Webhook, webhooks: Webhook[]): Record<EventType, number> {
  const newer = webhooks.filter(
    (other) => other.webhook_id > webhook.webhook_id && receiverOf(other) === receiverOf(webhook),
  );
  const from = (type: EventType) =>
    Math.min(
      ...(wants(webhook, type) ? [] : [0]),
      ...newer.filter((other) => wants(other, type)).map((other) => lastChangeAt(other) + longestRequestMs),
    );
  return Object.fromEntries(eventTypes.map((type) => [type, from(type)])) as Record<EventType, number>;
}

/**
 * Returns the time of the last change of the webhook's callback URL or event type, or the time of its
 * registration if neither has changed.
 */
const lastChangeAt = (webhook: Webhook) => webhook.changed_at ?? createdAt(webhook);
const wants = ({ event }: Webhook, type: EventType) => event === 'all' || event === type;
const isOn = (webhook: Webhook) => !isOff(webhook);

/**
 * Returns the newest webhook of each callback URL. Some hosts register a URL again at every start and know
 * only the newest secret.
 */
function newestOfEach(oldestFirst: Webhook[]): Webhook[] {
  return [...new Map(oldestFirst.map((webhook) => [receiverOf(webhook), webhook])).values()];
}

/**
 * Returns the webhook's callback URL in normalized form. Webhooks with equal results have the same receiver.
 */
function receiverOf({ callback_url }: Webhook): string {
  const url = new URL(callback_url);
  // HTTP requests do not contain the fragment (`#…`), so it does not distinguish receivers.
  url.hash = '';
  return url.href;
}

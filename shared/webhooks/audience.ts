/** Decides which of an organization's webhooks receive an event. */
import { type EventType, eventTypes } from '../vocabulary.ts';
import { isOff } from './receiver.ts';
import { createdAt, type Webhook } from './webhooks.ts';

/** Returns the webhooks that receive an event, by its type and the time of its record (epoch milliseconds). */
export type Audience = (type: EventType, at: number) => Webhook[];

/**
 * Returns the audience of an organization's webhooks, which are ordered oldest first. Of several webhooks with
 * the same callback that existed at the time of the record, only the newest receives the event, and none if
 * that one is off.
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
 * Returns the webhooks to notify that a webhook was switched off: all others that are on and have a different
 * callback, and of those with the same callback only the newest.
 */
export const webhooksToNotify = (webhook: Webhook, webhooks: Webhook[]): Webhook[] =>
  newestOfEach(webhooks).filter((other) => isOn(other) && receiverOf(other) !== receiverOf(webhook));

// Longest time between a request's start, which is a webhook's registration or change time, and its write.
const longestRequestMs = 60_000;

/**
 * Returns, for each event type, the time (epoch milliseconds) from which a newer webhook with the same callback
 * receives its events in this webhook's place. A newer webhook that is off counts too. The time is 0 for types
 * that this webhook does not subscribe to.
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

/** The time of a webhook's last change of callback or event type, or else of its registration. */
const lastChangeAt = (webhook: Webhook) => webhook.changed_at ?? createdAt(webhook);
const wants = ({ event }: Webhook, type: EventType) => event === 'all' || event === type;
const isOn = (webhook: Webhook) => !isOff(webhook);

/**
 * Returns the newest webhook of each callback. A host may register at each of its starts, with a new secret
 * each time.
 */
function newestOfEach(oldestFirst: Webhook[]): Webhook[] {
  return [...new Map(oldestFirst.map((webhook) => [receiverOf(webhook), webhook])).values()];
}

/** Returns a callback's normalized URL. */
function receiverOf({ callback_url }: Webhook): string {
  const url = new URL(callback_url);
  // HTTP requests do not contain the fragment.
  url.hash = '';
  return url.href;
}

/** Which of an organization's webhooks is told of what. */
import { type EventType, eventTypes } from '../vocabulary.ts';
import { isOff } from './receiver.ts';
import { createdAt, type Webhook } from './webhooks.ts';

/** Returns the webhooks that are told of an event, by its type and the time of its record (epoch milliseconds). */
export type Audience = (type: EventType, at: number) => Webhook[];

/**
 * Returns the audience of an organization's webhooks, which come oldest first. Of the webhooks with one callback that
 * existed at the time of the record, only the newest is told, and only if it is on.
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

/** Whom to tell that a webhook was switched off: the others, but for those of the same callback. */
export const othersThan = (webhook: Webhook, webhooks: Webhook[]): Webhook[] =>
  newestOfEach(webhooks).filter((other) => isOn(other) && receiverOf(other) !== receiverOf(webhook));

// A request that registers or changes one carries the time of its beginning.
const requestMs = 60_000;

/**
 * By type, from when on (epoch milliseconds) a newer webhook of the same callback is told in a webhook's place; never
 * for a type that it does not want itself: then from the beginning.
 */
export function replacedFrom(webhook: Webhook, webhooks: Webhook[]): Record<EventType, number> {
  const newer = webhooks.filter(
    (other) => other.webhook_id > webhook.webhook_id && receiverOf(other) === receiverOf(webhook),
  );
  const from = (type: EventType) =>
    Math.min(
      ...(wants(webhook, type) ? [] : [0]),
      ...newer.filter((other) => wants(other, type)).map((other) => settledAt(other) + requestMs),
    );
  return Object.fromEntries(eventTypes.map((type) => [type, from(type)])) as Record<EventType, number>;
}

/** When a webhook got the callback and the events that it has. */
const settledAt = (webhook: Webhook) => webhook.changed_at ?? createdAt(webhook);
const wants = ({ event }: Webhook, type: EventType) => event === 'all' || event === type;
const isOn = (webhook: Webhook) => !isOff(webhook);

/** Of webhooks with one callback the newest: a host may register at its every start, with a new secret each time. */
function newestOfEach(oldestFirst: Webhook[]): Webhook[] {
  return [...new Map(oldestFirst.map((webhook) => [receiverOf(webhook), webhook])).values()];
}

/** Where a callback leads, however it is spelled. */
function receiverOf({ callback_url }: Webhook): string {
  const url = new URL(callback_url);
  // Which is not sent.
  url.hash = '';
  return url.href;
}

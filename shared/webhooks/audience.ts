/** Which of an organization's webhooks is told of what. */
import { timeOfUlid, ulidOf } from '../ids.ts';
import { type EventType, eventTypes } from '../vocabulary.ts';
import type { Webhook } from './webhooks.ts';

/** The webhooks that are told of an event, by its type. */
export type Audience = Record<EventType, Webhook[]>;

/** The audience of webhooks, which come oldest first: of those with one callback the newest, if it is on. */
export function audienceOf(webhooks: Webhook[]): Audience {
  const wanting = (type: EventType) => webhooks.filter((webhook) => wants(webhook, type));
  return Object.fromEntries(
    eventTypes.map((type) => [type, newestOfEach(wanting(type)).filter(isOn)]),
  ) as Audience;
}

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
const settledAt = ({ changed_at, webhook_id }: Webhook) => changed_at ?? timeOfUlid(ulidOf(webhook_id));
const wants = ({ event }: Webhook, type: EventType) => event === 'all' || event === type;
const isOn = ({ disabled_at }: Webhook) => disabled_at === undefined;

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

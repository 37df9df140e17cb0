/** Which of an organization's webhooks is told of what. */
import { type EventType, eventTypes } from '../vocabulary.ts';
import type { Webhook } from './webhooks.ts';

/** The webhooks that are told of an event, by its type. */
export type Audience = Record<EventType, Webhook[]>;

/** The audience of an organization's webhooks, which come oldest first: of those with one callback the newest, if it is on. */
export function audienceOf(webhooks: Webhook[]): Audience {
  const wanting = (type: EventType) => webhooks.filter(({ event }) => event === 'all' || event === type);
  return Object.fromEntries(
    eventTypes.map((type) => [type, newestOfEach(wanting(type)).filter(isOn)]),
  ) as Audience;
}

/** Whom to tell that a webhook was switched off: the others, but for those of the same callback. */
export const othersThan = (webhook: Webhook, webhooks: Webhook[]): Webhook[] =>
  newestOfEach(webhooks).filter((other) => isOn(other) && receiverOf(other) !== receiverOf(webhook));

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

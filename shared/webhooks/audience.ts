import { type EventType, eventTypes } from '../vocabulary.ts';
import { isSwitchedOff } from './receiver.ts';
import { receiverUrl, type Webhook, webhookCreatedAt } from './webhooks.ts';

/** Returns the webhooks that receive an event. `at` is the time of its record (epoch milliseconds). */
export type Audience = (type: EventType, at: number) => Webhook[];

/** Of subscribed webhooks with one URL, only the newest at the time `at` receives an event, and only if it is on. */
export function audienceOf(webhooks: Webhook[]): Audience {
  const byNewest = new Map<Webhook | undefined, Record<EventType, Webhook[]>>();
  return (type, at) => {
    const newest = webhooks.findLast((webhook) => webhookCreatedAt(webhook) <= at);
    const cached = byNewest.get(newest) ?? audienceByType(webhooks.slice(0, webhooks.indexOf(newest!) + 1));
    byNewest.set(newest, cached);
    return cached[type];
  };
}

const audienceByType = (webhooks: Webhook[]): Record<EventType, Webhook[]> => {
  const subscribers = (type: EventType) => webhooks.filter((webhook) => isSubscribed(webhook, type));
  const byType = eventTypes.map((type) => [type, newestPerReceiver(subscribers(type)).filter(isOn)]);
  return Object.fromEntries(byType) as Record<EventType, Webhook[]>;
};

// Maximum milliseconds between the time that a registered or changed webhook stores (the request's start) and the
// request's commit.
const maxRequestMs = 60_000;

/** By type, when (epoch milliseconds) a newer webhook replaces `webhook`: Infinity if never, 0 if not subscribed. */
export function replacedFrom(webhook: Webhook, webhooks: Webhook[]): Record<EventType, number> {
  const newer = webhooks.filter(
    (other) => other.webhook_id > webhook.webhook_id && receiverUrl(other) === receiverUrl(webhook),
  );
  const replacementTime = (type: EventType) =>
    Math.min(
      ...(isSubscribed(webhook, type) ? [] : [0]),
      ...newer
        .filter((other) => isSubscribed(other, type))
        .map((other) => lastChangeAt(other) + maxRequestMs),
    );
  return Object.fromEntries(eventTypes.map((type) => [type, replacementTime(type)])) as Record<
    EventType,
    number
  >;
}

const lastChangeAt = (webhook: Webhook) => webhook.changed_at ?? webhookCreatedAt(webhook);
const isSubscribed = ({ event }: Webhook, type: EventType) => event === 'all' || event === type;
const isOn = (webhook: Webhook) => !isSwitchedOff(webhook);

/** Keeps the newest webhook per URL, because a host that registers a URL twice may know only the newest secret. */
function newestPerReceiver(oldestFirst: Webhook[]): Webhook[] {
  return [...new Map(oldestFirst.map((webhook) => [receiverUrl(webhook), webhook])).values()];
}

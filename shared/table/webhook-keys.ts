/** Builds the keys of webhooks and of the calls to webhooks. */
import { sha256 } from '../ids.ts';
import { allShards } from '../shards.ts';
import { type Key, type Range, shortId } from './keys.ts';

export const webhookKey = (organizationId: string, webhookId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `${webhookPrefix}${webhookId}`,
});
/**
 * Returns the range of an organization's webhooks, oldest first. A position in this range (a sort key without
 * its prefix) is the id of a webhook.
 */
export const webhooksOf = (organizationId: string): Range => ({
  partition: `ORG#${organizationId}`,
  prefix: webhookPrefix,
});
const webhookPrefix = 'WEBHOOK#';
/**
 * Returns the key of the item with an organization's webhook count and with the data key that encrypts the
 * webhooks' secrets.
 */
export const webhooksKey = (organizationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: 'WEBHOOKS',
});
/** Returns the key of the item that stores when a rate-limited webhook may get its next delivery. */
export const paceKey = (organizationId: string, webhookId: string): Key => ({
  pk: `PACE#${organizationId}#${webhookId}`,
  sk: 'PACE',
});
/**
 * Returns the key of the item that names the only message that may continue a delivery after the queue
 * message `follows`. Several messages can follow one message, for example if SQS delivers it twice. If all of
 * them continued the delivery, the event's retries would multiply.
 */
export const followerKey = (
  organizationId: string,
  webhookId: string,
  eventId: string,
  follows: string,
): Key => ({
  pk: `FOLLOWER#${organizationId}#${webhookId}#${eventId}`,
  sk: follows,
});
/**
 * Returns the key of the item that marks that an API request has invoked a webhook. A repeated request does
 * not invoke the webhook again. The request id is hashed, because it can exceed the maximum length of a sort
 * key.
 */
export const invocationKey = (organizationId: string, webhookId: string, requestId: string): Key => ({
  pk: `INVOKED#${organizationId}#${webhookId}`,
  sk: sha256(requestId),
});

export const webhookCallKey = (organizationId: string, day: string, ulid: string, shard: number): Key => ({
  pk: callsPartition(organizationId, day, shard),
  sk: ulid,
});
/**
 * Returns the ranges of the calls to an organization's webhooks on a day: one per shard, oldest first. A
 * position in these ranges (a sort key) is a ULID.
 */
export const callsInShards = (organizationId: string, day: string): Range[] =>
  allShards.map((shard) => ({ partition: callsPartition(organizationId, day, shard), prefix: '' }));
const callsPartition = (organizationId: string, day: string, shard: number) =>
  `CALLS#${shortId(organizationId)}#${day}#${shard}`;

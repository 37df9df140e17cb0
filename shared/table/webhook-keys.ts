/** Builds the keys of webhooks and of the calls to webhooks. */
import { allShards, shardOf } from '../shards.ts';
import { type Key, type Range, shortId } from './keys.ts';

export const webhookKey = (organizationId: string, webhookId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `${webhookPrefix}${webhookId}`,
});
/** Returns the range of an organization's webhooks, oldest first. Positions (see `Range`) are webhook ids. */
export const webhooksOf = (organizationId: string): Range => ({
  partition: `ORG#${organizationId}`,
  prefix: webhookPrefix,
});
const webhookPrefix = 'WEBHOOK#';
/** Returns the key of the item with the webhook count and the data key that encrypts webhooks' secrets. */
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
 * Returns the key of the item that stores the id of the first successor of the message `follows`. If SQS delivers
 * `follows` twice, a second successor must be ignored.
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
/** Returns the key of an invocation, in one of 16 shards by its event id. */
export const invocationKey = (organizationId: string, eventId: string): Key => ({
  pk: invocationsPartition(organizationId, shardOf(eventId)),
  sk: eventId,
});
/** Returns the ranges of an organization's invocations, one per shard. Positions (see `Range`) are event ids. */
export const invocationsInShards = (organizationId: string): Range[] =>
  allShards.map((shard) => ({ partition: invocationsPartition(organizationId, shard), prefix: '' }));
const invocationsPartition = (organizationId: string, shard: number) => `INVOKED#${organizationId}#${shard}`;

export const webhookCallKey = (organizationId: string, day: string, ulid: string, shard: number): Key => ({
  pk: callsPartition(organizationId, day, shard),
  sk: ulid,
});
/**
 * Returns the ranges of a day's webhook calls, one per shard, oldest first. Positions (see `Range`) are the
 * calls' ULIDs.
 */
export const callsInShards = (organizationId: string, day: string): Range[] =>
  allShards.map((shard) => ({ partition: callsPartition(organizationId, day, shard), prefix: '' }));
const callsPartition = (organizationId: string, day: string, shard: number) =>
  `CALLS#${shortId(organizationId)}#${day}#${shard}`;

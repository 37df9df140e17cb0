/** The keys of webhooks and of the calls to them. */
import { sha256 } from '../ids.ts';
import { allShards } from '../shards.ts';
import { type Key, type Range, shortId } from './keys.ts';

export const webhookKey = (organizationId: string, webhookId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `${webhookPrefix}${webhookId}`,
});
/** An organization's webhooks, oldest first; a position is a webhook's id. */
export const webhooksOf = (organizationId: string): Range => ({
  partition: `ORG#${organizationId}`,
  prefix: webhookPrefix,
});
const webhookPrefix = 'WEBHOOK#';
/** What all webhooks of an organization have in common: how many there are, and the data key of their secrets. */
export const webhooksKey = (organizationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: 'WEBHOOKS',
});
/** When the next delivery to a webhook may be made, if they are limited. */
export const paceKey = (organizationId: string, webhookId: string): Key => ({
  pk: `PACE#${organizationId}#${webhookId}`,
  sk: 'PACE',
});
/** Which of the messages that follow one message is the one to be handled: of one event on its way to one webhook. */
export const followerKey = (
  organizationId: string,
  webhookId: string,
  eventId: string,
  follows: string,
): Key => ({
  pk: `FOLLOWER#${organizationId}#${webhookId}#${eventId}`,
  sk: follows,
});
/** That a webhook was invoked by a request; its id is hashed, to fit a sort key. */
export const invocationKey = (organizationId: string, webhookId: string, requestId: string): Key => ({
  pk: `INVOKED#${organizationId}#${webhookId}`,
  sk: sha256(requestId),
});

export const webhookCallKey = (organizationId: string, day: string, ulid: string, shard: number): Key => ({
  pk: callsPartition(organizationId, day, shard),
  sk: ulid,
});
/** The calls to an organization's webhooks on one day: a range for each shard, oldest first; a position is a ULID. */
export const callsInShards = (organizationId: string, day: string): Range[] =>
  allShards.map((shard) => ({ partition: callsPartition(organizationId, day, shard), prefix: '' }));
const callsPartition = (organizationId: string, day: string, shard: number) =>
  `CALLS#${shortId(organizationId)}#${day}#${shard}`;

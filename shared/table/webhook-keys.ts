import { allShards, shardOf } from '../shards.ts';
import { indexRange, type Key, type KeyRange, shortId, type TimeKey, timeKey } from './keys.ts';

export const webhookKey = (organizationId: string, webhookId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `${webhookPrefix}${webhookId}`,
});
export const webhooksOf = (organizationId: string): KeyRange => ({
  partition: `ORG#${organizationId}`,
  prefix: webhookPrefix,
});
const webhookPrefix = 'WEBHOOK#';
export const webhookCommonKey = (organizationId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: 'WEBHOOKS',
});
export const unwellTimeKey = (organizationId: string, webhookId: string): TimeKey =>
  timeKey(unwellPartition, `${organizationId}#${webhookId}`);
/** Webhooks of all organizations whose receivers are not well. Requests must not read this range. */
export const unwellWebhooks = (): KeyRange => indexRange(unwellPartition);
const unwellPartition = 'webhooks';
/** Returns the key of an invocation, in one of 16 shards by its event id. */
export const invocationKey = (organizationId: string, eventId: string): Key => ({
  pk: invocationsPartition(organizationId, shardOf(eventId)),
  sk: eventId,
});
/** Positions (see `KeyRange`) are event ids. */
export const invocationsInShards = (organizationId: string): KeyRange[] =>
  allShards.map((shard) => ({ partition: invocationsPartition(organizationId, shard), prefix: '' }));
const invocationsPartition = (organizationId: string, shard: number) => `INVOKED#${organizationId}#${shard}`;

export const webhookCallKey = (organizationId: string, day: string, ulid: string, shard: number): Key => ({
  pk: callsPartition(organizationId, day, shard),
  sk: ulid,
});
/** Returns the ranges of a day's webhook calls, one per shard, oldest first. */
export const webhookCallRanges = (organizationId: string, day: string): KeyRange[] =>
  allShards.map((shard) => ({ partition: callsPartition(organizationId, day, shard), prefix: '' }));
const callsPartition = (organizationId: string, day: string, shard: number) =>
  `CALLS#${shortId(organizationId)}#${day}#${shard}`;

import { allShards, shardOf } from '../shards.ts';
import type { DrawingState, EntryType } from '../vocabulary.ts';
import { type Key, type KeyRange, shortId, type TableRange } from './keys.ts';

export const drawingKey = (organizationId: string, drawingId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: drawingPrefix + drawingId,
});
export const drawingsOf = (organizationId: string): TableRange => ({
  partition: `ORG#${organizationId}`,
  prefix: drawingPrefix,
});
const drawingPrefix = 'DRAWING#';

/** Returns the key of the item that says that a user holds entries of a type. */
export const holderKey = (organizationId: string, type: EntryType, userId: string): Key => ({
  pk: holdersPartition(organizationId, type, shardOf(userId)),
  sk: shortId(userId),
});
export const holdersInShard = (organizationId: string, type: EntryType, shard: number): TableRange => ({
  partition: holdersPartition(organizationId, type, shard),
  prefix: '',
});
const holdersPartition = (organizationId: string, type: EntryType, shard: number) =>
  `HOLDERS#${shortId(organizationId)}#${type}#${shard}`;

export const entrantKey = (organizationId: string, drawingId: string, userId: string): Key => ({
  pk: entrantsPartition(organizationId, drawingId, shardOf(userId)),
  sk: shortId(userId),
});
export const entrantsInShard = (organizationId: string, drawingId: string, shard: number): KeyRange => ({
  partition: entrantsPartition(organizationId, drawingId, shard),
  prefix: '',
});
export const entrantsInShards = (organizationId: string, drawingId: string): KeyRange[] =>
  allShards.map((shard) => entrantsInShard(organizationId, drawingId, shard));
const entrantsPartition = (organizationId: string, drawingId: string, shard: number) =>
  `ENTRANTS#${shortId(organizationId)}#${drawingId}#${shard}`;

/** Returns the key of the item that says that a shard's entries were used up (`closed`) or given back. */
export const shardDoneKey = (
  organizationId: string,
  drawingId: string,
  state: DrawingState,
  shard: number,
): Key => ({
  pk: progressPartition(organizationId, drawingId),
  sk: `${state}#${shard}`,
});
export const shardsDone = (organizationId: string, drawingId: string, state: DrawingState): KeyRange => ({
  partition: progressPartition(organizationId, drawingId),
  prefix: `${state}#`,
});
export const rootTimestampKey = (organizationId: string, drawingId: string): Key => ({
  pk: progressPartition(organizationId, drawingId),
  sk: 'TIMESTAMP',
});
const progressPartition = (organizationId: string, drawingId: string) =>
  `ENTRANTS#${shortId(organizationId)}#${drawingId}`;

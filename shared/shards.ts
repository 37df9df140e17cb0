/**
 * Shards: one key of the table, or of its index, takes 1,000 writes and 3,000 reads a second. So what an organization
 * writes or reads often lies under 16 keys, and the digest of a user's id says which of them is the user's.
 */
import { sha256 } from './ids.ts';

/** How many shards each organization has, from its first day on: room for 16,000 records of a list a second. */
export const shardCount = 16;
/** The numbers of the shards. */
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** The shard of an id. */
export const shardOf = (id: string): number => bucketOf(id, shardCount);

/** One of some buckets, from 0, always the same one for an id. */
export const bucketOf = (id: string, buckets: number): number =>
  buckets === 1 ? 0 : Buffer.from(sha256(id), 'base64url').readUInt32BE(0) % buckets;

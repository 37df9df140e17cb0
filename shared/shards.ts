/**
 * Shards. DynamoDB takes at most 1,000 writes and 3,000 reads a second under one partition key of a table or
 * index. So the lists and settings of an organization are spread over 16 keys, and a digest of the user's id
 * selects the key.
 */
import { sha256 } from './ids.ts';

/**
 * Number of shards of each organization; enough for 16,000 records of a list a second. Stored keys depend on
 * it, so a change is a migration.
 */
export const shardCount = 16;
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** Returns the shard of an id, from 0. */
export const shardOf = (id: string): number => bucketOf(id, shardCount);

/** Returns the bucket of an id, from 0 to `buckets` - 1; the same id always gets the same bucket. */
export const bucketOf = (id: string, buckets: number): number =>
  buckets === 1 ? 0 : Buffer.from(sha256(id), 'base64url').readUInt32BE(0) % buckets;

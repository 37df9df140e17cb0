/**
 * Assigns users to shards. DynamoDB allows at most 1,000 writes and 3,000 reads per second with one partition
 * key of a table or index. The lists and settings of an organization are therefore spread over 16 partition
 * keys, one per shard. A digest of the user's id selects the shard.
 */
import { sha256 } from './ids.ts';

/**
 * Number of shards per organization: enough for 16,000 writes per second to one list. Stored keys depend on
 * this number, so changing it needs a migration of the stored data.
 */
export const shardCount = 16;
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

/** Returns the number of the shard for a user's id, from 0. */
export const shardOf = (id: string): number => bucketOf(id, shardCount);

/** Assigns an id to one of `buckets` buckets, numbered from 0. The same id always gets the same bucket. */
export const bucketOf = (id: string, buckets: number): number =>
  buckets === 1 ? 0 : Buffer.from(sha256(id), 'base64url').readUInt32BE(0) % buckets;

/** Assigns users to 16 shards, because DynamoDB allows only 1,000 writes per second with one partition key. */
import { sha256 } from './ids.ts';

/** Number of shards per organization, for 16,000 writes per second to a list. */
export const shardCount = 16;
export const allShards: readonly number[] = Array.from({ length: shardCount }, (_, shard) => shard);

export const shardOf = (id: string): number => bucketOf(id, shardCount);

/** Assigns an id to one of `buckets` buckets, numbered from 0. The same id always gets the same bucket. */
export const bucketOf = (id: string, buckets: number): number =>
  buckets === 1 ? 0 : Buffer.from(sha256(id), 'base64url').readUInt32BE(0) % buckets;

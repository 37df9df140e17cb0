/**
 * How an organization's records are spread over the keys of the index, each of which takes so many writes a second and no
 * more. An organization has one shard until an operator gives it more. Records stay where they were written, and whoever
 * reads looks into all shards.
 */
import { sha256 } from './ids.ts';

/** How many shards there are, and how many are written to `before` a time, `from` which all are (epoch milliseconds). */
export type Spread = { shards: number; before: number; from: number };

/** All that there is until an operator says otherwise. */
export const oneShard: Spread = { shards: 1, before: 1, from: 0 };

/** A spread as items and the authorizer carry it; absent for one shard. */
export const spreadText = ({ shards, before, from }: Spread): string => `${shards} ${before} ${from}`;

/** The spread in a text of `spreadText`, or one shard if there is none. */
export function spreadIn(text: unknown): Spread {
  if (typeof text !== 'string') return oneShard;
  const [shards = 1, before = 1, from = 0] = text.split(' ').map(Number);
  return { shards, before, from };
}

/** How many shards are written to at a time: readers know of new ones for a while before there is anything in them. */
export const shardsToWrite = ({ shards, before, from }: Spread, now: number): number =>
  now < from ? before : shards;

/** The shard of an id among so many, always the same one: all of a user's records of a moment are together. */
export const shardOf = (id: string, shards: number): number =>
  shards === 1 ? 0 : Buffer.from(sha256(id), 'base64url').readUInt32BE(0) % shards;

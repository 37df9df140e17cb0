/** Pure, so that anybody with the seeds can repeat a draw. */
import { createHash } from 'node:crypto';
import { hmac } from '../hmac.ts';
import type { Prize } from './prize-tables.ts';

export type Seeds = {
  /** 32 bytes as 64 hex digits, kept secret until after the draw. */
  serverSeed: string;
  clientSeed: string;
  /** 0 for a regular play. */
  spinIndex: number;
};

/** Returns the hex SHA-256 of a server seed's 32 bytes, published before the seed is revealed. */
export function commitmentTo(serverSeed: string): string {
  return createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');
}

/** Prizes with their total weight and their digest, computed once for many draws. */
export type DrawSet = { prizes: readonly Prize[]; total: number; digest: string };

/** Throws if the total weight is 0. */
export function createDrawSet(prizes: readonly Prize[]): DrawSet {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  if (total < 1) throw new Error('no prize can be drawn: the sum of the weights is 0');
  return { prizes, total, digest: prizesDigest(prizes) };
}

export function draw(prizes: readonly Prize[], seeds: Seeds): Prize {
  return drawPrize(createDrawSet(prizes), seeds);
}

export function drawPrize(set: DrawSet, seeds: Seeds): Prize {
  let left = randomBelow(set.total, seeds.serverSeed, messagesOf(set.digest, seeds));
  for (const prize of set.prizes) {
    left -= prize.weight;
    if (left < 0) return prize;
  }
  throw new Error('the number exceeds the total weight');
}

/** The client seed comes last, because it can contain line breaks. */
const messagesOf =
  (set: string, { clientSeed, spinIndex }: Seeds) =>
  (counter: number) =>
    `${set}\n${spinIndex}\n${counter}\n${clientSeed}`;

/** Returns the hex SHA-256 of the prizes with a weight above 0. */
export function prizesDigest(prizes: readonly Prize[]): string {
  const set = prizes.filter(({ weight }) => weight > 0);
  const fields = JSON.stringify(set.map(({ id, kind, amount, weight }) => [id, kind, amount, weight]));
  return createHash('sha256').update(fields).digest('hex');
}

// Number of hex digits in a 32-bit word.
const wordDigits = 8;

/** Returns a uniform integer below `total` (at most 2^32). Skips larger numbers: a modulo would favor low ones. */
export function randomBelow(total: number, serverSeed: string, message: (counter: number) => string): number {
  const mask = 2 ** (32 - Math.clz32(total - 1)) - 1;
  const key = Buffer.from(serverSeed, 'hex');
  for (let counter = 0; ; counter++) {
    const digest = hmac(key, message(counter));
    for (let offset = 0; offset < digest.length; offset += wordDigits) {
      const number = (Number.parseInt(digest.slice(offset, offset + wordDigits), 16) & mask) >>> 0;
      if (number < total) return number;
    }
  }
}

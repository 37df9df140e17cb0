/**
 * The draw: a function from two seeds and a list of prizes to one prize. Pure, so that anybody with the seeds
 * can repeat it.
 */
import { createHash } from 'node:crypto';
import { hmac } from '../hmac.ts';
import type { Prize } from './prize-tables.ts';

/** Inputs of a draw in addition to the prizes. */
export type Seeds = {
  /** 64 hex digits. */
  serverSeed: string;
  clientSeed: string;
  /** 0 for a regular play; the spin's index in its order for a queued or guest spin. */
  spinIndex: number;
};

/**
 * Returns the commitment that is published before the server seed is revealed: the hex SHA-256 of its 32
 * bytes.
 */
export function commitmentTo(serverSeed: string): string {
  return createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');
}

/** The prizes of a draw with their total weight and digest, computed once for many draws. */
export type DrawSet = { prizes: readonly Prize[]; total: number; digest: string };

/** Returns the draw set of some prizes. Throws if the sum of their weights is 0. */
export function drawSetOf(prizes: readonly Prize[]): DrawSet {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  if (total < 1) throw new Error('no prize can be drawn: the sum of the weights is 0');
  return { prizes, total, digest: digestOf(prizes) };
}

/**
 * Returns the prize that the seeds select. The chance of each prize is its weight divided by the total
 * weight. With different prizes the same seeds give an independent result, because the HMAC message contains
 * the digest of the prizes.
 */
export function draw(prizes: readonly Prize[], seeds: Seeds): Prize {
  return drawFrom(drawSetOf(prizes), seeds);
}

/** Does the same as `draw`, with a draw set that the caller computed earlier. */
export function drawFrom(set: DrawSet, seeds: Seeds): Prize {
  let left = randomBelow(set.total, seeds.serverSeed, messagesOf(set.digest, seeds));
  for (const prize of set.prizes) {
    left -= prize.weight;
    if (left < 0) return prize;
  }
  throw new Error('the number exceeds the total weight');
}

/**
 * Returns the HMAC message with a given number, from 0. The client seed is last because it can contain any
 * text, also line breaks.
 */
const messagesOf =
  (set: string, { clientSeed, spinIndex }: Seeds) =>
  (counter: number) =>
    `${set}\n${spinIndex}\n${counter}\n${clientSeed}`;

/**
 * Returns the hex SHA-256 of the fields that affect a draw: the JSON list of [id, kind, amount, weight] of
 * all prizes with weight above 0.
 */
export function digestOf(prizes: readonly Prize[]): string {
  const set = prizes.filter(({ weight }) => weight > 0);
  const fields = JSON.stringify(set.map(({ id, kind, amount, weight }) => [id, kind, amount, weight]));
  return createHash('sha256').update(fields).digest('hex');
}

// Hex digits of a 32-bit word.
const wordDigits = 8;

/**
 * Returns a uniformly distributed integer from 0 to `total` - 1, for `total` up to 2^32. Uses rejection
 * sampling on the HMAC-SHA-256 of the messages: takes 32-bit words, masks each to the bits that `total`
 * needs, and returns the first below `total`. A modulo would favor low numbers.
 */
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

/**
 * The draw: which prize two seeds give, of a set of prizes. Pure, so that anybody who knows the seeds can repeat it.
 */
import { createHash } from 'node:crypto';
import { hmac } from '../hmac.ts';
import type { Prize } from './prize-tables.ts';

/** What decides a draw beside the prizes: the seeds, and the number of the spin that they are used for. */
export type Seeds = {
  /** 64 hex digits. */
  serverSeed: string;
  clientSeed: string;
  /** 0 for a play, the index within its order for a queued or guest spin. */
  spinIndex: number;
};

/** What a server seed is committed to with before it may be known: SHA-256 of its 32 bytes, in hex. */
export function commitmentTo(serverSeed: string): string {
  return createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');
}

/** A set of prizes that can be drawn from; what follows from it is worked out once for many draws. */
export type DrawSet = { prizes: readonly Prize[]; total: number; digest: string };

/** The set of the prizes that are in a draw. Throws if none of them has any weight. */
export function drawSetOf(prizes: readonly Prize[]): DrawSet {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  if (total < 1) throw new Error('no prize can be drawn: the weights of the draw sum to nothing');
  return { prizes, total, digest: digestOf(prizes) };
}

/**
 * The prize that the seeds give among those in the draw, each with exactly its weight's share of the chances. A draw
 * from other prizes is another draw: nothing of it follows from the first.
 */
export function draw(prizes: readonly Prize[], seeds: Seeds): Prize {
  return drawFrom(drawSetOf(prizes), seeds);
}

/** The same draw, from a set that was worked out before. */
export function drawFrom(set: DrawSet, seeds: Seeds): Prize {
  let left = randomBelow(set.total, seeds.serverSeed, messagesOf(set.digest, seeds));
  for (const prize of set.prizes) {
    left -= prize.weight;
    if (left < 0) return prize;
  }
  throw new Error('the number lies beyond the last prize');
}

/** The messages of a draw, by their number from 0. The client seed comes last, since it may be any text. */
const messagesOf =
  (set: string, { clientSeed, spinIndex }: Seeds) =>
  (counter: number) =>
    `${set}\n${spinIndex}\n${counter}\n${clientSeed}`;

/** SHA-256, in hex, of what of the prizes decides a draw: a list of [id, kind, amount, weight], as JSON. */
export function digestOf(prizes: readonly Prize[]): string {
  const set = prizes.filter(({ weight }) => weight > 0);
  const said = JSON.stringify(set.map(({ id, kind, amount, weight }) => [id, kind, amount, weight]));
  return createHash('sha256').update(said).digest('hex');
}

// A word of 32 bits, in hex.
const wordDigits = 8;

/**
 * A number from 0 to `total` - 1 (`total` up to 2^32), each as likely as the others: of the HMAC-SHA-256 of
 * the messages under the server seed, in 32-bit words cut to the bits that `total` needs, the first that is
 * below it. A remainder of a division would favour the low numbers.
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

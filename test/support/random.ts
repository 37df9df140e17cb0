/** Seeded random numbers. Every random value in a world follows from the world's seed. */

/** A generator of random numbers. Forks with different names generate independent numbers. */
export type Random = {
  /** Returns a number from 0 (included) to 1 (excluded). */
  next(): number;
  /** Returns an integer from 0 to `below` - 1. */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Returns a random key of `weights`. The probability of each key is proportional to its weight. */
  weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name;
  /** Returns a number from the exponential distribution with the given mean. */
  around(mean: number): number;
  bytes(length: number): Buffer;
  /** Returns a generator seeded with this generator's seed and `name`. Does not change this generator's state. */
  fork(name: string): Random;
};

/** Creates the random generator of a seed: sfc32, with its state from the seed's hash. */
export function createRandom(seed: string): Random {
  const [a0, b0, c0] = hashOf(seed);
  let [a, b, c, counter] = [a0, b0, c0, 1];
  const word = () => {
    const result = (a + b + counter++) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    c |= 0;
    return result >>> 0;
  };
  for (let i = 0; i < 12; i++) word();
  const next = () => word() / 2 ** 32;
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
    weighted(weights) {
      const entries = Object.entries(weights) as [never, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) {
        left -= weight;
        if (left < 0) return name;
      }
      return entries.at(-1)![0];
    },
    around: (mean) => -Math.log(1 - next()) * mean,
    bytes(length) {
      const bytes = Buffer.alloc(length);
      for (let index = 0; index < length; index++) bytes[index] = word();
      return bytes;
    },
    fork: (name) => createRandom(`${seed}/${name}`),
  };
}

/** Returns three 32-bit hashes of a text: FNV-1a with different start values, each followed by a mixing step. */
function hashOf(text: string): [number, number, number] {
  const word = (start: number) => {
    let hash = start;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) | 0;
  };
  return [word(0x811c9dc5), word(0x9747b28c), word(0x1b873593)];
}

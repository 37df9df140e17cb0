/** Stores the seeds that this browser made, so that it notices a draw with a different seed. */
import { hexOf } from './digests.ts';

/** A seed, and the commitment that the page showed before the seed was sent. */
export type StoredSeed = { seed: string; commitment: string };

const keyPrefix = 'seed/';
const maxStored = 50;
/** Replaces `localStorage` if that is unavailable, for the lifetime of the page. */
const inMemory = new Map<string, string>();

// The first 16 characters of a token identify the play, but do not suffice to play it.
const nameOf = (token: string) => `${keyPrefix}${token.slice(0, 16)}/`;

const entries = (): [key: string, value: string][] => {
  try {
    const stored = Object.entries<string>(localStorage).filter(([key]) => key.startsWith(keyPrefix));
    return [...new Map([...inMemory, ...stored])];
  } catch {
    return [...inMemory];
  }
};

/**
 * Returns the stored seeds of a play: none if it was played elsewhere, several if two tabs played it at once.
 */
export const storedSeeds = (token: string): StoredSeed[] => {
  const name = nameOf(token);
  return entries()
    .filter(([key]) => key.startsWith(name))
    .map(([key, value]) => ({ seed: key.slice(name.length), commitment: value.split(' ').pop()! }));
};

/** Returns the stored seed of a play, or makes a seed and stores it. */
export const seedFor = (token: string, commitment: string): string => {
  const [stored] = storedSeeds(token);
  if (stored) return stored.seed;
  const seed = newSeed();
  const [key, value] = [nameOf(token) + seed, `${Date.now()} ${commitment}`];
  inMemory.set(key, value);
  try {
    for (const old of oldest(maxStored - 1)) localStorage.removeItem(old);
    localStorage.setItem(key, value);
  } catch {
    // Storage is unavailable; the seed stays in memory.
  }
  return seed;
};

/** Returns the keys of all seeds in `localStorage` except the `most` newest. */
const oldest = (most: number) =>
  entries()
    .filter(([key]) => !inMemory.has(key))
    .sort(([, a], [, b]) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
    .slice(most)
    .map(([key]) => key);

const newSeed = () => hexOf(crypto.getRandomValues(new Uint8Array(16)).buffer);

/** Stores the seeds that this browser generated, so that the browser detects a draw that used a different seed. */
import { hexOf } from './digests.ts';

/** A seed that this browser generated, and the commitment that the page showed before the seed was sent. */
type StoredSeed = { seed: string; commitment: string };

const keyPrefix = 'seed/';
const maxStored = 50;
/** Seeds generated since the page was loaded: kept if `localStorage` is denied, and never evicted from it. */
const inMemory = new Map<string, string>();

// Stores only the token's first 16 characters, which identify the play but are not enough to play it.
const nameOf = (token: string) => `${keyPrefix}${token.slice(0, 16)}/`;

const entries = (): [key: string, value: string][] => {
  try {
    const stored = Object.entries<string>(localStorage).filter(([key]) => key.startsWith(keyPrefix));
    return [...new Map([...inMemory, ...stored])];
  } catch {
    return [...inMemory];
  }
};

export const readStoredSeeds = (token: string): StoredSeed[] => {
  const name = nameOf(token);
  return entries()
    .filter(([key]) => key.startsWith(name))
    .map(([key, value]) => ({ seed: key.slice(name.length), commitment: value.split(' ').pop()! }));
};

export const storedOrNewSeed = (token: string, commitment: string): string => {
  const [stored] = readStoredSeeds(token);
  if (stored) return stored.seed;
  const seed = newSeed();
  const [key, value] = [nameOf(token) + seed, `${Date.now()} ${commitment}`];
  inMemory.set(key, value);
  try {
    for (const old of oldest(maxStored - 1)) localStorage.removeItem(old);
    localStorage.setItem(key, value);
  } catch {
    // The browser denies `localStorage`, so the seed stays in memory until the page closes.
  }
  return seed;
};

/** Returns the keys of the seeds to remove from `localStorage`: all except this page's and the newest `maxKept`. */
const oldest = (maxKept: number) =>
  entries()
    .filter(([key]) => !inMemory.has(key))
    .sort(([, a], [, b]) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
    .slice(maxKept)
    .map(([key]) => key);

const newSeed = () => hexOf(crypto.getRandomValues(new Uint8Array(16)).buffer);

/** Keeps the seeds that this browser made, so that it notices a draw with a different seed. */
import { hexOf } from './digests.ts';

/** A seed, and the commitment that the page showed before the seed was sent. */
export type Kept = { seed: string; commitment: string };

const room = 'seed/';
const mostKept = 50;
/** Used if `localStorage` is unavailable; lasts as long as the page. */
const inMemory = new Map<string, string>();

// Enough of the token to be unique, and too little to play with.
const nameOf = (token: string) => `${room}${token.slice(0, 16)}/`;

const entries = (): [key: string, value: string][] => {
  try {
    const stored = Object.entries<string>(localStorage).filter(([key]) => key.startsWith(room));
    return [...new Map([...inMemory, ...stored])];
  } catch {
    return [...inMemory];
  }
};

/** Returns the kept seeds of a play: none if it was played elsewhere, several if two tabs played it at once. */
export const keptOf = (token: string): Kept[] => {
  const name = nameOf(token);
  return entries()
    .filter(([key]) => key.startsWith(name))
    .map(([key, value]) => ({ seed: key.slice(name.length), commitment: value.split(' ').pop()! }));
};

/** Returns the kept seed of a play, or makes one and stores it before it is sent. */
export const seedFor = (token: string, commitment: string): string => {
  const [kept] = keptOf(token);
  if (kept) return kept.seed;
  const seed = newSeed();
  const [key, value] = [nameOf(token) + seed, `${Date.now()} ${commitment}`];
  inMemory.set(key, value);
  try {
    for (const old of oldest(mostKept - 1)) localStorage.removeItem(old);
    localStorage.setItem(key, value);
  } catch {
    // Storage is unavailable; the seed stays in memory.
  }
  return seed;
};

/** Returns the keys of all stored seeds but the `most` newest. */
const oldest = (most: number) =>
  entries()
    .filter(([key]) => !inMemory.has(key))
    .sort(([, a], [, b]) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
    .slice(most)
    .map(([key]) => key);

const newSeed = () => hexOf(crypto.getRandomValues(new Uint8Array(16)).buffer);

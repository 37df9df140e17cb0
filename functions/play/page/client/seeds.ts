/** The seeds that this browser made for play URLs, kept so that a draw with another one does not pass for one with them. */
import { hexOf } from './digests.ts';

/** A seed, and the seal that the page showed before anybody was told of it. */
export type Kept = { seed: string; commitment: string };

const room = 'seed/';
const mostKept = 50;
/** For as long as the page is there, in case that nothing can be stored. */
const inMemory = new Map<string, string>();

// Enough of a token to tell it from all others, and too little to play with.
const nameOf = (token: string) => `${room}${token.slice(0, 16)}/`;

const entries = (): [key: string, value: string][] => {
  try {
    const stored = Object.entries<string>(localStorage).filter(([key]) => key.startsWith(room));
    return [...new Map([...inMemory, ...stored])];
  } catch {
    return [...inMemory];
  }
};

/** What this browser keeps of a play: nothing if it never asked for it, more than one seed if two tabs did at once. */
export const keptOf = (token: string): Kept[] => {
  const name = nameOf(token);
  return entries()
    .filter(([key]) => key.startsWith(name))
    .map(([key, value]) => ({ seed: key.slice(name.length), commitment: value.split(' ').pop()! }));
};

/** The seed of a play: the one that is kept, or a new one, which is kept before anybody is told of it. */
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
    // It is in memory.
  }
  return seed;
};

/** The keys of what is stored beyond so many of the latest. */
const oldest = (most: number) =>
  entries()
    .filter(([key]) => !inMemory.has(key))
    .sort(([, a], [, b]) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
    .slice(most)
    .map(([key]) => key);

const newSeed = () => hexOf(crypto.getRandomValues(new Uint8Array(16)).buffer);

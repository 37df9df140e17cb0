/** A drawing's list and its draws, which outsiders repeat. Independent of how the list is stored. */
import { hmac } from '../hmac.ts';
import { leafHash, newMerkleTree } from '../tree.ts';

/** A line of the list: a user, and how many entries the drawing used up. */
export type Entrant = { user_id: string; entries: number };

/** `root` is in hex. `total_entries` is a decimal number, because it can exceed 2^53. */
export type EntrantListSummary = { root: string; entrants: number; total_entries: string };

const lineOf = ({ user_id, entries }: Entrant): string => `${user_id} ${entries}`;

/** Pass the list sorted by user. */
export function summarizeEntrants(list: readonly Entrant[]): EntrantListSummary {
  const tree = newMerkleTree();
  let total = 0n;
  for (const entrant of list) {
    tree.add(leafHash(lineOf(entrant)));
    total += BigInt(entrant.entries);
  }
  return { root: tree.root().toString('hex'), entrants: list.length, total_entries: String(total) };
}

/** Yields the drawn users, each once: first the winners, then the alternates. `randomness` is the round's. */
export function* drawUsers(
  list: readonly Entrant[],
  drawingId: string,
  randomness: Uint8Array,
): Generator<Entrant, undefined> {
  const ends: bigint[] = [];
  let left = 0n;
  for (const { entries } of list) {
    left += BigInt(entries);
    ends.push(left);
  }
  // The indexes of drawn users, in the order of the list.
  const drawn: number[] = [];
  for (let number = 1; number <= list.length; number++) {
    let entry = entryOf(randomness, drawingId, number, left);
    let before = 0;
    for (; before < drawn.length; before++) {
      const index = drawn[before]!;
      if (entry < (ends[index - 1] ?? 0n)) break;
      entry += BigInt(list[index]!.entries);
    }
    const index = firstAfter(ends, entry);
    drawn.splice(before, 0, index);
    left -= BigInt(list[index]!.entries);
    yield list[index]!;
  }
}

const hashValues = 2n ** 256n;

/** Returns the index of the entry that draw `number` hits among `left` entries, by rejection sampling. */
function entryOf(randomness: Uint8Array, drawingId: string, number: number, left: bigint): bigint {
  for (let attempt = 0; ; attempt++) {
    const text = [drawingId, number, ...(attempt > 0 ? [attempt] : [])].join('\n');
    const value = BigInt(`0x${hmac(randomness, text)}`);
    if (value < hashValues - (hashValues % left)) return value % left;
  }
}

function firstAfter(ends: readonly bigint[], entry: bigint): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ends[middle]! > entry) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Fences: every 64th row of a report, with the count of rows before it, so that a position is found without
 * reading what lies before. They are a pure function of the rows. The rows are cut into blocks at rows that
 * their own id chooses, so that one more row, even an early one, changes the fences of its own block alone.
 */
import { crc32 } from 'node:zlib';
import type { ListedUlid } from '../accounts/record-lists.ts';

/** How many rows there are from fence to fence, and about how many in a block. */
export type Layout = { fence: number; block: number };
export const layout: Layout = { fence: 64, block: 32_768 };

/** The fences of one block. A report on entries counts its rows by list, truck and flight; the others have one list. */
export type Block = {
  /** Where the block begins: the ULID of its first row, or `0` for the first block. */
  first: string;
  /** Rows of each list. */
  counts: number[];
  /** Where each fence but the first stands: a text that sorts after the rows before it and not after its own row. */
  keys: string[];
  /** Where there are two lists, how many rows of the first one lie before each key. */
  shares: number[];
};

/** All rows up to one of them, as blocks. */
export type Sealed = { blocks: Block[]; last: string };

export const firstBlock = '0';
export const emptyBlock = (first: string, lists: number): Block => ({
  first,
  counts: Array(lists).fill(0),
  keys: [],
  shares: [],
});
export const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Whether a row begins a block. */
export const startsBlock = (ulid: string, { block }: Layout) => crc32(ulid) % block === 0;

/** Rows from one fence to the next; `opens` where they begin a block. */
type Group = { opens?: string; rows: ListedUlid[] };

/**
 * Takes rows in their order and fences them, going on from where earlier ones ended. Rows count once a fence is
 * full, with all rows before it: so what is sealed depends on the rows alone, and not on when it was sealed.
 * `finish` counts those that are left, where it is known that no row of the block follows.
 */
export function fencer(from: Sealed, sizes: Layout = layout) {
  const sealed: Sealed = { blocks: from.blocks.map(copyOf), last: from.last };
  let waiting: Group[] = [{ rows: [] }];

  const finish = () => {
    for (const group of waiting) count(sealed, group);
    waiting = [{ rows: [] }];
  };
  const add = (row: ListedUlid) => {
    if (startsBlock(row.ulid, sizes) && row.ulid !== sealed.blocks.at(-1)!.first) {
      waiting.push({ opens: row.ulid, rows: [] });
    }
    const group = waiting.at(-1)!.rows;
    group.push(row);
    if (group.length === sizes.fence) finish();
  };
  return { add, finish, sealed };
}

function count(sealed: Sealed, { opens, rows }: Group) {
  if (opens) sealed.blocks.push(emptyBlock(opens, sealed.blocks[0]!.counts.length));
  const block = sealed.blocks.at(-1)!;
  if (rows.length === 0) return;
  if (sum(block.counts) > 0) {
    block.keys.push(separator(sealed.last, rows[0]!.ulid));
    if (block.counts.length > 1) block.shares.push(block.counts[0]!);
  }
  for (const { list } of rows) block.counts[list]!++;
  sealed.last = rows.at(-1)!.ulid;
}

const copyOf = ({ first, counts, keys, shares }: Block): Block => ({
  first,
  counts: [...counts],
  keys: [...keys],
  shares: [...shares],
});

/** The shortest start of a ULID that sorts after the one before it: in most cases its time is enough. */
function separator(before: string, ulid: string): string {
  let length = 0;
  while (length < ulid.length && ulid[length] === before[length]) length++;
  return ulid.slice(0, length + 1);
}

/** A place in the order of rows: how many rows, of the lists that are looked at, sort before a key. */
export type Mark = { key: string; at: number };

/** The marks of a block for the lists that are looked at, the first of them at `base`. */
export function marksOf(block: Block, lists: number[], base: number, { fence }: Layout = layout): Mark[] {
  const both = lists.length === block.counts.length;
  const marks = block.keys.map((key, index) => {
    const rows = fence * (index + 1);
    const first = block.shares[index] ?? 0;
    return { key, at: base + (both ? rows : lists[0] === 0 ? first : rows - first) };
  });
  return [{ key: block.first, at: base }, ...marks];
}

/** The last mark that is not after a key. */
export function markBefore(marks: Mark[], key: string): Mark | undefined {
  return marks.findLast((mark) => mark.key <= key);
}

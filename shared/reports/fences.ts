/**
 * Fences: every 16th row of a report, with the count of rows before it, so that a position is found without reading
 * what lies before. They are a pure function of the rows. The rows are cut into blocks at rows that their own ULID
 * chooses, so that one more row, even an early one, changes the fences of its own block alone. README.md has a picture.
 */
import { crc32 } from 'node:zlib';
import type { ListedUlid } from './record-lists.ts';

/** How fences are laid out. */
export type FenceSizes = {
  /** Rows from fence to fence. */
  fence: number;
  /** Rows of a block, about. */
  block: number;
  /** Rows of a node of each level, about: each a multiple of the one before, the first one of a block's. */
  nodes: number[];
  /** How many blocks a report has at most without any nodes. */
  blocks: number;
};
/** Of reports whose fences begin now: what lies around a page costs little beside even a hundred rows. */
export const defaultSizes: FenceSizes = {
  fence: 16,
  block: 2 ** 12,
  nodes: [2 ** 20, 2 ** 28],
  blocks: 5000,
};
/** Of reports whose head does not say its sizes: it is of before. */
export const formerSizes = { fence: 64, block: 2 ** 15 };

/** The fences of one block. A report on entries counts its rows by list, truck and flight; the others have one list. */
export type Block = {
  /** Where the block begins: the ULID of its first row, or `0` for the first block. */
  first: string;
  /** Rows of each list. */
  counts: number[];
  /** Where each fence but the first stands: a text that sorts after the rows before it and not after its own row. */
  keys: string[];
  /** If there are two lists: how many rows of the first one lie before each key. */
  shares: number[];
};

/** The fences of all rows up to `last`, the ULID of one of them; the empty text if there are none. */
export type FencedRows = { blocks: Block[]; last: string };

/** Where the first block of every report begins. */
export const firstBlock = '0';
/** A block without rows, of a report with so many lists. */
export const emptyBlock = (first: string, lists: number): Block => ({
  first,
  counts: Array(lists).fill(0),
  keys: [],
  shares: [],
});
export const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Whether a row begins a block. */
export const startsBlock = (ulid: string, { block }: Pick<FenceSizes, 'block'>) => crc32(ulid) % block === 0;

/** Rows from one fence to the next; `opens` is the ULID of the first one if it begins a block. */
type Group = { opens?: string; rows: ListedUlid[] };

/**
 * Takes rows in their order and makes their fences, going on from where earlier ones ended. Rows count once they are as
 * many as lie between two fences: so what is fenced depends on the rows alone, and not on when it was done. `finish`
 * counts those that are left, if it is known that no row of the block follows.
 */
export function fenceBuilder(from: FencedRows, sizes: FenceSizes) {
  const fenced: FencedRows = { blocks: from.blocks.map(copyOf), last: from.last };
  let waiting: Group[] = [{ rows: [] }];

  const finish = () => {
    for (const group of waiting) countGroup(fenced, group);
    waiting = [{ rows: [] }];
  };
  const add = (row: ListedUlid) => {
    if (startsBlock(row.ulid, sizes) && row.ulid !== fenced.blocks.at(-1)!.first) {
      waiting.push({ opens: row.ulid, rows: [] });
    }
    const group = waiting.at(-1)!.rows;
    group.push(row);
    if (group.length === sizes.fence) finish();
  };
  return { add, finish, fenced };
}

function countGroup(fenced: FencedRows, { opens, rows }: Group) {
  if (opens) fenced.blocks.push(emptyBlock(opens, fenced.blocks[0]!.counts.length));
  const block = fenced.blocks.at(-1)!;
  if (rows.length === 0) return;
  if (sum(block.counts) > 0) {
    block.keys.push(separator(fenced.last, rows[0]!.ulid));
    if (block.counts.length > 1) block.shares.push(block.counts[0]!);
  }
  for (const { list } of rows) block.counts[list]!++;
  fenced.last = rows.at(-1)!.ulid;
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

/** A text between two rows, and how many rows, of the lists that are counted, sort before it. */
export type CountedKey = { key: string; rowsBefore: number };

/** A block's beginning and its fences, counting some of the report's lists (by index); `rowsBefore` lie before it. */
export function countedKeysOf(
  block: Block,
  lists: number[],
  rowsBefore: number,
  { fence }: FenceSizes,
): CountedKey[] {
  const all = lists.length === block.counts.length;
  const fences = block.keys.map((key, index) => {
    const rows = fence * (index + 1);
    const ofFirst = block.shares[index] ?? 0;
    const counted = all ? rows : lists[0] === 0 ? ofFirst : rows - ofFirst;
    return { key, rowsBefore: rowsBefore + counted };
  });
  return [{ key: block.first, rowsBefore }, ...fences];
}

/** The last of some keys that does not sort after a bound. */
export function lastUpTo(keys: CountedKey[], bound: string): CountedKey | undefined {
  return keys.findLast(({ key }) => key <= bound);
}

/**
 * Fences: the time of each row of a report, with the count of rows before it, so that a position is found without reading
 * what lies before. (Reports of before have one for every 16th or 64th row.) They are a pure function of the rows. The rows are cut into blocks at rows that their own ULID
 * chooses, so that one more row, even an early one, changes the fences of its own block alone. README.md has a picture.
 */
import { crc32 } from 'node:zlib';
import type { ListedUlid } from './record-lists.ts';

/** How fences are laid out. */
export type FenceSizes = {
  /** Rows that are counted at once; with a fence for them all, unless each is named. */
  fence: number;
  /** Whether each row has a fence at its time, so that the place of any time among them is known without a count. */
  named?: boolean;
  /** Rows of a block, about. */
  block: number;
  /** Rows of a node of each level, about: each a multiple of the one before, the first one of a block's. */
  nodes: number[];
  /** How many blocks a report has at most without any nodes. */
  blocks: number;
};
/** Of reports whose fences begin now: what lies around a page costs little beside even a hundred rows. */
export const defaultSizes = {
  fence: 16,
  named: true,
  block: 2 ** 11,
  nodes: [2 ** 20, 2 ** 28],
  blocks: 5000,
};
/** Of reports whose head does not say its sizes: it is of before. */
export const formerSizes = { fence: 64, named: false, block: 2 ** 15 };

/** The fences of one block. A report on entries counts its rows by list, truck and flight; the others have one list. */
export type Block = {
  /** Where the block begins: the ULID of its first row, or `0` for the first block. */
  first: string;
  /** Rows of each list. */
  counts: number[];
  /**
   * Where each fence but the first stands: a text that sorts after the rows before it and not after its own row. The
   * first one stands where the block begins, unless that is no row. In a block that names its rows it is where the row's
   * time begins.
   */
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

/** Rows that are counted at once; `opens` is the ULID of the first one if it begins a block. */
type Group = { opens?: string; rows: ListedUlid[] };

/**
 * Takes rows in their order and makes their fences, going on from where earlier ones ended. Rows count once there are
 * as many as are counted at once: so what is fenced depends on the rows alone, and not on when it was done. `finish`
 * counts those that are left, if it is known that no row of the block follows.
 */
export function fenceBuilder(from: FencedRows, sizes: FenceSizes) {
  const fenced: FencedRows = { blocks: from.blocks.map(copyOf), last: from.last };
  let waiting: Group[] = [{ rows: [] }];

  const finish = () => {
    for (const group of waiting) countGroup(fenced, group, sizes);
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

function countGroup(fenced: FencedRows, { opens, rows }: Group, sizes: FenceSizes) {
  if (opens) fenced.blocks.push(emptyBlock(opens, fenced.blocks[0]!.counts.length));
  const block = fenced.blocks.at(-1)!;
  for (const [index, { ulid, list }] of rows.entries()) {
    const hasFence = sizes.named ? ulid !== block.first : index === 0 && sum(block.counts) > 0;
    if (hasFence) {
      block.keys.push(sizes.named ? timeIn(ulid) : separator(fenced.last, ulid));
      if (block.counts.length > 1) block.shares.push(block.counts[0]!);
    }
    block.counts[list]!++;
    fenced.last = ulid;
  }
}

const copyOf = ({ first, counts, keys, shares }: Block): Block => ({
  first,
  counts: [...counts],
  keys: [...keys],
  shares: [...shares],
});

/** Where the time of a ULID begins, among ULIDs. */
const timeIn = (ulid: string): string => ulid.slice(0, 10);

/** Whether a bound is where a time begins, so that a row's time says on which side of it the row lies. */
export const isTime = (bound: string): boolean => bound.length === timeIn(bound).length;

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
  sizes: FenceSizes,
): CountedKey[] {
  const all = lists.length === block.counts.length;
  const fenceless = sizes.named && block.first === firstBlock ? 0 : 1;
  const fences = block.keys.map((key, index) => {
    const rows = (sizes.named ? 1 : sizes.fence) * (fenceless + index);
    const ofFirst = block.shares[index] ?? 0;
    const counted = all ? rows : lists[0] === 0 ? ofFirst : rows - ofFirst;
    return { key, rowsBefore: rowsBefore + counted };
  });
  // Of rows of one time, the first is where a fence is.
  const isOne = (_: CountedKey, index: number) => block.keys[index]! > (block.keys[index - 1] ?? block.first);
  return [{ key: block.first, rowsBefore }, ...fences.filter(isOne)];
}

/** The last of some keys that does not sort after a bound. */
export function lastUpTo(keys: CountedKey[], bound: string): CountedKey | undefined {
  return keys.findLast(({ key }) => key <= bound);
}

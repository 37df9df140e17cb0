import { timeOfUlid } from '../ids.ts';
import { dayOf } from '../time.ts';
import { type Block, blockAfter, firstBlock } from './blocks.ts';
import { matchesIndex, type RowIndex } from './day-counts.ts';
import { boundAfter, mergedUlids, settledBefore } from './record-lists.ts';
import { type Report, rangesOf } from './report-lists.ts';
import { readBlockAt, readIndex, writeIndex } from './stored-index.ts';

/** Options for extending an index. */
export type ExtendOptions = {
  /** The number of rows per block, if the index is new. */
  rowsPerBlock?: number | undefined;
  /** Leaves fewer rows than this for a later call. By default an eighth of a block. */
  minRows?: number;
  /** Returns whether there is time for another write. */
  goOn?: () => boolean;
  /** ULIDs of rows received from the stream. Rows that get indexed are removed from the set. */
  streamed?: Set<string>;
};

/** The minimum time between two extensions that the stream causes. */
const minPauseMs = 10_000;

/**
 * Each block is stored twice. With the state and at most 30 years of day counts, that makes 91 of a
 * transaction's 100 items. At 10,000 rows a second, this takes about 100 of a key's 1,000 write units.
 */
const blocksPerWrite = 30;

/**
 * Indexes all rows that have settled at `now`. Each write is one transaction, conditional on the index's
 * version, so calls may repeat, overlap or be killed. If all streamed rows are too new and the index was
 * extended a moment ago, does nothing. Returns the ULID of the last indexed row, or undefined if rows are
 * left because time ran out or another call wrote first.
 */
export async function extendIndex(
  report: Report,
  now: number,
  { rowsPerBlock, minRows, goOn = () => true, streamed }: ExtendOptions = {},
): Promise<string | undefined> {
  const below = settledBefore(now);
  const index = await readIndex(report, { consistent: true, lastYear: true });
  if (index.version === 0 && rowsPerBlock) index.rowsPerBlock = rowsPerBlock;
  let { last } = index;
  if (streamed && canWait(last, streamed, below, now)) return last;
  const open = last === '' ? undefined : await readBlockAt(report, index.build, last, { consistent: true });
  // The index was written between the two reads.
  if (last !== '' && !(open && matchesIndex(index, open))) return undefined;

  const appended = appendTo(index, open);
  const write = async () => {
    if (!(await writeIndex(report, index, [...appended.blocks]))) return false;
    for (const ulid of appended.ulids) streamed?.delete(ulid);
    appended.clear();
    last = index.last;
    return true;
  };
  for await (const ulids of mergedUlids(rangesOf(report), { from: boundAfter(last), below })) {
    for (const ulid of ulids) {
      appended.add(ulid);
      if (appended.blocks.size < blocksPerWrite) continue;
      if (!(await write()) || !goOn()) return undefined;
    }
  }
  const enough = minRows ?? Math.max(1, index.rowsPerBlock / 8);
  if (appended.ulids.length >= enough && !(await write())) return undefined;
  return last;
}

/**
 * Whether this call may leave its rows to a later one. Every batch of each stream shard causes a call; the
 * random pause lets only one or two of them write.
 */
function canWait(last: string, streamed: Set<string>, below: string, now: number): boolean {
  const pauseMs = Math.floor(minPauseMs * (1 + Math.random()));
  return last > settledBefore(now - pauseMs) && [...streamed].every((ulid) => ulid >= below);
}

/**
 * Returns functions that append rows to an index, starting with its last block (undefined if the index is
 * empty).
 */
function appendTo(index: RowIndex, last: Block | undefined) {
  let block = last;
  const blocks = new Set<Block>();
  const ulids: string[] = [];
  return {
    /** The blocks and rows that changed since the last `clear`. */
    blocks,
    ulids,
    add(ulid: string) {
      const time = timeOfUlid(ulid);
      const day = dayOf(time);
      if (block?.day !== day) {
        block = firstBlock(day);
      } else if (block.times.length >= index.rowsPerBlock) {
        block.next = ulid;
        blocks.add(block);
        block = blockAfter(block, ulid);
      }
      block.times.push(time);
      const { rows, late } = index.days.get(day) ?? { rows: 0, late: [] };
      index.days.set(day, { rows: rows + 1, late });
      index.last = ulid;
      blocks.add(block);
      ulids.push(ulid);
    },
    clear() {
      blocks.clear();
      ulids.length = 0;
    },
  };
}

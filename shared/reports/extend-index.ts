import { timeOfUlid } from '../ids.ts';
import { dayOf } from '../time.ts';
import { type Block, blockAfter, firstBlock } from './blocks.ts';
import { isOfIndex, type RowIndex } from './day-counts.ts';
import { boundAfter, mergedUlids, settledBefore } from './record-lists.ts';
import { type Report, rangesOf } from './report-lists.ts';
import { readBlockAt, readIndex, writeIndex } from './stored-index.ts';

/** How an index is extended. */
export type ExtendOptions = {
  /** With so many rows a block is full, if the index begins now. */
  rowsPerBlock?: number | undefined;
  /** Fewer rows than these are left for later; an eighth of a block if absent. */
  fewest?: number;
  /** Whether there is time for one more write. */
  goOn?: () => boolean;
  /** Rows that the stream has told of. Those that are indexed now are taken out. */
  told?: Set<string>;
};

/** How often a report's index is extended at most, as far as the stream sees to it. */
const restMs = 10_000;

/** Each is stored twice, beside the state and at worst as many years: 91 items of the 100 that a transaction takes. */
const blocksPerWrite = 30;

/**
 * Indexes all rows that have settled at `now`. Each write is one transaction, on the condition that the index
 * is the one that was read, so it may be run twice, side by side, or be killed anywhere. Told of rows that
 * are all too new, it leaves the others to a later call if rows were indexed a moment ago. Returns the ULID
 * of the last row that is indexed, or undefined if it left something to do: at the deadline, or because
 * another call was faster.
 */
export async function extendIndex(
  report: Report,
  now: number,
  { rowsPerBlock, fewest, goOn = () => true, told }: ExtendOptions = {},
): Promise<string | undefined> {
  const below = settledBefore(now);
  const index = await readIndex(report, { consistent: true, lastYear: true });
  if (index.version === 0 && rowsPerBlock) index.rowsPerBlock = rowsPerBlock;
  let { last } = index;
  if (told && mayRest(last, told, below, now)) return last;
  const open = last === '' ? undefined : await readBlockAt(report, index.build, last, { consistent: true });
  // The index was written between the two reads.
  if (last !== '' && !(open && isOfIndex(index, open))) return undefined;

  const appended = appendTo(index, open);
  const write = async () => {
    if (!(await writeIndex(report, index, [...appended.blocks]))) return false;
    for (const ulid of appended.ulids) told?.delete(ulid);
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
  const enough = fewest ?? Math.max(1, index.rowsPerBlock / 8);
  if (appended.ulids.length >= enough && !(await write())) return undefined;
  return last;
}

/**
 * Of many that are called side by side for one report, one or two are to do the work: each waits for a random while
 * longer. The index would be written for each batch of each shard of the stream otherwise.
 */
function mayRest(last: string, told: Set<string>, below: string, now: number): boolean {
  const rested = Math.floor(restMs * (1 + Math.random()));
  return last > settledBefore(now - rested) && [...told].every((ulid) => ulid >= below);
}

/** Adds rows to an index in their order, and to its last block (none before the first row) or one that follows it. */
function appendTo(index: RowIndex, last: Block | undefined) {
  let block = last;
  const blocks = new Set<Block>();
  const ulids: string[] = [];
  return {
    /** What has changed since the last `clear`: blocks, and the rows that were added. */
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

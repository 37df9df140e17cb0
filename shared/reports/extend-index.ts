import { timeOfUlid } from '../ids.ts';
import { settledBefore } from '../table/settled.ts';
import { dayOf } from '../time.ts';
import { blockAfter, firstBlock, type RowBlock } from './blocks.ts';
import { matchesIndex, type RowIndex } from './day-counts.ts';
import { boundAfter, readMergedUlids } from './record-lists.ts';
import { type Report, reportRanges } from './report-lists.ts';
import { readBlockAt, readRowIndex, writeRowIndex } from './stored-index.ts';

export type ExtendOptions = {
  /** Used only for a report without an index. */
  rowsPerBlock?: number | undefined;
  /** Minimum number of last rows to write; fewer rows are left to a later call. */
  minRows?: number;
  hasTime?: () => boolean;
  streamed?: Set<string>;
};

/** Minimum milliseconds between two writes that the table's stream causes to one row index. */
const minPauseMs = 10_000;

/** Each block is two items. A transaction of DynamoDB takes 100 items. */
const blocksPerWrite = 30;

/**
 * Indexes the rows older than a minute, except the last ones if fewer than `minRows`. Returns the last indexed ULID, or
 * undefined if rows may remain: another call changed the index, or time ran out.
 */
export async function extendRowIndex(
  report: Report,
  now: number,
  { rowsPerBlock, minRows, hasTime = () => true, streamed }: ExtendOptions = {},
): Promise<string | undefined> {
  const below = settledBefore(now);
  const index = await readRowIndex(report, { consistent: true, lastYear: true });
  if (index.version === 0 && rowsPerBlock) index.rowsPerBlock = rowsPerBlock;
  let { last } = index;
  if (streamed && canWait(last, streamed, below, now)) return last;
  const open = last === '' ? undefined : await readBlockAt(report, index.build, last, { consistent: true });
  // Another call changed the index between the two reads, so this call leaves the rows to a later call.
  if (last !== '' && !(open && matchesIndex(index, open))) return undefined;

  const appended = appendTo(index, open);
  const write = async () => {
    if (!(await writeRowIndex(report, index, [...appended.blocks]))) return false;
    for (const ulid of appended.ulids) streamed?.delete(ulid);
    appended.clear();
    last = index.last;
    return true;
  };
  for await (const ulids of readMergedUlids(reportRanges(report), { from: boundAfter(last), below })) {
    for (const ulid of ulids) {
      appended.add(ulid);
      if (appended.blocks.size < blocksPerWrite) continue;
      if (!(await write()) || !hasTime()) return undefined;
    }
  }
  const enough = minRows ?? Math.max(1, index.rowsPerBlock / 8);
  if (appended.ulids.length >= enough && !(await write())) return undefined;
  return last;
}

function canWait(last: string, streamed: Set<string>, below: string, now: number): boolean {
  // Makes the pause random, so that few of the concurrent calls write.
  const pauseMs = Math.floor(minPauseMs * (1 + Math.random()));
  return last > settledBefore(now - pauseMs) && [...streamed].every((ulid) => ulid >= below);
}

/** `last` is the index's last block, if any. */
function appendTo(index: RowIndex, last: RowBlock | undefined) {
  let block = last;
  const blocks = new Set<RowBlock>();
  const ulids: string[] = [];
  return {
    /** The blocks that changed since the last `clear`. */
    blocks,
    /** The ULIDs of the rows added since the last `clear`. */
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

import { Conflict, type Item, type TableWrite, transact } from '../table/client.ts';
import { between } from '../table/keys.ts';
import { queryOnce, readRange } from '../table/ranges.ts';
import {
  blockByNumberKey,
  blockByTimeKey,
  blocksBefore,
  blocksByNumber,
  blocksByTime,
  dayCountsKey,
  dayCountsOf,
  indexStateKey,
} from '../table/row-index-keys.ts';
import { packTimes, type RowBlock, unpackTimes } from './blocks.ts';
import { emptyIndex, type LateRows, packYear, type RowIndex, unpackYear, yearOf } from './day-counts.ts';
import type { Report } from './report-lists.ts';

export type ReadConsistency = { consistent: boolean };

/** `lastYear` reads only the latest year with rows, enough to append rows. */
export async function readRowIndex(
  { organizationId, report }: Report,
  { consistent, lastYear = false }: ReadConsistency & { lastYear?: boolean },
): Promise<RowIndex> {
  const options = lastYear ? { newestFirst: true, limit: 2 } : {};
  const items = await readRange(dayCountsOf(organizationId, report), { consistent, ...options });
  const state = items.find(({ year }) => year === undefined);
  if (!state) return emptyIndex();
  const index: RowIndex = {
    version: Number(state.version),
    build: Number(state.build),
    last: String(state.last),
    rowsPerBlock: Number(state.rows_per_block),
    days: new Map(),
  };
  for (const { year, rows, late } of items) {
    if (year === undefined) continue;
    for (const [day, counts] of unpackYear(year as string, rows as Uint8Array, late as LateRows)) {
      index.days.set(day, counts);
    }
  }
  return index;
}

export async function readBlockAt(
  { organizationId, report }: Report,
  build: number,
  key: string,
  { consistent }: ReadConsistency,
): Promise<RowBlock | undefined> {
  const upToKey = between(blocksByTime(organizationId, report, build), '', key);
  const { items } = await queryOnce(upToKey, { newestFirst: true, limit: 1, consistent });
  return items[0] && blockIn(items[0]);
}

/** Returns the existing blocks of a day whose numbers are in a range (inclusive), in one round trip. */
export async function readBlocks(
  { organizationId, report }: Report,
  build: number,
  { day, numbers }: { day: string; numbers: [number, number] },
  { consistent }: ReadConsistency,
): Promise<RowBlock[]> {
  const range = blocksByNumber(day, numbers, organizationId, report, build);
  return (await readRange(range, { consistent })).map(blockIn);
}

export async function writeRowIndex(report: Report, index: RowIndex, blocks: RowBlock[]): Promise<boolean> {
  const years = [...new Set(blocks.map(({ day }) => yearOf(day)))];
  const isStored = await written({
    state: statePart(report, index),
    ...Object.fromEntries(years.map((year) => [`year ${year}`, yearPart(report, index, year)])),
    ...Object.fromEntries(
      blocks.flatMap((block, place) => [
        [`block ${place} by time`, blockPart(report, index, block, 'time')],
        [`block ${place} by number`, blockPart(report, index, block, 'number')],
      ]),
    ),
  });
  if (isStored) index.version++;
  return isStored;
}

/** Starts a new, empty build of a report's row index. Returns false if another call changed the index. */
export async function startNewBuild(report: Report, rowsPerBlock?: number): Promise<boolean> {
  const former = await readRowIndex(report, { consistent: true });
  if (former.version === 0) return true;
  const { version, build } = former;
  const index = { ...emptyIndex(rowsPerBlock), version, build: build + 1 };
  const years = [...new Set([...former.days.keys()].map(yearOf))];
  return written({
    state: statePart(report, index),
    ...Object.fromEntries(
      years.map((year) => [
        `year ${year}`,
        { Delete: { Key: dayCountsKey(report.organizationId, report.report, year) } },
      ]),
    ),
  });
}

const maxTransactionParts = 100;

/** Deletes the blocks of all earlier builds, which reports no longer read. */
export async function deleteFormerBlocks(report: Report): Promise<void> {
  const { organizationId, report: name } = report;
  const { build } = await readRowIndex(report, { consistent: true });
  const blocks = blocksBefore(organizationId, name, build);
  for (;;) {
    const { items } = await queryOnce(blocks, {
      fields: ['pk', 'sk'],
      limit: maxTransactionParts,
    });
    if (items.length === 0) return;
    const deletions = items.map(({ pk, sk }, place) => [place, { Delete: { Key: { pk, sk } } }]);
    await written(Object.fromEntries(deletions));
  }
}

function statePart({ organizationId, report }: Report, index: RowIndex): TableWrite {
  const { version, build, last, rowsPerBlock } = index;
  const key = indexStateKey(organizationId, report);
  return {
    Put: {
      Item: { ...key, version: version + 1, build, last, rows_per_block: rowsPerBlock },
      ...(version === 0
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }),
    },
  };
}

function yearPart({ organizationId, report }: Report, index: RowIndex, year: string): TableWrite {
  const key = dayCountsKey(organizationId, report, year);
  return { Put: { Item: { ...key, year, ...packYear(index, year) } } };
}

function blockPart(
  { organizationId, report }: Report,
  { build }: RowIndex,
  block: RowBlock,
  sortedBy: 'time' | 'number',
): TableWrite {
  const { day, number, first, next } = block;
  const key =
    sortedBy === 'time'
      ? blockByTimeKey(first, organizationId, report, build)
      : blockByNumberKey(day, number, organizationId, report, build);
  return { Put: { Item: { ...key, day, number, first, ...(next && { next }), times: packTimes(block) } } };
}

const blockIn = ({ day, number, first, next, times }: Item): RowBlock => ({
  day: String(day),
  number: Number(number),
  first: String(first),
  ...(next !== undefined && { next: String(next) }),
  times: unpackTimes(times as Uint8Array, String(first)),
});

async function written(parts: Record<string, TableWrite>): Promise<boolean> {
  try {
    return (await transact(parts)) === undefined;
  } catch (error) {
    if (error instanceof Conflict) return false;
    throw error;
  }
}

/** The rule that row indexes (counts of each day, blocks of 512 row times) match the stored rows. */
import type { StoredItem } from '../../journal.ts';
import { dayAt, startOf, timeIn } from '../days-and-ulids.ts';
import { isSame } from '../hashes.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule } from './final-state.ts';

/** The reports that have a row index, each with a filter for its records. */
const reports: Record<string, (record: StoredItem) => boolean> = {
  tickets: ({ kind }) => kind === 'tickets',
  outcomes: ({ kind }) => kind === 'outcomes',
  entries: ({ kind }) => kind === 'entries',
  'entries#truck': ({ kind, entry_type }) => kind === 'entries' && entry_type === 'truck',
  'entries#flight': ({ kind, entry_type }) => kind === 'entries' && entry_type === 'flight',
};

const noIndex = { last: '', build: 1, rows_per_block: 512 };

/** Returns an organization's empty row indexes with small blocks, which a simulated world can fill. */
export const emptyRowIndexes = (organizationId: string, rows_per_block: number): StoredItem[] =>
  Object.keys(reports).map((report) => ({
    ...{ pk: `ROWS#${organizationId}#${report}`, sk: 'DAYS#STATE' },
    ...{ version: 1, build: 1, last: '', rows_per_block },
  }));

/**
 * Decodes unsigned LEB128 numbers: seven bits per byte, lowest first. A set high bit continues the number.
 */
export function numbersIn(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let digits: number[] = [];
  for (const byte of bytes) {
    digits.unshift(byte & 127);
    if (byte < 128) {
      numbers.push(digits.reduce((number, digit) => number * 128 + digit, 0));
      digits = [];
    }
  }
  return numbers;
}

/** Returns the days that have rows, with their row counts, in order. Each of `years` counts one year. */
function countsIn(years: StoredItem[]): [string, number][] {
  return years
    .sort((a, b) => (a.sk < b.sk ? -1 : 1))
    .flatMap(({ year, rows }) =>
      numbersIn(rows).map((count, place): [string, number] => [
        new Date(Date.UTC(Number(year), 0, 1 + place)).toISOString().slice(0, 10),
        count,
      ]),
    )
    .filter(([, count]) => count > 0);
}

/** Returns the times of a block's rows in epoch milliseconds. A block stores the times as differences. */
function timesIn({ first, times }: StoredItem): number[] {
  const later = numbersIn(times);
  return later.map((_, at) => timeIn(first) + later.slice(0, at + 1).reduce((a, b) => a + b));
}

/** Returns the error in a day's blocks, or undefined if the blocks match the day's rows. */
function faultOf(blocks: StoredItem[], ulids: string[], day: string, rowsPerBlock: number) {
  const sizes = blocks.map((block) => timesIn(block).length);
  const begin = (at: number) => sizes.slice(0, at).reduce((a, b) => a + b, 0);
  const holds = {
    'other rows': isSame(blocks.flatMap(timesIn), ulids.map(timeIn)),
    'other numbers': blocks.every(({ number, day: blockDay }, at) => number === at && blockDay === day),
    'a block that is not full': sizes.slice(0, -1).every((size) => size >= rowsPerBlock),
    'a block with no row': sizes.every((size) => size > 0),
    'a block that begins elsewhere': blocks.every(({ first }, at) =>
      at === 0 ? timeIn(first) === startOf(day) && first.length === 10 : first === ulids[begin(at)],
    ),
    'a block that ends elsewhere': blocks.every(({ next }, at) => next === blocks[at + 1]?.first),
  };
  return Object.entries(holds).find(([, holdsTrue]) => !holdsTrue)?.[0];
}

/** Maximum delay of indexing, in milliseconds. A check every 15 minutes repairs an index that is late. */
const drainedMs = 45 * 60_000;

/** A row index covers all rows, except the latest rows if they are under an eighth of a block. */
const indexMatchesRows: EndRule = {
  rule: 'a row index matches its rows',
  check(world, report) {
    const items = groupBy([...world.of('block'), ...world.of('day counts')], ({ pk }) => pk);
    const ofOrganizations = groupBy(world.of('record'), ({ organization_id }) => organization_id);
    for (const [organizationId, all] of ofOrganizations) {
      for (const [name, shows] of Object.entries(reports)) {
        const pk = `ROWS#${organizationId}#${name}`;
        const state = world.item(pk, 'DAYS#STATE');
        const { last, build, rows_per_block } = state ?? noIndex;
        const records = all.filter(shows);
        const rows = records.map(({ tsk }) => tsk as string).sort();
        const indexed = rows.filter((ulid) => ulid <= last);
        const left = rows.length - indexed.length;
        const newest = Math.max(...records.map(({ date_created }) => Date.parse(date_created)));
        if (newest + drainedMs < world.now && left >= Math.max(1, rows_per_block / 8))
          report(`${pk} has ${left} of ${rows.length} rows not in blocks`);
        if (last !== '' && indexed.at(-1) !== last)
          report(`${pk} ends with ${last}, which is not one of its rows`);

        const ofDays = [...groupBy(indexed, (ulid) => dayAt(timeIn(ulid)))];
        const stored = items.get(pk) ?? [];
        const counts = countsIn(stored.filter(({ year }) => year !== undefined));
        if (
          !isSame(
            counts,
            ofDays.map(([day, ulids]) => [day, ulids.length]),
          )
        )
          report(`${pk} has wrong day counts`);

        const prefix = `BLOCK#${String(build).padStart(4, '0')}#`;
        const blocks = stored.filter(({ sk }) => sk.startsWith(prefix));
        const byNumber = groupBy(blocks, ({ sk, day }) =>
          sk.startsWith(`${prefix}NUMBER#`) ? day : undefined,
        );
        for (const [day, ulids] of ofDays) {
          const inOrder = (byNumber.get(day) ?? []).sort((a, b) => (a.sk < b.sk ? -1 : 1));
          const fault = faultOf(inOrder, ulids, day, rows_per_block);
          if (fault) report(`${pk} has on ${day} ${fault}`);
          const late = inOrder.flatMap((block) => {
            const more = timesIn(block).length - rows_per_block;
            return more > 0 ? [[block.number, more]] : [];
          });
          const noted = stored.find(({ year }) => year === day.slice(0, 4))?.late[day] ?? [];
          if (!isSame(numbersIn(noted), late.flat())) report(`${pk} has wrong late rows on ${day}`);
          for (const { pk, sk, ...block } of inOrder) {
            const { pk: _, sk: __, ...copy } = world.item(pk, `${prefix}TIME#${block.first}`) ?? {};
            if (!isSame(copy, block)) report(`${pk} ${sk} differs from its copy by time`);
          }
        }
        const numbered = [...byNumber.values()].flat();
        if (numbered.length * 2 !== blocks.length) report(`${pk} has blocks without a copy`);
        if (byNumber.size > ofDays.length) report(`${pk} has blocks of days without rows`);
      }
    }
  },
};

export const rowIndexRules = [indexMatchesRows];

/**
 * Day counts of the row index: the number of rows of each day, from which the position of each row and block
 * follows. Pure.
 */
import { type Block, packNumbers, unpackNumbers } from './blocks.ts';

/** The state of a report's row index. */
export type IndexState = {
  /** Increases with every write; 0 if nothing is stored. */
  version: number;
  /** The number of this build, from 1. A rebuild starts a new build; blocks of other builds are ignored. */
  build: number;
  /** The ULID of the last indexed row; empty if there is none. */
  last: string;
  /** The number of rows that fills a block. The next row on the day starts a new block. */
  rowsPerBlock: number;
};

/**
 * The number of a day's rows, and for each block with late rows its number and how many rows exceed a full
 * block.
 */
export type DayRows = { rows: number; late: [number: number, rows: number][] };

/** A row index without its blocks. `days` has only days with rows. */
export type RowIndex = IndexState & { days: Map<string, DayRows> };

/** A day of an index, with the number of rows before it. */
export type IndexedDay = DayRows & { day: string; rowsBefore: number };

/** The default number of rows per block. A row takes one to three bytes, so a block has about 1 KB. */
export const defaultRowsPerBlock = 512;

/** Returns an index without rows. */
export const emptyIndex = (rowsPerBlock = defaultRowsPerBlock): RowIndex => ({
  version: 0,
  build: 1,
  last: '',
  rowsPerBlock,
  days: new Map(),
});

/** Returns the days of an index in order. */
export function daysIn({ days }: RowIndex): IndexedDay[] {
  let rowsBefore = 0;
  const inOrder = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([day, { rows, late }]) => {
    rowsBefore += rows;
    return { day, rows, late, rowsBefore: rowsBefore - rows };
  });
}

/** Returns the number of indexed rows. */
export const rowsIn = ({ days }: RowIndex): number =>
  [...days.values()].reduce((sum, { rows }) => sum + rows, 0);

/** Returns the number of a day's rows before a block. */
export const rowsBeforeBlock = ({ late }: DayRows, number: number, rowsPerBlock: number): number =>
  late.reduce((sum, [block, rows]) => sum + (block < number ? rows : 0), number * rowsPerBlock);

/** Returns the number of the block that contains a row. `row` is the number of rows before it on its day. */
export function blockOfRow({ late }: DayRows, row: number, rowsPerBlock: number): number {
  let onTime = row;
  for (const [block, rows] of late) {
    const end = (block + 1) * rowsPerBlock;
    if (onTime < end) break;
    if (onTime < end + rows) return block;
    onTime -= rows;
  }
  return Math.floor(onTime / rowsPerBlock);
}

/**
 * Whether a block and the day counts were written together. Rows are never removed, so equal row counts are
 * proof.
 */
export function matchesIndex({ days, rowsPerBlock }: RowIndex, { day, number, next, times }: Block): boolean {
  const counts = days.get(day) ?? { rows: 0, late: [] };
  const end = rowsBeforeBlock(counts, number, rowsPerBlock) + times.length;
  return (
    end === counts.rows || (next !== undefined && end === rowsBeforeBlock(counts, number + 1, rowsPerBlock))
  );
}

/**
 * Updates the day counts after a block's rows changed. `rowsOfBlock` is the block's previous number of rows.
 */
export function setRows(index: RowIndex, { day, number, times }: Block, rowsOfBlock: number): void {
  const { rows, late } = index.days.get(day) ?? { rows: 0, late: [] };
  const more = Math.max(0, times.length - index.rowsPerBlock);
  const others = late.filter(([block]) => block !== number);
  index.days.set(day, {
    rows: rows + times.length - rowsOfBlock,
    late: more > 0 ? [...others, [number, more] as [number, number]].sort(([a], [b]) => a - b) : others,
  });
}

/** For each day with late rows, the block numbers and their late rows as bytes. */
export type LateRows = Record<string, Uint8Array>;

/** Returns the day counts of a year as bytes. */
export function packYear({ days }: RowIndex, year: string): { rows: Uint8Array; late: LateRows } {
  const ofYear = [...days].filter(([day]) => yearOf(day) === year);
  const rows: number[] = [];
  for (const [day, counts] of ofYear) rows[placeInYear(day)] = counts.rows;
  const late = ofYear.filter(([, counts]) => counts.late.length > 0);
  return {
    rows: packNumbers(Array.from(rows, (one = 0) => one)),
    late: Object.fromEntries(late.map(([day, counts]) => [day, packNumbers(counts.late.flat())])),
  };
}

/** Returns the days of a year that have rows, from their bytes. */
export function unpackYear(year: string, rows: Uint8Array, late: LateRows): [day: string, DayRows][] {
  return unpackNumbers(rows).flatMap((count, place): [string, DayRows][] => {
    if (count === 0) return [];
    const day = new Date(Date.UTC(Number(year), 0, 1 + place)).toISOString().slice(0, 10);
    return [[day, { rows: count, late: pairsOf(unpackNumbers(late[day] ?? new Uint8Array())) }]];
  });
}

const pairsOf = (numbers: number[]): [number, number][] =>
  numbers.flatMap((one, place) => (place % 2 === 0 ? [[one, numbers[place + 1]!]] : []));

/** Returns the year of a day. */
export const yearOf = (day: string): string => day.slice(0, 4);
const placeInYear = (day: string) => (Date.parse(day) - Date.parse(`${yearOf(day)}-01-01`)) / 86_400_000;

/** Day counts of the row index: how many rows each day has, and so the place of each row and block. Pure. */
import { type Block, packNumbers, unpackNumbers } from './blocks.ts';

/** How far a report's row index has come. */
export type IndexState = {
  /** Rises with every write; 0 if nothing was ever stored. */
  version: number;
  /** How often the index was begun anew, from 1. Blocks of another build are no part of it. */
  build: number;
  /** The ULID of the last row that is indexed; empty if none is. */
  last: string;
  /** With so many rows a block is full, and the day's next row begins another. */
  rowsPerBlock: number;
};

/** The rows of a day, and of its blocks those that have more rows than a full one: late ones. */
export type DayRows = { rows: number; late: [number: number, rows: number][] };

/** A row index without its blocks. The days are those that have rows. */
export type RowIndex = IndexState & { days: Map<string, DayRows> };

/** A day of an index, and the rows before it. */
export type IndexedDay = DayRows & { day: string; rowsBefore: number };

/** Rows of a full block, unless a report's index says otherwise: one to three bytes each, so a block is about 1 KB. */
export const usualRowsPerBlock = 512;

/** The index of a report before anything is stored. */
export const emptyIndex = (rowsPerBlock = usualRowsPerBlock): RowIndex => ({
  version: 0,
  build: 1,
  last: '',
  rowsPerBlock,
  days: new Map(),
});

/** The days of an index in their order. */
export function daysIn({ days }: RowIndex): IndexedDay[] {
  let rowsBefore = 0;
  const inOrder = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([day, { rows, late }]) => {
    rowsBefore += rows;
    return { day, rows, late, rowsBefore: rowsBefore - rows };
  });
}

/** How many rows have been indexed. */
export const rowsIn = ({ days }: RowIndex): number =>
  [...days.values()].reduce((sum, { rows }) => sum + rows, 0);

/** How many rows of a day lie before a block of it. */
export const rowsBeforeBlock = ({ late }: DayRows, number: number, rowsPerBlock: number): number =>
  late.reduce((sum, [block, rows]) => sum + (block < number ? rows : 0), number * rowsPerBlock);

/** The number of the block in which a row lies, by the number of rows before it on its day. */
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
 * Whether a block is the one that the day counts speak of. Rows are never taken away: if the numbers agree,
 * all does.
 */
export function isOfIndex({ days, rowsPerBlock }: RowIndex, { day, number, next, times }: Block): boolean {
  const counts = days.get(day) ?? { rows: 0, late: [] };
  const end = rowsBeforeBlock(counts, number, rowsPerBlock) + times.length;
  return (
    end === counts.rows || (next !== undefined && end === rowsBeforeBlock(counts, number + 1, rowsPerBlock))
  );
}

/** Notes in an index that a block has other rows than before. */
export function setRows(index: RowIndex, { day, number, times }: Block, rowsOfBlock: number): void {
  const { rows, late } = index.days.get(day) ?? { rows: 0, late: [] };
  const more = Math.max(0, times.length - index.rowsPerBlock);
  const others = late.filter(([block]) => block !== number);
  index.days.set(day, {
    rows: rows + times.length - rowsOfBlock,
    late: more > 0 ? [...others, [number, more] as [number, number]].sort(([a], [b]) => a - b) : others,
  });
}

/** The late rows of those days that have some, as bytes: the number of each block and its late rows. */
export type LateRows = Record<string, Uint8Array>;

/** The day counts of a year as bytes. */
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

/** The days of a year that have rows, from their bytes. */
export function unpackYear(year: string, rows: Uint8Array, late: LateRows): [day: string, DayRows][] {
  return unpackNumbers(rows).flatMap((count, place): [string, DayRows][] => {
    if (count === 0) return [];
    const day = new Date(Date.UTC(Number(year), 0, 1 + place)).toISOString().slice(0, 10);
    return [[day, { rows: count, late: pairsOf(unpackNumbers(late[day] ?? new Uint8Array())) }]];
  });
}

const pairsOf = (numbers: number[]): [number, number][] =>
  numbers.flatMap((one, place) => (place % 2 === 0 ? [[one, numbers[place + 1]!]] : []));

/** The year of a day. */
export const yearOf = (day: string): string => day.slice(0, 4);
const placeInYear = (day: string) => (Date.parse(day) - Date.parse(`${yearOf(day)}-01-01`)) / 86_400_000;

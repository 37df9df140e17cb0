import { packNumbers, type RowBlock, unpackNumbers } from './blocks.ts';

type IndexState = {
  /** Increases by one with every write; 0 if no index is stored. */
  version: number;
  /** The number of the current build, from 1. Each rebuild starts a new build; blocks of other builds are ignored. */
  build: number;
  /** The ULID of the last indexed row; empty if there is none. */
  last: string;
  /** Rows in a full block: the next row of the day starts a new block. */
  rowsPerBlock: number;
};

/** `late` lists the full blocks that got late rows, each with the number of late rows. */
type DayRows = { rows: number; late: [number: number, rows: number][] };

/** A row index without its blocks. `days` contains only days with rows. */
export type RowIndex = IndexState & { days: Map<string, DayRows> };

/** `rowsBefore` is the number of rows on all earlier days. */
export type IndexedDay = DayRows & { day: string; rowsBefore: number };

/** A row's time takes one to three bytes, a block about 1 KB. */
export const defaultRowsPerBlock = 512;

export const emptyIndex = (rowsPerBlock = defaultRowsPerBlock): RowIndex => ({
  version: 0,
  build: 1,
  last: '',
  rowsPerBlock,
  days: new Map(),
});

/** Returns the days of a row index in ascending order, each with the number of earlier rows. */
export function indexedDaysOf({ days }: RowIndex): IndexedDay[] {
  let rowsBefore = 0;
  const inOrder = [...days].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([day, { rows, late }]) => {
    rowsBefore += rows;
    return { day, rows, late, rowsBefore: rowsBefore - rows };
  });
}

export const rowCountOf = ({ days }: RowIndex): number =>
  [...days.values()].reduce((sum, { rows }) => sum + rows, 0);

export const rowsBeforeBlock = ({ late }: DayRows, number: number, rowsPerBlock: number): number =>
  late.reduce((sum, [block, rows]) => sum + (block < number ? rows : 0), number * rowsPerBlock);

/** `row` is the row's number in its day, from 0. */
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

/** Returns whether block and day counts are from one write. Writes add rows, so counts of other writes differ. */
export function matchesIndex(
  { days, rowsPerBlock }: RowIndex,
  { day, number, next, times }: RowBlock,
): boolean {
  const counts = days.get(day) ?? { rows: 0, late: [] };
  const end = rowsBeforeBlock(counts, number, rowsPerBlock) + times.length;
  return (
    end === counts.rows || (next !== undefined && end === rowsBeforeBlock(counts, number + 1, rowsPerBlock))
  );
}

/** Updates the day counts after rows were added to a block that had `formerRows` rows. */
export function updateRowCounts(index: RowIndex, { day, number, times }: RowBlock, formerRows: number): void {
  const { rows, late } = index.days.get(day) ?? { rows: 0, late: [] };
  const more = Math.max(0, times.length - index.rowsPerBlock);
  const others = late.filter(([block]) => block !== number);
  index.days.set(day, {
    rows: rows + times.length - formerRows,
    late: more > 0 ? [...others, [number, more] as [number, number]].sort(([a], [b]) => a - b) : others,
  });
}

/** The list `late` of each day's `DayRows`, encoded as bytes. */
export type LateRows = Record<string, Uint8Array>;

/** Encodes the day counts of a year as bytes. */
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

export function unpackYear(year: string, rows: Uint8Array, late: LateRows): [day: string, DayRows][] {
  return unpackNumbers(rows).flatMap((count, place): [string, DayRows][] => {
    if (count === 0) return [];
    const day = new Date(Date.UTC(Number(year), 0, 1 + place)).toISOString().slice(0, 10);
    return [[day, { rows: count, late: pairsOf(unpackNumbers(late[day] ?? new Uint8Array())) }]];
  });
}

const pairsOf = (numbers: number[]): [number, number][] =>
  numbers.flatMap((one, place) => (place % 2 === 0 ? [[one, numbers[place + 1]!]] : []));

export const yearOf = (day: string): string => day.slice(0, 4);
const placeInYear = (day: string) => (Date.parse(day) - Date.parse(`${yearOf(day)}-01-01`)) / 86_400_000;

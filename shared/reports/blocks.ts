/** Blocks of the row index: the times of consecutive rows of one day. Pure. */
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { addDays, startOfDay } from '../time.ts';
import { boundAfter } from './record-lists.ts';

/** Consecutive rows of a report on one day in New York. */
export type Block = {
  day: string;
  /** Its number within the day, from 0. */
  number: number;
  /** Where it begins: at the ULID of its first row, or of the first block at the beginning of the day. */
  first: string;
  /** Where the day's next block begins; absent while there is none. */
  next?: string | undefined;
  /** The time of each row (epoch milliseconds), ascending. */
  times: number[];
};

/** A bound, and how many rows lie before it. */
export type CountedKey = { key: string; rowsBefore: number };

/** The first block of a day, without rows. */
export const firstBlock = (day: string): Block => ({
  day,
  number: 0,
  first: ulidFloor(startOfDay(day)),
  times: [],
});

/** The block that follows a full one on the same day, and begins with a row. */
export const blockAfter = ({ day, number }: Block, ulid: string): Block => ({
  day,
  number: number + 1,
  first: ulid,
  times: [],
});

/** Where a block ends: where the next one begins, or with its day, or after the last row that is indexed. */
export function endOf({ day, next }: Block, last: string): string {
  if (next !== undefined) return next;
  const [endOfDay, endOfIndex] = [ulidFloor(startOfDay(addDays(day, 1))), boundAfter(last)];
  return endOfDay < endOfIndex ? endOfDay : endOfIndex;
}

/** The time of a ULID, or of a text that one begins with (epoch milliseconds). */
export const timeOf = (key: string): number => timeOfUlid(key.slice(0, 10).padEnd(26, '0'));

/** How many of a block's rows lie before a time (epoch milliseconds). */
export function rowsBeforeTime({ times }: Block, time: number): number {
  const index = times.findIndex((one) => one >= time);
  return index < 0 ? times.length : index;
}

/**
 * The bounds within a block whose counts are known: its beginning, each of its rows' times, and the next
 * block's beginning.
 */
export function countedKeysOf({ first, next, times }: Block, rowsBefore: number): CountedKey[] {
  const keys = [{ key: first, rowsBefore }];
  for (const [index, time] of times.entries()) {
    // Of rows of one time, the first stands for all.
    if (time > (times[index - 1] ?? timeOf(first))) {
      keys.push({ key: ulidFloor(time), rowsBefore: rowsBefore + index });
    }
  }
  if (next !== undefined) keys.push({ key: next, rowsBefore: rowsBefore + times.length });
  return keys;
}

/** The times of a block as bytes: each as the difference from the one before, the first from where the block begins. */
export function packTimes({ first, times }: Block): Uint8Array {
  return packNumbers(times.map((time, index) => time - (times[index - 1] ?? timeOf(first))));
}

/** The times of a block that begins at a key, from their bytes. */
export function unpackTimes(bytes: Uint8Array, first: string): number[] {
  let time = timeOf(first);
  return unpackNumbers(bytes).map((difference) => {
    time += difference;
    return time;
  });
}

/** Whole numbers from 0 as bytes: seven bits in each byte, the lowest first; the highest bit says that more follow. */
export function packNumbers(numbers: number[]): Uint8Array {
  const bytes: number[] = [];
  for (let number of numbers) {
    for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
    bytes.push(number);
  }
  return Uint8Array.from(bytes);
}

/** The numbers in such bytes. */
export function unpackNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let [number, unit] = [0, 1];
  for (const byte of bytes) {
    number += (byte % 128) * unit;
    unit *= 128;
    if (byte < 128) {
      numbers.push(number);
      [number, unit] = [0, 1];
    }
  }
  return numbers;
}

/** Blocks of the row index: each has the times of consecutive rows of one day. Pure. */
import { timeOfUlid, ulidFloor } from '../ids.ts';
import { addDays, startOfDay } from '../time.ts';
import { boundAfter } from './record-lists.ts';

/** A block: consecutive rows of a report on one day in New York. */
export type Block = {
  day: string;
  /** The block's number within its day, from 0. */
  number: number;
  /** The key where the block begins: its first row's ULID, or the start of the day for the first block. */
  first: string;
  /** The key where the day's next block begins, if there is one. */
  next?: string | undefined;
  /** The time of each row in epoch milliseconds, ascending. */
  times: number[];
};

/** A key with the number of rows before it. */
export type CountedKey = { key: string; rowsBefore: number };

/** Returns the first block of a day, without rows. */
export const firstBlock = (day: string): Block => ({
  day,
  number: 0,
  first: ulidFloor(startOfDay(day)),
  times: [],
});

/** Returns the block after a full one on the same day. It begins at the ULID of its first row. */
export const blockAfter = ({ day, number }: Block, ulid: string): Block => ({
  day,
  number: number + 1,
  first: ulid,
  times: [],
});

/**
 * Returns the key where a block ends: the next block's beginning, the end of the day, or after the last
 * indexed row.
 */
export function endOf({ day, next }: Block, last: string): string {
  if (next !== undefined) return next;
  const [endOfDay, endOfIndex] = [ulidFloor(startOfDay(addDays(day, 1))), boundAfter(last)];
  return endOfDay < endOfIndex ? endOfDay : endOfIndex;
}

/** Returns the time of a ULID, or of a key that is a ULID's prefix, in epoch milliseconds. */
export const timeOf = (key: string): number => timeOfUlid(key.slice(0, 10).padEnd(26, '0'));

/** Returns the number of a block's rows before a time in epoch milliseconds. */
export function rowsBeforeTime({ times }: Block, time: number): number {
  const index = times.findIndex((one) => one >= time);
  return index < 0 ? times.length : index;
}

/**
 * Returns the keys in a block whose row counts are known: its beginning, the time of each row, and the next
 * block's beginning.
 */
export function countedKeysOf({ first, next, times }: Block, rowsBefore: number): CountedKey[] {
  const keys = [{ key: first, rowsBefore }];
  for (const [index, time] of times.entries()) {
    // Rows with the same time share one key, before the first of them.
    if (time > (times[index - 1] ?? timeOf(first))) {
      keys.push({ key: ulidFloor(time), rowsBefore: rowsBefore + index });
    }
  }
  if (next !== undefined) keys.push({ key: next, rowsBefore: rowsBefore + times.length });
  return keys;
}

/**
 * Returns a block's times as bytes: each as the difference from the previous time, the first from the block's
 * beginning.
 */
export function packTimes({ first, times }: Block): Uint8Array {
  return packNumbers(times.map((time, index) => time - (times[index - 1] ?? timeOf(first))));
}

/** Returns the times of a block that begins at a key, from their bytes. */
export function unpackTimes(bytes: Uint8Array, first: string): number[] {
  let time = timeOf(first);
  return unpackNumbers(bytes).map((difference) => {
    time += difference;
    return time;
  });
}

/**
 * Encodes non-negative integers as varints: seven bits per byte, lowest first; the highest bit marks a
 * continuation.
 */
export function packNumbers(numbers: number[]): Uint8Array {
  const bytes: number[] = [];
  for (let number of numbers) {
    for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
    bytes.push(number);
  }
  return Uint8Array.from(bytes);
}

/** Decodes varints. */
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

/** A block has the times of 512 consecutive rows of one day, and of late rows among them. */
import { timeOfUlid, ulidTimePart } from '../ids.ts';
import { addDays, startOfDay } from '../time.ts';
import { boundAfter } from './record-lists.ts';

export type RowBlock = {
  day: string;
  /** The block's number within its day, from 0. */
  number: number;
  /** The key where the block begins: a ULID, or the first part of one at the start of the day. */
  first: string;
  /** The key where the next block begins. Absent in the day's last block. */
  next?: string | undefined;
  /** The time of each row in epoch milliseconds, ascending. */
  times: number[];
};

/** A key in a report (a ULID or its first part) and the number of rows before the key. */
export type CountedKey = { key: string; rowsBefore: number };

export const firstBlock = (day: string): RowBlock => ({
  day,
  number: 0,
  first: ulidTimePart(startOfDay(day)),
  times: [],
});

export const blockAfter = ({ day, number }: RowBlock, ulid: string): RowBlock => ({
  day,
  number: number + 1,
  first: ulid,
  times: [],
});

/** Returns the key at which a block ends. `last` is the last indexed ULID. */
export function blockEnd({ day, next }: RowBlock, last: string): string {
  if (next !== undefined) return next;
  // The day's last block ends with the day, or earlier, after the last indexed row.
  const [endOfDay, endOfIndex] = [ulidTimePart(startOfDay(addDays(day, 1))), boundAfter(last)];
  return endOfDay < endOfIndex ? endOfDay : endOfIndex;
}

/** Returns the epoch milliseconds in a key, which is a ULID or its first part. */
export const timeOfKey = (key: string): number => timeOfUlid(key.slice(0, 10).padEnd(26, '0'));

/** Returns how many rows of a block are older than a time (epoch milliseconds). */
export function rowsBeforeTime({ times }: RowBlock, time: number): number {
  const index = times.findIndex((one) => one >= time);
  return index < 0 ? times.length : index;
}

export function countedKeysOf({ first, next, times }: RowBlock, rowsBefore: number): CountedKey[] {
  const keys = [{ key: first, rowsBefore }];
  for (const [index, time] of times.entries()) {
    // Rows with the same time share one key, which is before the first of these rows.
    if (time > (times[index - 1] ?? timeOfKey(first))) {
      keys.push({ key: ulidTimePart(time), rowsBefore: rowsBefore + index });
    }
  }
  if (next !== undefined) keys.push({ key: next, rowsBefore: rowsBefore + times.length });
  return keys;
}

export function packTimes({ first, times }: RowBlock): Uint8Array {
  return packNumbers(times.map((time, index) => time - (times[index - 1] ?? timeOfKey(first))));
}

/** `first` is the key where the block begins. */
export function unpackTimes(bytes: Uint8Array, first: string): number[] {
  let time = timeOfKey(first);
  return unpackNumbers(bytes).map((difference) => {
    time += difference;
    return time;
  });
}

/**
 * Encodes non-negative integers as varints: 7 bits per byte, lowest first. The high bit means that another
 * byte follows.
 */
export function packNumbers(numbers: number[]): Uint8Array {
  const bytes: number[] = [];
  for (let number of numbers) {
    for (; number >= 128; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
    bytes.push(number);
  }
  return Uint8Array.from(bytes);
}

/** Decodes the integers that `packNumbers` encoded. */
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

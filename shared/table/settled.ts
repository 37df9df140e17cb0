/** Computes up to which time the index `byTime` shows all records in order. */
import { ulidFloor } from '../ids.ts';

/**
 * Age in milliseconds from which a record is settled: normally, the index `byTime` then contains all records
 * before it.
 */
export const settledAfterMs = 60_000;

/**
 * Returns the key before which all records have settled. Newer records can appear in any order, because the
 * index lags.
 */
export const settledBefore = (now: number): string => ulidFloor(Math.max(0, now - settledAfterMs));

/** Computes up to which time the index `byTime` shows all records in order. */
import { ulidFloor } from '../ids.ts';

/**
 * Age in milliseconds from which a record is settled: 30 s until the last write (`staleAfterMs`), and as long until the
 * index `byTime` contains it. AWS promises no maximum.
 */
export const settledAfterMs = 60_000;

/**
 * Returns the key before which all records have settled. Newer records can appear in any order, because the
 * index lags.
 */
export const settledBefore = (now: number): string => ulidFloor(Math.max(0, now - settledAfterMs));

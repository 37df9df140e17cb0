/** Computes up to which time the index `byTime` shows all records in order. */
import { ulidTimePart } from '../ids.ts';

/**
 * Age in milliseconds from which a record is settled. Even a frozen function writes a record within 45 s of its time:
 * twice `staleAfterMs`, and 5 s of repetitions. Then the index `byTime` lags by seconds; AWS promises no maximum.
 */
export const settledAfterMs = 60_000;

/**
 * Returns the key before which all records have settled. Newer records can appear in any order, because the
 * index lags.
 */
export const settledBefore = (now: number): string => ulidTimePart(Math.max(0, now - settledAfterMs));

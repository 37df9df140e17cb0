import type { Context } from 'aws-lambda';
import { checkAllBooks } from '../../shared/books/check-all.ts';

/** Milliseconds reserved for the check of a day of a million records, which cannot be interrupted. */
const reserveMs = 600_000;

/** Runs on a schedule. Checks the books that are closed and not checked yet. */
export const handler = (_event: unknown, context: Context) =>
  checkAllBooks(Date.now(), () => context.getRemainingTimeInMillis() > reserveMs);

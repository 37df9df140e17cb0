import type { Context } from 'aws-lambda';
import { checkAllBooks } from '../../shared/books/check-all.ts';

/** Checks the books that are closed and not checked yet. */
export const handler = (_event: unknown, context: Context) =>
  checkAllBooks(Date.now(), () => context.getRemainingTimeInMillis());

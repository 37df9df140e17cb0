import type { Context } from 'aws-lambda';
import { closeAllBooks } from '../../shared/books/close-all.ts';
import { recordDeploy } from '../../shared/operations/change-settings.ts';

/** Milliseconds reserved at the end of the function's time, to record the progress. */
const reserveMs = 30_000;

/** Runs on a schedule. Closes the books of past days until the function's time is nearly up. */
export const handler = (event: unknown, context: Context): Promise<{ closed: number }> =>
  closeAllBooks(event, Date.now(), () => context.getRemainingTimeInMillis() > reserveMs, recordDeploy);

import type { Context } from 'aws-lambda';
import { closeAllBooks } from '../../shared/books/close-all.ts';
import { recordDeploy } from '../../shared/operations/change-settings.ts';

/** What is kept back of a function's time, for what it is at to be noted. */
const reserveMs = 30_000;

/** Called by a schedule: closes the books of all days that are over, as far as its time allows. */
export const handler = (event: unknown, context: Context): Promise<{ closed: number }> =>
  closeAllBooks(event, Date.now(), () => context.getRemainingTimeInMillis() > reserveMs, recordDeploy);

import type { Context } from 'aws-lambda';
import { applyDeployedSettings } from '../../shared/actions/change-settings.ts';
import { closeAllBooks } from '../../shared/books/close-all.ts';

/** Milliseconds of the function's timeout that are reserved for storing the progress of an unfinished book. */
const reserveMs = 30_000;

/** Closes books of past days and asks for timestamps until the function's time is nearly up. */
export const handler = (event: unknown, context: Context): Promise<{ closed: number }> =>
  closeAllBooks(
    event,
    Date.now(),
    () => context.getRemainingTimeInMillis() > reserveMs,
    applyDeployedSettings,
  );

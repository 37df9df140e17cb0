import type { Context } from 'aws-lambda';
import { checkAllBooks } from '../../shared/books/check-all.ts';

export const handler = (_event: unknown, context: Context) =>
  checkAllBooks(Date.now(), () => context.getRemainingTimeInMillis());

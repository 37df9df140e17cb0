import { mkdir } from 'node:fs/promises';
import { keptLineOf } from '../../../shared/books/book.ts';
import { checkResultOf, readBookChecks } from '../../../shared/books/check-all.ts';
import { writeBookFiles } from '../../../shared/books/export.ts';
import { readBook, readBooks, type StoredBook } from '../../../shared/books/stored-books.ts';
import { Problem } from '../../common/problem.ts';

/** A book's `keep` line later shows an outsider whether the book was changed. */
export async function listBooks(organizationId: string) {
  const [books, checks] = await Promise.all([readBooks(organizationId), readBookChecks(organizationId)]);
  const results = new Map(checks.map((check) => [check.day, checkResultOf(check)]));
  const listed = books.map(({ day, book, timestamp }) => ({
    day,
    records: book.size,
    check: results.get(day) ?? 'not yet',
    timestamp: timestamp ? 'stored' : 'not yet',
    keep: keptLineOf(book),
  }));
  return { books: listed };
}

/** Throws a Problem if there is no book of this day. */
export async function showBook(organizationId: string, day: string) {
  const { book, key } = await bookOf(organizationId, day);
  return {
    ...book.header,
    records: book.size,
    root: book.root.toString('base64'),
    keep: keptLineOf(book),
    key,
  };
}

export async function exportBook(organizationId: string, day: string, folder: string): Promise<string[]> {
  const stored = await bookOf(organizationId, day);
  try {
    await mkdir(folder, { recursive: true });
    return await writeBookFiles(organizationId, stored, folder);
  } catch (error) {
    const { syscall, path, message } = error as NodeJS.ErrnoException;
    throw syscall === 'open' || syscall === 'mkdir'
      ? new Problem(`${path} can't be written: ${message}`)
      : error;
  }
}

async function bookOf(organizationId: string, day: string): Promise<StoredBook> {
  const book = /^\d{4}-\d{2}-\d{2}$/.test(day) ? await readBook(organizationId, day) : undefined;
  if (book) return book;
  throw new Problem(`There is no book of ${day}. Books are closed one hour after their day ends.`);
}

/** Finds the files of books and records on disk, and groups them by organization and day. */
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Book, maxBookCharacters, parseBook, parseRecordsHead, type RecordsHead } from '../book.ts';
import { type Code, type Report, type Tallies, tally, type Where } from '../check/findings.ts';
import { readFirstLine } from './chunks.ts';

/** A records file. `size` is in bytes; `next` is the byte offset of the second line. */
export type RecordsFile = { path: string; size: number; head: RecordsHead; next: number };
/** The files of one organization's day. The book or the records may be missing. */
export type DayFiles = { organizationId: string; day: string; book?: BookFile; records?: RecordsFile };
export type BookFile = { path: string; book: Book };

/** Returns the file name that findings show for a path. */
export const nameOf = (path: string): string => basename(path);

const isBook = (path: string) => path.endsWith('.book');
const isRecords = (path: string) => path.endsWith('.records');

/** Returns the given files, and the .book and .records files of given folders. Throws if a path does not exist. */
export function filesAmong(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter((name) => isBook(name) || isRecords(name))
      .sort()
      .map((name) => join(path, name));
  });
  const seen = new Set<string>();
  return files.filter((file) => {
    const real = realpathSync(file);
    return seen.has(real) ? false : seen.add(real);
  });
}

/**
 * Reads all books and the first line of each records file. Returns the files by day; unreadable files become
 * findings.
 */
export async function readBookFiles(files: readonly string[], findings: Tallies<Code>): Promise<DayFiles[]> {
  const byDay = new Map<string, DayFiles>();
  /** Organization and day by file path without extension. A book and its records file differ only in the extension. */
  const keyByStem = new Map<string, string>();
  for (const path of files) {
    const find = (code: Code, sentence: string, place: Where = {}) =>
      tally(findings, code, { file: nameOf(path), ...place, sentence });
    const read = await readFile(path);
    if ('fault' in read) {
      find(read.fault, read.sentence);
      continue;
    }
    const { organization_id, day } = 'book' in read ? read.book.header : read.head;
    const key = keyOf(organization_id, day);
    const other = keyByStem.get(stemOf(path)) ?? key;
    if (other !== key)
      find('files_do_not_match', `This file is for ${key}; its counterpart is for ${other}.`);
    keyByStem.set(stemOf(path), key);
    const dayFiles = byDay.get(key) ?? { organizationId: organization_id, day };
    byDay.set(key, dayFiles);
    addTo(dayFiles, path, read, (code, sentence) => find(code, sentence, { organization_id, day }));
  }
  return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, dayFiles]) => dayFiles);
}

const keyOf = (organizationId: string, day: string) => `${organizationId} ${day}`;

function addTo(dayFiles: DayFiles, path: string, validFile: ValidFile, find: Report['finding']) {
  if ('book' in validFile) {
    const other = dayFiles.book;
    if (other && other.book.digest !== validFile.book.digest) {
      find('forked', `This book differs from ${nameOf(other.path)}.`);
    }
    dayFiles.book ??= { path, book: validFile.book };
  } else {
    if (dayFiles.records) {
      find('files_do_not_match', `${nameOf(dayFiles.records.path)} also has records of that day.`);
    }
    dayFiles.records ??= { ...validFile, path };
  }
}

const stemOf = (path: string) => path.replace(/\.(book|records)$/, '');

type ValidFile = { book: Book } | Omit<RecordsFile, 'path'>;
type ReadResult = ValidFile | { fault: Code; sentence: string };

async function readFile(path: string): Promise<ReadResult> {
  try {
    // Rejects named pipes and devices: opening a pipe would block the check, and reading a device might never end.
    if (!statSync(path).isFile()) return { fault: 'unreadable_file', sentence: 'This is no regular file.' };
    if (isBook(path)) return readBook(path);
    if (isRecords(path)) return await readRecords(path);
    return { fault: 'not_a_book', sentence: 'The file name must end in .book or .records.' };
  } catch (error) {
    return { fault: 'unreadable_file', sentence: (error as Error).message };
  }
}

const sentences: Record<'cut_off' | 'not_a_book' | 'newer_format' | 'too_large', string> = {
  cut_off: 'The file is incomplete.',
  not_a_book: 'The file does not start like a book or a records file.',
  newer_format: 'This version of the program does not know the file’s format.',
  too_large: 'The file is larger than its format allows.',
};

function readBook(path: string): ReadResult {
  // Rejects a file that is too long without reading it. A character takes at most four bytes in UTF-8.
  if (statSync(path).size > 4 * maxBookCharacters)
    return { fault: 'too_large', sentence: sentences.too_large };
  const bytes = readFileSync(path);
  const read = isUtf8(bytes) ? parseBook(bytes.toString()) : { fault: 'not_a_book' as const };
  return 'book' in read ? read : { fault: read.fault, sentence: sentences[read.fault] };
}

async function readRecords(path: string): Promise<ReadResult> {
  const first = await readFirstLine(path);
  if ('fault' in first) return { fault: first.fault, sentence: sentences[first.fault] };
  const read = parseRecordsHead(first.line);
  if ('fault' in read) return { fault: read.fault, sentence: sentences[read.fault] };
  return { head: read.head, next: first.next, size: statSync(path).size };
}

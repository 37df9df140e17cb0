/** The files that were given, read as far as they tell what they are: a book and its records make a volume. */
import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Book,
  mostOfBook,
  parseBook,
  parseRecordsHead,
  type RecordsHead,
} from '../../shared/books/book.ts';
import {
  type Code,
  type Report,
  type Tallies,
  tally,
  type Where,
} from '../../shared/books/check/findings.ts';
import { readFirstLine } from './chunks.ts';

/** A file of records: its size in bytes, what its first line says, and where its second one begins. */
export type RecordsFile = { path: string; size: number; head: RecordsHead; next: number };
/** What there is of an organization's day. */
export type DayFiles = { organizationId: string; day: string; book?: BookFile; records?: RecordsFile };
export type BookFile = { path: string; book: Book };

/** What a file is called in findings. */
export const nameOf = (path: string): string => basename(path);

const isBook = (path: string) => path.endsWith('.book');
const isRecords = (path: string) => path.endsWith('.records');

/** The files of books and records among paths of files and folders, each once. Throws for a path that is neither. */
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

/** Reads books, and the first lines of records; what cannot be read is found. In the order of their days. */
export async function readBookFiles(files: readonly string[], findings: Tallies<Code>): Promise<DayFiles[]> {
  const byDay = new Map<string, DayFiles>();
  /** What the files of one name, their ending aside, are of. */
  const beside = new Map<string, string>();
  for (const path of files) {
    const find = (code: Code, sentence: string, where: Where = {}) =>
      tally(findings, code, { file: nameOf(path), ...where, sentence });
    const read = await readFile(path);
    if ('fault' in read) {
      find(read.fault, read.sentence);
      continue;
    }
    const { organization_id, day } = 'book' in read ? read.book.header : read.head;
    const key = keyOf(organization_id, day);
    const other = beside.get(stemOf(path)) ?? key;
    if (other !== key) find('mixed_up', `It is of ${key}, and the file beside it of ${other}.`);
    beside.set(stemOf(path), key);
    const dayFiles = byDay.get(key) ?? { organizationId: organization_id, day };
    byDay.set(key, dayFiles);
    addTo(dayFiles, path, read, (code, sentence) => find(code, sentence, { organization_id, day }));
  }
  return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, dayFiles]) => dayFiles);
}

const keyOf = (organizationId: string, day: string) => `${organizationId} ${day}`;

function addTo(dayFiles: DayFiles, path: string, read: Known, find: Report['finding']) {
  if ('book' in read) {
    const other = dayFiles.book;
    if (other && other.book.digest !== read.book.digest) {
      find('forked', `It is not the same as ${nameOf(other.path)}.`);
    }
    dayFiles.book ??= { path, book: read.book };
  } else {
    if (dayFiles.records) {
      find('mixed_up', `There are records of that day in ${nameOf(dayFiles.records.path)} too.`);
    }
    dayFiles.records ??= { ...read, path };
  }
}

const stemOf = (path: string) => path.replace(/\.(book|records)$/, '');

type Known = { book: Book } | Omit<RecordsFile, 'path'>;
type Read = Known | { fault: Code; sentence: string };

async function readFile(path: string): Promise<Read> {
  try {
    if (isBook(path)) return readBook(path);
    if (isRecords(path)) return await readRecords(path);
    return { fault: 'not_a_book', sentence: 'Its name ends neither with .book nor with .records.' };
  } catch (error) {
    return { fault: 'unreadable_file', sentence: (error as Error).message };
  }
}

const sentences: Record<'cut_off' | 'not_a_book' | 'newer_format' | 'enormous', string> = {
  cut_off: 'It ends in the middle.',
  not_a_book: 'It does not begin as such a file does.',
  newer_format: 'It is of a format that this check does not know.',
  enormous: 'It is larger than it can be.',
};

function readBook(path: string): Read {
  // A character has up to four bytes.
  if (statSync(path).size > 4 * mostOfBook) return { fault: 'enormous', sentence: sentences.enormous };
  const bytes = readFileSync(path);
  const read = isUtf8(bytes) ? parseBook(bytes.toString()) : { fault: 'not_a_book' as const };
  return 'book' in read ? read : { fault: read.fault, sentence: sentences[read.fault] };
}

async function readRecords(path: string): Promise<Read> {
  const first = await readFirstLine(path);
  if ('fault' in first) return { fault: first.fault, sentence: sentences[first.fault] };
  const read = parseRecordsHead(first.line);
  if ('fault' in read) return { fault: read.fault, sentence: sentences[read.fault] };
  return { head: read.head, next: first.next, size: statSync(path).size };
}

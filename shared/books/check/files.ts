import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import {
  type Book,
  maxBookCharacters,
  maxRecordsHeadBytes,
  parseBook,
  parseRecordsHead,
  type RecordsHead,
  timestampSchema,
} from '../book.ts';
import { boundedText, instantSchema, integer, prefixedId } from '../fields.ts';
import { drawingTermsSchema, listSummarySchema, maxLeafBytes } from '../leaves.ts';
import { type FindingTallies, reporterFor } from './findings.ts';

export type BookFile = { path: string; book: Book };
/** `size` is in bytes; `next` is the byte offset of the second line. */
export type RecordsFile = { path: string; size: number; head: RecordsHead; next: number };
export type DayFiles = { organizationId: string; day: string; book?: BookFile; records?: RecordsFile };

/** The fields of a drawing's public file that are checked. */
const drawingFile = z.object({
  format: z.literal(1),
  organization_id: z.string(),
  terms: drawingTermsSchema,
  list: z.object(listSummarySchema.shape),
  timestamp: z.optional(timestampSchema),
  signature: z.optional(boundedText(96)),
  drawn: z.array(
    z.object({
      place: integer(1),
      user_id: prefixedId('usr'),
      won_at: instantSchema,
      forfeited: z.optional(boundedText(500)),
      forfeited_at: z.optional(instantSchema),
    }),
  ),
});
export type DrawingFile = z.output<typeof drawingFile>;

export const fileNameOf = (path: string): string => basename(path);

const isBook = (path: string) => path.endsWith('.book');
const isRecords = (path: string) => path.endsWith('.records');
const isDrawing = (path: string) => path.endsWith('.drawing');

/** Returns the given files, and those in given folders, each once. Throws if a path does not exist. */
export function listBookFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path)
      .filter((name) => isBook(name) || isRecords(name) || isDrawing(name))
      .sort()
      .map((name) => join(path, name));
  });
  const byRealPath = new Map(files.map((file) => [realpathSync(file), file]));
  return [...byRealPath.values()];
}

/** Groups files by organization and day. Files that cannot be read become findings. */
export function readBookFiles(
  files: readonly string[],
  tallies: FindingTallies,
): { organizations: DayFiles[][]; drawings: { file: DrawingFile; name: string }[] } {
  const drawings: { file: DrawingFile; name: string }[] = [];
  const days = new Map<string, DayFiles>();
  for (const path of files) {
    const read = readFile(path);
    if ('fault' in read) {
      reporterFor(tallies, { file: fileNameOf(path) })(read.fault, read.sentence);
      continue;
    }
    if ('drawing' in read) {
      drawings.push({ file: read.drawing, name: fileNameOf(path) });
      continue;
    }
    const { organization_id, day } = 'book' in read ? read.book.header : read.head;
    const key = `${organization_id} ${day}`;
    const ofDay = days.get(key) ?? { organizationId: organization_id, day };
    days.set(key, ofDay);
    addTo(ofDay, path, read, tallies);
  }
  const sorted = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ofDay]) => ofDay);
  const organizations = new Map<string, DayFiles[]>();
  for (const one of sorted)
    organizations.set(one.organizationId, [...(organizations.get(one.organizationId) ?? []), one]);
  return { organizations: [...organizations.values()], drawings };
}

type DayFile = { book: Book } | Omit<RecordsFile, 'path'>;
type ValidFile = DayFile | { drawing: DrawingFile };
type Unread = { fault: 'unreadable_file' | 'not_a_book'; sentence: string };

function addTo(ofDay: DayFiles, path: string, file: DayFile, tallies: FindingTallies) {
  const { organizationId: organization_id, day } = ofDay;
  const report = reporterFor(tallies, { organization_id, day, file: fileNameOf(path) });
  if ('book' in file) {
    if (ofDay.book && ofDay.book.book.digest !== file.book.digest)
      report('book_replaced', `This book differs from ${fileNameOf(ofDay.book.path)}.`);
    ofDay.book ??= { path, book: file.book };
  } else {
    if (ofDay.records)
      report('not_a_book', `${fileNameOf(ofDay.records.path)} also has records of that day.`);
    ofDay.records ??= { ...file, path };
  }
}

function readFile(path: string): ValidFile | Unread {
  try {
    // Opening a named pipe would block the check, and reading a device might never end.
    if (!statSync(path).isFile()) return unread('unreadable_file', 'This is not a regular file.');
    if (isBook(path)) return readBook(path);
    if (isRecords(path)) return readHead(path);
    if (isDrawing(path)) return readDrawing(path);
    return unread('not_a_book', 'The file name must end in .book, .records or .drawing.');
  } catch (error) {
    return unread('unreadable_file', (error as Error).message);
  }
}

const unread = (fault: Unread['fault'], sentence: string): Unread => ({ fault, sentence });
const sentences = {
  cut_off: 'The file is incomplete.',
  not_a_book: 'The file does not start like a book or a records file.',
  newer_format: 'This version of the program does not know the file’s format.',
  too_large: 'The file is larger than its format allows.',
};

function readBook(path: string): ValidFile | Unread {
  // A character takes at most four bytes in UTF-8.
  if (statSync(path).size > 4 * maxBookCharacters) return unread('not_a_book', sentences.too_large);
  const bytes = readFileSync(path);
  const read = isUtf8(bytes) ? parseBook(bytes.toString()) : { fault: 'not_a_book' as const };
  return 'book' in read ? read : unread('not_a_book', sentences[read.fault]);
}

function readDrawing(path: string): ValidFile | Unread {
  const isShort = statSync(path).size <= 4 * maxBookCharacters;
  const parsed = isShort ? drawingFile.safeParse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
  return parsed?.success
    ? { drawing: parsed.data }
    : unread('not_a_book', 'The file is not that of a drawing.');
}

function readHead(path: string): ValidFile | Unread {
  const first = readFirstLine(path);
  if (!first) return unread('not_a_book', sentences.cut_off);
  const read = parseRecordsHead(first.line);
  if ('fault' in read) return unread('not_a_book', sentences[read.fault]);
  return { head: read.head, next: first.next, size: statSync(path).size };
}

const newline = 10;

function readFirstLine(path: string): { line: string; next: number } | undefined {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(Math.min(statSync(path).size, maxRecordsHeadBytes + 1));
    const read = readSync(file, buffer, 0, buffer.length, 0);
    const end = buffer.subarray(0, read).indexOf(newline);
    return end < 0 ? undefined : { line: buffer.toString('utf8', 0, end), next: end + 1 };
  } finally {
    closeSync(file);
  }
}

/** A line of a records file without its newline. `text` is empty if the bytes are not UTF-8. */
export type RecordLine = { bytes: Buffer; text: string };
/** The reason why a file could not be read to its end. */
export type ReadFault = 'cut_off' | 'too_large' | 'too_many_lines';

// A line has at most a quarter of this size, so that each chunk contains a whole line.
const chunkBytes = 4 * maxLeafBytes;
/** Reads at most this many lines more than the book says, so that the check of a crafted file ends. */
const surplusLines = 1000;

/** Yields lines in chunks. Returns why reading failed, if it did. A chunk's `bytes` last until the next chunk. */
export function* readLineChunks(
  { path, next }: RecordsFile,
  maxLines: number,
): Generator<RecordLine[], ReadFault | undefined> {
  const file = openSync(path, 'r');
  const buffer = Buffer.alloc(chunkBytes);
  try {
    let [position, kept, lines] = [next, 0, 0];
    for (;;) {
      const read = readSync(file, buffer, kept, buffer.length - kept, position);
      position += read;
      const filled = buffer.subarray(0, kept + read);
      const { found, end } = linesIn(filled);
      if (filled.length - end > maxLeafBytes || found.some(({ bytes }) => bytes.length > maxLeafBytes))
        return 'too_large';
      lines += found.length;
      if (lines > maxLines + surplusLines) return 'too_many_lines';
      if (found.length > 0) yield found;
      kept = filled.length - end;
      filled.copy(buffer, 0, end);
      if (read === 0) return kept > 0 ? 'cut_off' : undefined;
    }
  } finally {
    closeSync(file);
  }
}

function linesIn(bytes: Buffer): { found: RecordLine[]; end: number } {
  const found: RecordLine[] = [];
  const isText = isUtf8(bytes);
  let start = 0;
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
    const line = bytes.subarray(start, end);
    found.push({ bytes: line, text: isText || isUtf8(line) ? bytes.toString('utf8', start, end) : '' });
    start = end + 1;
  }
  return { found, end: start };
}

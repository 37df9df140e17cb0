import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { canonicalJson } from '../ids.ts';
import { parseNote, type SignedNote } from '../note.ts';
import { stages } from '../stage.ts';
import { addDays, startOfDay } from '../time.ts';
import { maxTimestampTokenBytes } from '../timestamps/timestamp.ts';
import { entryTypes } from '../vocabulary.ts';
import {
  boundedText,
  daySchema,
  hexBytes,
  integer,
  parseLine,
  prefixedId,
  prizesSchema,
  settingsSchema,
  tableVersionSchema,
} from './fields.ts';

const prefix = 'incentives/';
/** `parseBook` rejects books of any other version. */
export const bookFormat = 1;
export const maxBookCharacters = 2 ** 20;
export const maxRecordsHeadBytes = 2 ** 24;

const movements = z.strictObject({ credited: integer(), debited: integer() });
const entryMovements = Object.fromEntries(entryTypes.map((type) => [type, movements])) as Record<
  (typeof entryTypes)[number],
  typeof movements
>;

export const bookTotals = z.strictObject({
  counts: z.strictObject({
    tickets: integer(),
    entries: integer(),
    outcomes: integer(),
    orders: integer(),
    claims: integer(),
    actions: integer(),
  }),
  sums: z.strictObject({
    tickets: movements,
    ...entryMovements,
    /** Cash won by outcomes, in USD. */
    cash_usd: integer(),
    /** Spins with a forced result count only as `debug`. */
    spins: z.strictObject({ regular: integer(), amoe: integer(), debug: integer() }),
    spins_ordered: integer(),
  }),
});

const header = z.strictObject({
  format: z.literal(bookFormat),
  organization_id: prefixedId('org'),
  day: daySchema,
  /** The check reports forced results (`debug`) only in books of `production`. */
  stage: z.enum(stages),
  /** Hex SHA-256 of the text of the previous day's book; null in the first book. */
  previous: z.nullable(hexBytes(32)),
  ...bookTotals.shape,
  /** Exactly one entry: the secret of the book's day, in hex. */
  secrets: z.record(daySchema, hexBytes(32)),
  /** Exactly one entry: the hex SHA-256 of the secret of two days later, which nobody can change after that. */
  fingerprints: z.record(daySchema, hexBytes(32)),
  settings: settingsSchema,
});

export type BookHeader = z.output<typeof header>;
export type BookCounts = BookHeader['counts'];
export type BookSums = BookHeader['sums'];

/** `size` is the number of records. `digest` is the hex SHA-256 of the text without signatures. */
export type Book = {
  header: BookHeader;
  size: number;
  root: Buffer;
  note: SignedNote;
  digest: string;
  /** The SHA-256 of the signed note, of which authorities make timestamps. */
  noteDigest: Buffer;
};

/** Reasons why a text is not accepted as a book, or as the first line of a records file. */
type BookFault = 'cut_off' | 'not_a_book' | 'newer_format' | 'too_large';

/** Formats a book as text. Throws if `parseBook` would reject it. */
export function bookText(fields: BookHeader, size: number, root: Uint8Array): string {
  const { organization_id, day } = fields;
  const lines = [`${prefix}${organization_id}/${day}`, size, Buffer.from(root).toString('base64')];
  const line = canonicalJson(fields);
  if (!parseLine(header, line)) throw new Error(`invalid header of a book: ${line}`);
  return `${lines.join('\n')}\n${line}\n`;
}

export const bookDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

const hourMs = 3_600_000;

export const bookClosableAt = (day: string): number => startOfDay(addDays(day, 1)) + hourMs;

/** Maximum milliseconds by which a timestamp may precede `bookClosableAt` or an earlier book's: clocks differ. */
export const maxTimestampSkewMs = 60_000;
/** Milliseconds after `bookClosableAt`. Authorities are asked every six hours, so one failed attempt is allowed. */
export const timestampLateAfterMs = 12 * 3_600_000;

/** Returns the line by which an auditor who keeps it can later detect that the book was replaced. */
export const keptLineOf = ({ header: { organization_id, day }, digest }: Book): string =>
  `${organization_id} ${day} ${digest}`;

/** Matches a book's kept line, or the same for a drawing: organization, drawing, root of the list. */
const keptLine = z.tuple([prefixedId('org'), z.union([daySchema, prefixedId('drw')]), hexBytes(32)]);
export const isKeptLine = (line: string): boolean => keptLine.safeParse(line.split(' ')).success;

/** Parses a book's signed note without checking the signature. Rejects any text that `bookText` would not write. */
export function parseBook(note: string): { book: Book } | { fault: BookFault } {
  if (note.length > maxBookCharacters) return { fault: 'too_large' };
  const parsed = parseNote(note);
  const lines = (parsed?.text ?? note).split('\n');
  const [originLine = '', size = '', root = '', line = ''] = lines;
  if (!originLine.startsWith(prefix))
    return { fault: prefix.startsWith(originLine) ? 'cut_off' : 'not_a_book' };
  if (isNewer(line)) return { fault: 'newer_format' };
  if (!parsed) return { fault: isCutOff(note) ? 'cut_off' : 'not_a_book' };
  const parsedHeader = parseLine(header, line);
  const book = parsedHeader && {
    header: parsedHeader,
    size: Number(size),
    root: Buffer.from(root, 'base64'),
    note: parsed,
    digest: bookDigest(parsed.text),
    noteDigest: createHash('sha256').update(note).digest(),
  };
  const isWhole =
    book && Number.isSafeInteger(book.size) && bookText(book.header, book.size, book.root) === parsed.text;
  return isWhole && book.root.length === 32 ? { book } : { fault: 'not_a_book' };
}

const isCutOff = (note: string) => !note.endsWith('\n') || !note.includes('\n\n— ');

/** Base64 of at most `maxBytes` bytes. */
const base64 = (maxBytes: number) =>
  z.string().check(z.maxLength(Math.ceil(maxBytes / 3) * 4), z.regex(/^[A-Za-z0-9+/]+={0,2}$/));

/** An authority's token (RFC 3161) and root certificate, both in base64. */
export const timestampSchema = z.strictObject({
  token: base64(maxTimestampTokenBytes),
  root: base64(maxTimestampTokenBytes),
});
const head = z.strictObject({
  format: z.literal(bookFormat),
  organization_id: prefixedId('org'),
  day: daySchema,
  key: boundedText(400),
  tables: z.record(tableVersionSchema, prizesSchema),
  timestamp: z.optional(timestampSchema),
  /** The secrets of earlier days that the outcomes used, in hex by day. */
  secrets: z.record(daySchema, hexBytes(32)),
});

/** First line of a records file. It is unsigned, so checks verify each part of it. */
export type RecordsHead = z.output<typeof head>;

/** Formats the first line of a records file. Throws if `parseRecordsHead` would reject it. */
export function recordsHeadLine(values: RecordsHead): string {
  const line = canonicalJson(values);
  if (!parseLine(head, line)) throw new Error(`invalid first line of records: ${line}`);
  return line;
}

export function parseRecordsHead(line: string): { head: RecordsHead } | { fault: BookFault } {
  if (line.length > maxRecordsHeadBytes) return { fault: 'too_large' };
  const parsed = parseLine(head, line);
  if (parsed) return { head: parsed };
  return { fault: isNewer(line) ? 'newer_format' : 'not_a_book' };
}

function isNewer(line: string): boolean {
  try {
    const { format } = JSON.parse(line);
    return Number.isInteger(format) && format > bookFormat;
  } catch {
    return false;
  }
}

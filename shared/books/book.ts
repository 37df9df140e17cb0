/** The book of a day: what an organization's day came to, in a text to be signed, and the line of it that is kept. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { canonicalJson } from '../ids.ts';
import { entryTypes } from '../vocabulary.ts';
import { day, hex, id, parseLine, prizes, settings, tableVersion, text, whole } from './fields.ts';
import { type Note, parseNote } from './note.ts';

const prefix = 'incentives/';
/** The number of the format that this code writes and reads. */
export const bookFormat = 1;
/** The most characters that a book, and the most bytes that the first line of its records may have. */
export const mostOfBook = 2 ** 20;
export const mostOfHead = 2 ** 24;

const movements = z.strictObject({ credited: whole(), debited: whole() });
const entryMovements = Object.fromEntries(entryTypes.map((type) => [type, movements])) as Record<
  (typeof entryTypes)[number],
  typeof movements
>;

const header = z.strictObject({
  format: z.literal(bookFormat),
  organization_id: id('org'),
  day,
  /** SHA-256, in hex, of the text of the book of the day before; null in the first one. */
  previous: z.nullable(hex(32)),
  /** How many records there are of each kind. */
  counts: z.strictObject({
    tickets: whole(),
    entries: whole(),
    outcomes: whole(),
    orders: whole(),
    operations: whole(),
  }),
  sums: z.strictObject({
    tickets: movements,
    ...entryMovements,
    /** Won, debug jackpots aside. */
    cash_usd: whole(),
    /** Spins that ran; what was forced to a result counts as `debug` alone. */
    spins: z.strictObject({ regular: whole(), amoe: whole(), debug: whole() }),
    spins_ordered: whole(),
  }),
  /** That of the day itself, in hex. */
  secrets: z.record(day, hex(32)),
  /** SHA-256, in hex, of the secret of two days later. */
  fingerprints: z.record(day, hex(32)),
  /** At the end of the day. */
  settings,
  /** From this day on every record has what lets it be checked. */
  /** The chains of the beacons whose rounds outcomes name, ascending. */
  beacons: z.array(hex(32)).check(z.maxLength(10)),
  /** Spins that ran without the beacon that their order promised. */
  spins_without_beacon: whole(),
});

export type BookHeader = z.output<typeof header>;
export type BookCounts = BookHeader['counts'];
export type BookSums = BookHeader['sums'];

/** A book that was read. `root` is of the tree over its records, `digest` the SHA-256 of its text in hex. */
export type Book = { header: BookHeader; size: number; root: Buffer; note: Note; digest: string };

/** Why a text is not taken for a book. */
export type BookFault = 'cut_off' | 'not_a_book' | 'newer_format' | 'enormous';

/** The text of a book, to be signed. Throws for what `parseBook` would not take. */
export function bookText(said: BookHeader, size: number, root: Uint8Array): string {
  const { organization_id, day } = said;
  const lines = [`${prefix}${organization_id}/${day}`, size, Buffer.from(root).toString('base64')];
  const line = canonicalJson(said);
  if (!parseLine(header, line)) throw new Error(`this is no header of a book: ${line}`);
  return `${lines.join('\n')}\n${line}\n`;
}

/** SHA-256 of a book's text, in hex: what the next book, and whoever keeps one line, calls it by. */
export const bookDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The line to keep of a book. */
export const keptLineOf = ({ header: { organization_id, day }, digest }: Book): string =>
  `${organization_id} ${day} ${digest}`;

const keptLine = z.tuple([id('org'), day, hex(32)]);
/** Whether a text is a line to keep. */
export const isKeptLine = (line: string): boolean => keptLine.safeParse(line.split(' ')).success;

/** Reads the signed note of a book. Who signed it is another question. */
export function parseBook(note: string): { book: Book } | { fault: BookFault } {
  if (note.length > mostOfBook) return { fault: 'enormous' };
  const parsed = parseNote(note);
  const lines = (parsed?.text ?? note).split('\n');
  const [origin = '', size = '', root = '', line = ''] = lines;
  if (!origin.startsWith(prefix)) return { fault: prefix.startsWith(origin) ? 'cut_off' : 'not_a_book' };
  if (isNewer(line)) return { fault: 'newer_format' };
  if (!parsed) return { fault: isCutOff(note) ? 'cut_off' : 'not_a_book' };
  const said = parseLine(header, line);
  const book = said && {
    header: said,
    size: Number(size),
    root: Buffer.from(root, 'base64'),
    note: parsed,
    digest: bookDigest(parsed.text),
  };
  const isWhole =
    book && Number.isSafeInteger(book.size) && bookText(book.header, book.size, book.root) === parsed.text;
  return isWhole && book.root.length === 32 ? { book } : { fault: 'not_a_book' };
}

const isCutOff = (note: string) => !note.endsWith('\n') || !note.includes('\n\n— ');

const round = z.string().check(z.regex(/^[1-9]\d{0,15}$/));
const attachments = {
  /** The secrets in hex of the earlier days that outcomes name. */
  secrets: z.record(day, hex(32)),
  /** By their chains, with the signatures in hex of the rounds that outcomes name. */
  beacons: z.record(
    hex(32),
    z.strictObject({
      public_key: hex(96),
      genesis_time: whole(),
      period: whole(1, 86_400),
      rounds: z.record(round, hex(48)),
    }),
  ),
};
const attached = z.strictObject(attachments);
/** What belongs to a book and has no place in it, since what is signed must be short. */
export type Attached = z.output<typeof attached>;

const head = z.strictObject({
  format: z.literal(bookFormat),
  organization_id: id('org'),
  day,
  /** The verifier key of who signed the book. */
  key: text(400),
  /** The prizes of every table that an outcome names, by its version. */
  tables: z.record(tableVersion, prizes),
  ...attachments,
});

/** What the first line of a book's records says: all that it takes to check them and that they do not say. */
export type RecordsHead = z.output<typeof head>;

/** The first line of a book's records, without a newline. Throws for what `parseRecordsHead` would not take. */
export function recordsHeadLine(said: RecordsHead): string {
  const line = canonicalJson(said);
  if (!parseLine(head, line)) throw new Error(`this is no first line of records: ${line}`);
  return line;
}

/** Reads the first line of a book's records. */
export function parseRecordsHead(line: string): { head: RecordsHead } | { fault: BookFault } {
  if (line.length > mostOfHead) return { fault: 'enormous' };
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

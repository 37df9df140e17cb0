import { type BookLines, bookLinesOf } from '../../../../shared/books/book-lines.ts';
import { fairnessFields } from '../../../../shared/games/fairness.ts';
import type { Fairness, Outcome, Place } from '../view.ts';
import { base64Of, base64UrlOf, hexOf, sha256, signerWith, utf8 } from './digests.ts';

/** What of an outcome its record has as well. */
const told = ['id', 'user_id', 'timestamp', 'result_effective_date'] as const satisfies (keyof Outcome)[];

/**
 * Whether a record that says the same as the outcome of a URL's token stands where its place says, in the book of its day
 * and of its organization. What cannot be read does not hold.
 */
export const verifyPlace = async (
  { text, line, index, path }: Place,
  outcome: Outcome,
  fairness: Fairness,
  token: string,
): Promise<boolean> => {
  try {
    const said = JSON.parse(line);
    const isSame =
      said.play_type === 'regular' &&
      told.every((field) => said[field] === outcome[field]) &&
      JSON.stringify(said.prize) === JSON.stringify(outcome.prize) &&
      fairnessFields.every((field) => JSON.stringify(said[field]) === JSON.stringify(fairness[field]));
    const book = bookLinesOf(text);
    if (!book || !isSame || !isOf(book, outcome, said.organization_id)) return false;
    if (!(await isOfToken(said, token))) return false;
    if (!(await isFromSecret(book, said, fairness.server_seed))) return false;
    const leaf = await hashOf(0, utf8(line));
    return (await rootFromPath(leaf, index, book.size, path.map(bytesOfHash))) === book.root;
  } catch {
    return false;
  }
};

/** Whether a book says both times, above and in its header, that it is of an outcome's day and of an organization. */
const isOf = ({ organizationId, day, header }: BookLines, { timestamp }: Outcome, organization: unknown) => {
  const said = JSON.parse(header);
  const ofDay = day === dayInNewYork(timestamp) && said.day === day;
  return ofDay && organizationId === organization && said.organization_id === organization;
};

/** Whether a record is of the play of a token, whose hash it has. */
const isOfToken = async ({ token_hash }: { token_hash?: unknown }, token: string) =>
  token_hash === base64UrlOf(await sha256(utf8(token)));

/**
 * Whether a play's seed follows from the secret of the day on which its URL was made, if the book reveals that one: it is
 * the book of the day on which it was played.
 */
const isFromSecret = async (
  { header }: BookLines,
  { secret_day, token_hash }: { secret_day: string; token_hash: string },
  seed: string,
) => {
  const secret = JSON.parse(header).secrets?.[secret_day];
  if (!secret) return true;
  const sign = await signerWith(secret);
  return hexOf(await sign(`play\n${token_hash}`)) === seed;
};

/** The calendar day at an instant (ISO), as the service counts them. */
const dayInNewYork = (iso: string) => {
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { ...digits, timeZone: 'America/New_York' });
  const [month, day, year] = format.format(new Date(iso)).split('/');
  return `${year}-${month}-${day}`;
};

// 32 bytes, of which there is no other spelling.
const hashForm = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const bytesOfHash = (text: string) => {
  if (!hashForm.test(text)) throw new Error('this is no hash in base64');
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
};

/**
 * The root, in base64, that a path leads to from a leaf, as `shared/books/tree.ts` has it; undefined if the path is not
 * as long as it must be from there. RFC 9162, 2.1.3.2.
 */
const rootFromPath = async (
  leaf: Uint8Array<ArrayBuffer>,
  index: number,
  size: number,
  path: Uint8Array<ArrayBuffer>[],
) => {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) return;
  let hash = leaf;
  let [at, last] = [index, size - 1];
  for (const sibling of path) {
    if (last === 0) return;
    const isRight = at % 2 === 1 || at === last;
    hash = await (isRight ? hashOf(1, sibling, hash) : hashOf(1, hash, sibling));
    // On the right edge a node without a sibling rises as it is.
    while (isRight && at % 2 === 0 && at > 0) [at, last] = above(at, last);
    [at, last] = above(at, last);
  }
  return last === 0 ? base64Of(hash.buffer) : undefined;
};

const above = (at: number, last: number): [number, number] => [Math.floor(at / 2), Math.floor(last / 2)];

const hashOf = async (prefix: number, ...parts: Uint8Array[]) =>
  new Uint8Array(await sha256(new Uint8Array([prefix, ...parts.flatMap((part) => [...part])])));

import { type BookLines, parseBookLines } from '../../../../shared/books/book-lines.ts';
import { fairnessFields, type PlayPromise, playSeedText } from '../../../../shared/games/fairness.ts';
import type { ClientData } from '../page-data.ts';
import type { BookProof, Fairness, Outcome } from '../view.ts';
import { base64Of, base64UrlOf, hexOf, hmacSigner, sha256, utf8Bytes } from './digests.ts';
import { canonicalJson } from './tables.ts';

const fieldsOf = (fairness: Partial<Fairness>) => fairnessFields.map((field) => fairness[field]);
const sharedFields = [
  'id',
  'user_id',
  'timestamp',
  'result_effective_date',
] as const satisfies (keyof Outcome)[];

type Shown = { token: string } & Pick<ClientData, 'game' | 'cost'>;

export const verifyBookProof = async (
  { text, line, index, path }: BookProof,
  outcome: Outcome,
  fairness: Fairness,
  { token, game, cost }: Shown,
): Promise<boolean> => {
  try {
    const record = JSON.parse(line);
    const isSame =
      record.play_type === 'regular' &&
      record.game === game &&
      record.cost === cost &&
      sharedFields.every((field) => record[field] === outcome[field]) &&
      JSON.stringify(record.prize) === JSON.stringify(outcome.prize) &&
      canonicalJson(fieldsOf(record)) === canonicalJson(fieldsOf(fairness));
    const book = parseBookLines(text);
    if (!book || !isSame || !isBookOf(book, outcome, record.organization_id)) return false;
    if (!(await isOfToken(record, token))) return false;
    if (!(await isFromSecret(book, record, fairness.server_seed))) return false;
    const leaf = await hashOf(0, utf8Bytes(line));
    return (await rootFromPath(leaf, index, book.size, path.map(bytesOfHash))) === book.root;
  } catch {
    return false;
  }
};

const isBookOf = (
  { organizationId, day, header }: BookLines,
  { timestamp }: Outcome,
  organization: unknown,
) => {
  const inHeader = JSON.parse(header);
  const isOfDay = day === dayInNewYork(timestamp) && inHeader.day === day;
  return isOfDay && organizationId === organization && inHeader.organization_id === organization;
};

/** Returns whether a record belongs to a token, whose SHA-256 records contain. */
const isOfToken = async ({ token_hash }: { token_hash?: unknown }, token: string) =>
  token_hash === base64UrlOf(await sha256(utf8Bytes(token)));

const isFromSecret = async (
  { header }: BookLines,
  record: PlayPromise & { secret_day: string; token_hash: string },
  seed: string,
) => {
  const secret = JSON.parse(header).secrets?.[record.secret_day];
  // If the URL was played after midnight, the book of the outcome's day lacks the secret of the URL's day.
  if (!secret) return true;
  const sign = await hmacSigner(secret);
  return hexOf(await sign(playSeedText(record.token_hash, record))) === seed;
};

const dayInNewYork = (iso: string) => {
  const digits = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const format = new Intl.DateTimeFormat('en-US', { ...digits, timeZone: 'America/New_York' });
  const [month, day, year] = format.format(new Date(iso)).split('/');
  return `${year}-${month}-${day}`;
};

// Accepts only the canonical base64 of 32 bytes, so that two different texts cannot decode to the same hash.
const hashForm = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;
const bytesOfHash = (text: string) => {
  if (!hashForm.test(text)) throw new Error('not a hash in base64');
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
};

/** Returns the Merkle root in base64 (RFC 9162, 2.1.3.2), or undefined if the path does not fit the tree. */
const rootFromPath = async (
  leaf: Uint8Array<ArrayBuffer>,
  index: number,
  size: number,
  path: Uint8Array<ArrayBuffer>[],
) => {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) return;
  let hash = leaf;
  let [node, last] = [index, size - 1];
  for (const sibling of path) {
    if (last === 0) return;
    const isRight = node % 2 === 1 || node === last;
    hash = await (isRight ? hashOf(1, sibling, hash) : hashOf(1, hash, sibling));
    // A node without a sibling has the same hash as its parent, and the path has no hash for this level.
    while (isRight && node % 2 === 0 && node > 0) [node, last] = parentOf(node, last);
    [node, last] = parentOf(node, last);
  }
  return last === 0 ? base64Of(hash.buffer) : undefined;
};

const parentOf = (node: number, last: number): [number, number] => [
  Math.floor(node / 2),
  Math.floor(last / 2),
];

const hashOf = async (prefix: number, ...parts: Uint8Array[]) =>
  new Uint8Array(await sha256(new Uint8Array([prefix, ...parts.flatMap((part) => [...part])])));

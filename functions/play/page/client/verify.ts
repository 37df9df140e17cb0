import { type BookLines, bookLinesOf } from '../../../../shared/books/book-lines.ts';
import type { Fairness, ListedPrize, Outcome, Place } from '../view.ts';
import { eligibleOf } from '../won.ts';

export type Verdict = 'good' | 'seal' | 'limits' | 'draw' | 'missing';

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const hexOf = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => hexOf(await crypto.subtle.digest('SHA-256', bytes));
const utf8 = (text: string) => new TextEncoder().encode(text);
/** SHA-256 of a text, in hex. */
export const digestOf = (text: string): Promise<string> => sha256(utf8(text));

/** HMAC-SHA-256 of texts under a key in hex. */
const signerWith = async (key: string) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', bytesOf(key), algorithm, false, ['sign']);
  return (text: string) => crypto.subtle.sign('HMAC', imported, utf8(text));
};

/** What the draw's messages are: since version 2 the prizes that were in it are part of them. */
const messagesOf = async (inDraw: readonly ListedPrize[], { client_seed, draw_version }: Fairness) => {
  if ((draw_version ?? 1) === 1) return (counter: number) => `${client_seed}:0:${counter}`;
  const set = inDraw
    .filter(({ weight }) => weight > 0)
    .map(({ id, kind, amount, weight }) => [id, kind, amount, weight]);
  const digest = await digestOf(JSON.stringify(set));
  return (counter: number) => `${digest}\n0\n${counter}\n${client_seed}`;
};

/** A number below the weights' total, each equally likely: the first of the messages' words that fits. */
const drawTicket = async (inDraw: readonly ListedPrize[], fairness: Fairness) => {
  const total = inDraw.reduce((sum, { weight }) => sum + weight, 0);
  // Nothing is below it, and the search for such a number would not end.
  if (!(total >= 1)) throw new Error('no prize can be drawn');
  const sign = await signerWith(fairness.server_seed);
  const message = await messagesOf(inDraw, fairness);
  const bits = 32 - Math.clz32(total - 1);
  const mask = bits === 32 ? 0xffff_ffff : 2 ** bits - 1;
  for (let counter = 0; ; counter++) {
    const words = new DataView(await sign(message(counter)));
    for (let i = 0; i < 8; i++) {
      const ticket = (words.getUint32(i * 4) & mask) >>> 0;
      if (ticket < total) return ticket;
    }
  }
};

/** Whether what was left of the day's cash is its limit less what was won of it, and denied no cash that was left. */
const limitsFollow = (fairness: Fairness, prizes: readonly ListedPrize[]) => {
  const {
    cash_left_usd: left,
    cash_granted_usd: granted,
    cash_limit_usd: limit,
    tickets_only,
    debug,
  } = fairness;
  if (left === null || granted === undefined || limit === undefined) return true;
  const cash = prizes.filter(({ kind }) => kind === 'cash_usd');
  const isNone = cash.length > 0 && cash.every(({ amount }) => amount > left);
  return (
    left === Math.max(0, limit - granted) && (debug ? debug === 'tickets_only' : tickets_only === isNone)
  );
};

/** Draws the prize again from what was revealed; `seal`, `limits` or `draw` name what does not hold. */
export const verifyDraw = async (
  fairness: Fairness,
  prizes: readonly ListedPrize[],
  sealed: string,
): Promise<Verdict> => {
  const seal = await sha256(bytesOf(fairness.server_seed));
  if (seal !== sealed || seal !== fairness.commitment) return 'seal';
  if (!limitsFollow(fairness, prizes)) return 'limits';
  const inDraw = eligibleOf(prizes, fairness);
  let ticket = await drawTicket(inDraw, fairness);
  const drawn = inDraw.find(({ weight }) => {
    ticket -= weight;
    return ticket < 0;
  });
  return drawn?.id === fairness.prize_id ? 'good' : 'draw';
};

/** What of a draw its record has as well: all that the page's checks follow from, but for the secret. */
const recorded = [
  'client_seed',
  'prize_id',
  'prize_table_version',
  'draw_version',
  'cash_left_usd',
  'tickets_only',
  'cash_sequence',
  'cash_granted_usd',
  'cash_limit_usd',
  'debug',
] as const satisfies (keyof Fairness)[];

/**
 * Whether a record that says the same as an outcome stands where its place says, in the book of its day and of its
 * organization. What cannot be read does not hold.
 */
export const verifyPlace = async (
  { text, line, index, path }: Place,
  outcome: Outcome,
  fairness: Fairness,
): Promise<boolean> => {
  try {
    const said = JSON.parse(line);
    const isSame =
      said.id === outcome.id &&
      said.timestamp === outcome.timestamp &&
      JSON.stringify(said.prize) === JSON.stringify(outcome.prize) &&
      recorded.every((field) => said[field] === fairness[field]);
    const book = bookLinesOf(text);
    if (!book || !isSame || !isOf(book, outcome, said.organization_id)) return false;
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

/**
 * Whether a play's seed follows from the secret of the day on which its URL was made, if the book reveals that one: it is
 * the book of the day on which it was played.
 */
const isFromSecret = async (
  { header }: BookLines,
  { secret_day, token_hash }: { secret_day?: string; token_hash?: string },
  seed: string,
) => {
  const secret = JSON.parse(header).secrets?.[secret_day ?? ''];
  if (!secret || !token_hash) return true;
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
const rootFromPath = async (leaf: Uint8Array, index: number, size: number, path: Uint8Array[]) => {
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
  return last === 0 ? btoa(String.fromCharCode(...hash)) : undefined;
};

const above = (at: number, last: number): [number, number] => [Math.floor(at / 2), Math.floor(last / 2)];

const hashOf = async (prefix: number, ...parts: Uint8Array[]) => {
  const bytes = new Uint8Array([prefix, ...parts.flatMap((part) => [...part])]);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
};

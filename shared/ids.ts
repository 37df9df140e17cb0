import { createHash, randomBytes } from 'node:crypto';
import { decodeTime, encodeTime, incrementBase32, ulid } from 'ulid';

/** The kinds of things that have an id, by the prefix of it. */
export type IdPrefix = 'org' | 'usr' | 'txn' | 'out' | 'wh' | 'evt' | 'inv' | 'ord' | 'op';

/** The id of a kind with a ULID. */
export const idOf = (prefix: IdPrefix, ulid: string): string => `${prefix}_${ulid}`;

/** The ULID of an id, whatever its kind. */
export const ulidOf = (id: string): string => id.slice(id.indexOf('_') + 1);

/** A new id of a kind: its prefix and a ULID of the given time. */
export function newId(prefix: IdPrefix, now: number): string {
  return idOf(prefix, ulid(now));
}

/**
 * The ULID that follows another: of the time `now`, or, while the clock stands or runs backwards,
 * the next greater one. So a user's ids sort in the order in which they were given. What a ULID has at random follows
 * from a text that nothing else is named by.
 */
export function ulidAfter(last: string | undefined, now: number, name: string): string {
  if (last !== undefined && decodeTime(last) >= now) return incrementBase32(last);
  return encodeTime(now, 10) + digest80(name);
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The first 80 bits of a text's SHA-256, in the 16 characters of a ULID's random part. */
export function digest80(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 10);
  let bits = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  for (let i = 0; i < 16; i++, bits >>= 5n) digits = crockford[Number(bits & 31n)] + digits;
  return digits;
}

/** The time that a ULID carries, in epoch milliseconds. */
export const timeOfUlid = decodeTime;

/** What every ULID of a time (epoch milliseconds) starts with; those of earlier times sort before it. */
export function ulidFloor(epochMs: number): string {
  return encodeTime(epochMs, 10);
}

/** The least ULID of a time (epoch milliseconds), which no item has. */
export function leastUlid(epochMs: number): string {
  return ulidFloor(epochMs).padEnd(26, '0');
}

/** Whether a text is a ULID, in capital letters as this service writes it. */
export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

/** Whether a text is an id of this kind; what is not can be refused without a look at the table. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && isUlid(ulidOf(text));
}

/** 256 random bits in 43 URL-safe characters: the secret of an API key, the token of a play URL. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a text in 43 URL-safe characters. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** JSON with the keys of every object in order, so that equal values are equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

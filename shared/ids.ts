import { createHash, randomBytes } from 'node:crypto';
import { decodeTime, incrementBase32, ulid } from 'ulid';

/** The kinds of things that have an id, by the prefix of it. */
export type IdPrefix = 'org' | 'usr' | 'txn' | 'out' | 'wh' | 'evt' | 'ord' | 'req';

/** A new id of a kind: its prefix and a ULID of the given time. */
export function newId(prefix: IdPrefix, now: number): string {
  return `${prefix}_${ulid(now)}`;
}

/**
 * The ULID that follows another: of the time `now`, or, while the clock stands or runs backwards,
 * the next greater one. So a user's ids sort in the order in which they were given.
 */
export function ulidAfter(last: string | undefined, now: number): string {
  return last !== undefined && decodeTime(last) >= now ? incrementBase32(last) : ulid(now);
}

/** The time that a ULID carries, in epoch milliseconds. */
export const timeOfUlid = decodeTime;

/** Whether a text is an id of this kind; what is not can be refused without a look at the table. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text.slice(prefix.length + 1));
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

import { hash, randomBytes, randomUUID } from 'node:crypto';
import { decodeTime, encodeTime, incrementBase32 } from 'ulid';

type IdPrefix = 'org' | 'usr' | 'txn' | 'out' | 'wh' | 'evt' | 'inv' | 'ord' | 'act' | 'drw' | 'clm';

export const idOf = (prefix: IdPrefix, ulid: string): string => `${prefix}_${ulid}`;

export const ulidOf = (id: string): string => id.slice(id.indexOf('_') + 1);

/** Makes a ULID with the given time in epoch milliseconds. `ulid` would ask the system for random bytes 16 times. */
export function newUlid(now: number): string {
  // All bits of the first 8 and the last 12 digits are random.
  const uuid = randomUUID();
  return encodeTime(now, 10) + base32(uuid.slice(0, 8) + uuid.slice(24));
}

/** Makes an id with the given time in epoch milliseconds. */
export const newId = (prefix: IdPrefix, now: number): string => idOf(prefix, newUlid(now));

/** Returns a ULID after `last`, at `now` if possible. It contains a digest of `name`, which must be unique. */
export function ulidAfter(last: string | undefined, now: number, name: string): string {
  if (last !== undefined && decodeTime(last) >= now) return incrementBase32(last);
  // Uses a digest instead of random bits, so that a repeated write gets the same ULID.
  return encodeTime(now, 10) + digest80(name);
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the first 80 bits of a text's SHA-256 as 16 characters of Crockford's Base32. */
export function digest80(text: string): string {
  return base32(hash('sha256', text).slice(0, 20));
}

/** Converts 20 hex digits to 16 characters of Crockford's Base32. */
function base32(hex: string): string {
  let digits = '';
  // Five hex digits have as many bits as four of Base32.
  for (let i = 0; i < 20; i += 5) {
    const bits = Number.parseInt(hex.slice(i, i + 5), 16);
    for (let shift = 15; shift >= 0; shift -= 5) digits += crockford[(bits >> shift) & 31];
  }
  return digits;
}

let lastTime = { digits: '', epochMs: 0 };

/** Returns the time that a ULID contains, in epoch milliseconds. */
export function timeOfUlid(ulid: string): number {
  // Reuses the last call's time, because the records of one request have the same time.
  const digits = ulid.slice(0, 10);
  if (digits !== lastTime.digits || ulid.length !== 26) lastTime = { digits, epochMs: decodeTime(ulid) };
  return lastTime.epochMs;
}

/** Returns the time part of ULIDs (10 characters) for a time in epoch milliseconds. */
export function ulidTimePart(epochMs: number): string {
  return encodeTime(epochMs, 10);
}

/** Returns the smallest ULID with this time (epoch milliseconds), to be used as the bound of a range. */
export function leastUlid(epochMs: number): string {
  return ulidTimePart(epochMs).padEnd(26, '0');
}

export const greatestUlid = '7'.padEnd(26, 'Z');

export const isUlid = (text: string): boolean => /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);

export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && isUlid(ulidOf(text));
}

/** Returns 256 random bits as 43 URL-safe characters, for secrets and for tokens of play URLs. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a text as 43 URL-safe characters (base64url). */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Serializes a value to JSON with sorted keys, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((part) => canonicalJson(part ?? null)).join()}]`;
  const fields = value as Record<string, unknown>;
  const parts: string[] = [];
  for (const name of Object.keys(fields).sort()) {
    const part = fields[name];
    if (part !== undefined) parts.push(`${JSON.stringify(name)}:${canonicalJson(part)}`);
  }
  return `{${parts.join()}}`;
}

/**
 * A second implementation of the books' format. It uses no product code, so that both implementations check
 * each other.
 */
import { createHmac, hash } from 'node:crypto';

/** Caches canonical texts by JSON text: tests forge a record thousands of times, and the other records stay equal. */
const known = new Map<string, string>();
const maxKnown = 10_000;

export function canonical(value: unknown): string {
  const json = JSON.stringify(value);
  const text = known.get(json) ?? withSortedNames(value);
  if (known.size === maxKnown) known.clear();
  known.set(json, text);
  return text;
}

function withSortedNames(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(withSortedNames).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const record = value as Record<string, unknown>;
  const names = Object.keys(record).filter((name) => record[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${withSortedNames(record[name])}`)
    .join(',')}}`;
}

const sha = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');
export const digest = (text: string): string => hash('sha256', text, 'base64url');
export const hexDigest = (data: string | Uint8Array): string => hash('sha256', data, 'hex');
export const hmac = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('hex');

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timePart = (at: number) =>
  Array.from({ length: 10 }, (_, i) => letters[Math.floor(at / 32 ** (9 - i)) % 32]).join('');

/** Returns a ULID with the given time (epoch milliseconds). Its random part is derived from a name. */
export function ulidOf(at: number, name: string): string {
  const bytes = sha(name);
  return timePart(at) + Array.from({ length: 16 }, (_, i) => letters[bytes[i]! % 32]).join('');
}

/** Returns the ULID that directly follows a ULID. */
export function nextUlid(ulid: string): string {
  const last = letters.indexOf(ulid.at(-1)!);
  return last < 31 ? ulid.slice(0, -1) + letters[last + 1] : `${nextUlid(ulid.slice(0, -1))}0`;
}

export const timeIn = (ulid: string): number =>
  [...ulid.slice(0, 10)].reduce((at, letter) => at * 32 + letters.indexOf(letter), 0);

/** Returns a growing Merkle tree (RFC 6962). Stores only the roots and heights of complete subtrees. */
export function newTree() {
  const whole: { height: number; hash: Buffer }[] = [];
  let size = 0;
  const join = (left: Buffer, right: Buffer) => sha(Buffer.concat([Buffer.of(1), left, right]));
  return {
    add: (line: string) => {
      size++;
      let node = { height: 0, hash: sha(`\0${line}`) };
      while (whole.at(-1)?.height === node.height) {
        node = { height: node.height + 1, hash: join(whole.pop()!.hash, node.hash) };
      }
      whole.push(node);
    },
    size: () => size,
    root: () => {
      const [last, ...others] = whole.toReversed().map(({ hash }) => hash);
      return last ? others.reduce((right, left) => join(left, right), last) : sha('');
    },
  };
}

const zone = 'America/New_York';
const wallClock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: zone,
  dateStyle: 'short',
  timeStyle: 'medium',
});

export const dayAt = (at: number): string => wallClock.format(at).slice(0, 10);

/** Returns the start of a New York day in epoch milliseconds. Exactly one of the two UTC offsets fits. */
export function midnightOf(day: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const found = [4, 5].map((hours) => utc + hours * 3_600_000);
  return found.find((at) => wallClock.format(at) === `${day} 00:00:00`)!;
}

export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Hashes and canonical JSON, implemented independently of the service. */
import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a text in URL-safe base64. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Returns JSON with sorted fields, without undefined ones. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .filter((name) => (value as Record<string, unknown>)[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${sortedJson((value as Record<string, unknown>)[name])}`);
  return `{${fields.join(',')}}`;
}

/** Returns whether two values are equal, regardless of the order of fields. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || sortedJson(a) === sortedJson(b);

/** Returns the SHA-256 of a server seed in hex, published before the seed is revealed. */
export const commitmentOf = (serverSeed: string): string =>
  createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');

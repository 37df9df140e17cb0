/** Computes hashes and canonical JSON without the service's code, to find mistakes in that code. */
import { createHash } from 'node:crypto';

/** Returns the SHA-256 hash of a text in URL-safe base64. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Returns a value as JSON with the fields of objects sorted by name. Omits fields that are undefined. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .filter((name) => (value as Record<string, unknown>)[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${sortedJson((value as Record<string, unknown>)[name])}`);
  return `{${fields.join(',')}}`;
}

/** Returns whether two values have the same JSON, regardless of the order of fields in objects. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || sortedJson(a) === sortedJson(b);

/** Returns the commitment to a server seed: the hex SHA-256 of the seed's bytes, published before the seed. */
export const commitmentOf = (serverSeed: string): string =>
  createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');

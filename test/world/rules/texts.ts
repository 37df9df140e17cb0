/** Hashes and canonical texts, written anew: what the service hashes, rules hash by themselves. */
import { createHash } from 'node:crypto';

/** SHA-256 of a text, in URL-safe base64. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** JSON with the fields of every object in the order of their names, and without those that are undefined. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .filter((name) => (value as Record<string, unknown>)[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${sortedJson((value as Record<string, unknown>)[name])}`);
  return `{${fields.join(',')}}`;
}

/** Whether two values are the same, field by field. */
export const isSame = (a: unknown, b: unknown): boolean => a === b || sortedJson(a) === sortedJson(b);

/** SHA-256 of a server seed, to which it is committed before anybody may know it. */
export const commitmentOf = (serverSeed: string): string =>
  createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');

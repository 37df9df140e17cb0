import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a new ULID for a time. Faster than the `ulid` package. */
export function fastUlid(epochMs: number): string {
  let text = '';
  for (let rest = epochMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32))
    text = alphabet[rest % 32] + text;
  for (const byte of randomBytes(16)) text += alphabet[byte % 32];
  return text;
}

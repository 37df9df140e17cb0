import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
// What is hashed last is of one length, and never longer needed than until it is hashed.
const outer = Buffer.alloc(blockBytes + digestBytes);

/**
 * HMAC-SHA-256 of a text in UTF-8, in hex, with a key of at most 64 bytes. RFC 2104, by two hashes: of short texts Node
 * makes ten of these while it makes one of its own, and a check of a million draws takes two million.
 */
export function hmac(key: Uint8Array, text: string): string {
  if (key.length > blockBytes) throw new Error('the key is longer than a block');
  const inner = Buffer.allocUnsafe(blockBytes + Buffer.byteLength(text));
  for (let i = 0; i < blockBytes; i++) {
    const byte = i < key.length ? key[i]! : 0;
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  inner.write(text, blockBytes);
  // As a text of bytes, which costs less than a buffer.
  outer.write(hash('sha256', inner, 'binary'), blockBytes, 'binary');
  return hash('sha256', outer, 'hex');
}

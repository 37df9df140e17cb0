import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
// All calls share this buffer: the input of the outer hash always has this length, and a call is synchronous.
const outer = Buffer.alloc(blockBytes + digestBytes);

/**
 * Returns the HMAC-SHA-256 (RFC 2104) of a UTF-8 text in hex. Throws if the key has more than 64 bytes. Ten
 * times as fast as `node:crypto` for short texts: a check of a million draws computes two million HMACs.
 */
export function hmac(key: Uint8Array, text: string): string {
  if (key.length > blockBytes) throw new Error('the key is longer than 64 bytes');
  const inner = Buffer.allocUnsafe(blockBytes + Buffer.byteLength(text));
  for (let i = 0; i < blockBytes; i++) {
    const byte = i < key.length ? key[i]! : 0;
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  inner.write(text, blockBytes);
  // `hash` returns a binary string faster than a buffer.
  outer.write(hash('sha256', inner, 'binary'), blockBytes, 'binary');
  return hash('sha256', outer, 'hex');
}

import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
// Buffer for the input of HMAC's outer hash. All calls can share the buffer, because `hmac` is synchronous.
const outer = Buffer.alloc(blockBytes + digestBytes);

/** Returns the hex HMAC-SHA-256 (RFC 2104) of a text. */
export function hmac(key: Uint8Array, text: string): string {
  if (key.length > blockBytes) throw new Error('the key is longer than 64 bytes');
  const inner = Buffer.allocUnsafe(blockBytes + Buffer.byteLength(text));
  for (let i = 0; i < blockBytes; i++) {
    const byte = i < key.length ? key[i]! : 0;
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  inner.write(text, blockBytes);
  // Uses a binary string, because `hash` returns binary strings faster than buffers.
  outer.write(hash('sha256', inner, 'binary'), blockBytes, 'binary');
  return hash('sha256', outer, 'hex');
}

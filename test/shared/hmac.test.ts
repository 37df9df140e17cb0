import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmac } from '../../shared/hmac.ts';

test('equals Node’s HMAC for any key up to a block and any text', () => {
  const keys = fc.uint8Array({ maxLength: 64 });
  fc.assert(
    fc.property(keys, fc.string({ unit: 'grapheme', maxLength: 300 }), (key, text) => {
      expect(hmac(key, text)).toBe(createHmac('sha256', key).update(text).digest('hex'));
    }),
  );
});

test('refuses a key that is longer than a block', () => {
  expect(() => hmac(Buffer.alloc(65), '')).toThrow('longer than 64 bytes');
});

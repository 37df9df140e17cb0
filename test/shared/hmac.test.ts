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

test('matches the test vectors of RFC 4231', () => {
  expect(hmac(Buffer.alloc(20, 0x0b), 'Hi There')).toBe(
    'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  );
  expect(hmac(Buffer.from('Jefe'), 'what do ya want for nothing?')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('refuses a key that is longer than a block', () => {
  expect(() => hmac(Buffer.alloc(65), '')).toThrow('longer than 64 bytes');
});

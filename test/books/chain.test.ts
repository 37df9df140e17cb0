import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordHash } from '../../shared/accounts/record-texts.ts';
import { recordHashAfter } from '../../shared/books/check/complete.ts';
import { canonicalJson } from '../../shared/ids.ts';

test('the hash of a line equals the hash of its record, even if its texts contain the hash field', () => {
  // Texts that look like the field `hash`. A search for this field in a record's JSON could match such a text instead.
  const trap = fc.constantFrom(
    '"hash":"',
    `"hash":"${'A'.repeat(43)}",`,
    '\\"hash\\":\\"',
    'hash":"',
    '\\',
    '"',
  );
  const text = fc
    .array(fc.oneof(trap, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 6 })
    .map((parts) => parts.join('').toWellFormed());
  const hash = fc.stringMatching(/^[A-Za-z0-9_-]{43}$/);
  fc.assert(
    fc.property(
      text,
      text,
      hash,
      fc.oneof(hash, fc.constant('')),
      fc.nat(),
      (one, two, own, previous, amount) => {
        const record = { amount, client_seed: one, description: two, hash: own, user_id: 'usr' };
        expect(recordHashAfter(previous, canonicalJson(record))).toBe(recordHash(previous, record));
      },
    ),
    { numRuns: 1000 },
  );
});

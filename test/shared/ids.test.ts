import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, isId, newId, newSecret, sha256, timeOfUlid, ulidAfter } from '../../shared/ids.ts';

/** Generates times from 1 ms, because the ULID package treats 0 as an absent time. */
const times = fc.integer({ min: 1, max: 2 ** 47 });

describe('the ids of one user', () => {
  test('increase, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(times, { minLength: 2, maxLength: 50 }), (clock) => {
        let last: string | undefined;
        for (const now of clock) {
          const next = ulidAfter(last, now, 'a');
          if (last !== undefined) {
            expect(next > last).toBe(true);
            expect(timeOfUlid(next)).toBe(Math.max(timeOfUlid(last), now));
          } else expect(timeOfUlid(next)).toBe(now);
          expect(isId('txn', `txn_${next}`)).toBe(true);
          last = next;
        }
      }),
    );
  });

  test('increase a thousand times within one millisecond', () => {
    let last = ulidAfter(undefined, 1000, 'a');
    for (let i = 0; i < 1000; i++) {
      const next = ulidAfter(last, 1000, 'a');
      expect(next > last).toBe(true);
      last = next;
    }
  });
});

describe('a ULID', () => {
  test('is determined by its time and the given name', () => {
    const names = Array.from({ length: 1000 }, (_, i) => `name ${i}`);
    const ulids = names.map((name) => ulidAfter(undefined, 1000, name));
    expect(ulids).toEqual(names.map((name) => ulidAfter(undefined, 1000, name)));
    expect(new Set(ulids).size).toBe(1000);
  });
});

describe('an id', () => {
  test('has the prefix of its kind', () => {
    expect(isId('usr', newId('usr', Date.now()))).toBe(true);
    expect(isId('usr', newId('txn', Date.now()))).toBe(false);
  });

  test.each([
    '',
    'usr_',
    'guest',
    'usr_01',
    `usr_${'Z'.repeat(26)}`,
    `usr_${'0'.repeat(27)}`,
    `usr_${'U'.repeat(26)}`,
    `usr_${'0'.repeat(26)}\n`,
  ])('is not "%s"', (text) => {
    expect(isId('usr', text)).toBe(false);
  });

  test('is not any random text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isId('usr', text)));
  });
});

test('secrets have 256 bits and do not repeat', () => {
  const secrets = Array.from({ length: 200 }, newSecret);
  expect(new Set(secrets).size).toBe(200);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
});

test('SHA-256 matches the standard', () => {
  expect(Buffer.from(sha256('abc'), 'base64url').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('canonical JSON does not depend on the order of keys, and loses nothing', () => {
  const shuffled = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shuffled)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, part]) => [key, shuffled(part)]),
          )
        : value;
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

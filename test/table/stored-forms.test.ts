/** Tests that a seal covers the stored form of an item: no other stored form of the same item passes. */

import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { get, type Item, put } from '../../shared/table/client.ts';
import type { Key } from '../../shared/table/keys.ts';
import { storedName } from '../../shared/table/names.ts';
import { numberIn } from '../../shared/table/numbers.ts';
import { Tampered } from '../../shared/table/seals.ts';
import { storedText } from '../../shared/table/stored-text.ts';
import { useOwnTable } from '../support/own-table.ts';
import { outcomeOf, userOf } from '../support/records.ts';
import { itemAt, type Stored, store, type Value } from './support/raw-items.ts';

type Change = (stored: Stored) => Stored;

const bytes = (...values: number[]) => ({ B: Uint8Array.from(values) });
const set =
  (field: string, value: Value): Change =>
  (stored) => ({ ...stored, [storedName(field)]: value });

/** Moves the value of a field from its short name to its long name. */
const withLongName =
  (field: string): Change =>
  (stored) => {
    const { [storedName(field)]: value, ...rest } = stored;
    return { ...rest, [field]: value };
  };

const inBudgets =
  (change: Change): Change =>
  (stored) =>
    set('budgets', { M: change(stored[storedName('budgets')].M) })(stored);

beforeAll(() => useOwnTable('stored-forms'));

describe('of a sealed item', () => {
  let outcome: Item;
  let stored: Stored;
  beforeEach(async () => {
    const user = userOf('org_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV');
    const { record } = await outcomeOf(user, Date.now());
    outcome = JSON.parse(JSON.stringify(record));
    await put(outcome);
    stored = await itemAt(record);
  });
  const read = (ifTampered: 'refuse' | 'skip' | 'show' = 'refuse') =>
    get({ pk: outcome.pk, sk: outcome.sk } as Key, { ifTampered });

  test.each<[string, Change]>([
    ['a marker of an absent field', set('debug', bytes(1))],
    ['a field that follows from the key', set('kind', { S: 'outcomes' })],
    ['a long name', withLongName('cost')],
    ['a long name in a map', inBudgets(withLongName('cash'))],
    ['a long name of the seal', withLongName('seal')],
    ['a text instead of a binary', set('token_hash', { S: 'A'.repeat(43) })],
    ['a binary instead of a text', set('game', bytes(9, ...deflateRawSync('prizewheel')))],
  ])('the stored form with %s gives the same item, and is refused', async (_, change) => {
    expect(await read()).toEqual(outcome);
    await store(change(stored));
    expect(await read('show')).toEqual(outcome);
    await expect(read()).rejects.toThrow(Tampered);
  });

  test.each<[string, Change]>([
    ['a number with surplus digits', set('cost', { N: `1.${'0'.repeat(30)}1` })],
    [
      'a number in a map',
      inBudgets(set('wins', { M: { A: { N: '1.00000000000000000000000000000000001' } } })),
    ],
    ['a number beyond JavaScript’s', set('cost', { N: '9007199254740993' })],
    ['numbers in a set', set('cost', { NS: ['1'] })],
    ['a malformed binary', set('token_hash', bytes(255, 1))],
    ['an empty binary', set('token_hash', bytes())],
    ['a malformed compressed text', set('client_seed', bytes(9, 255, 255))],
  ])('%s is refused, and can be left out', async (_, change) => {
    await store(change(stored));
    await expect(read()).rejects.toThrow(Tampered);
    expect(await read('skip')).toBeUndefined();
  });
});

describe('a stored number', () => {
  test.each([
    ['0', 0],
    ['-12', -12],
    ['0.5', 0.5],
    ['100', 100],
    ['9007199254740991', 2 ** 53 - 1],
    ['1000000000000000000000000', 1e24],
    ['1E+24', 1e24],
    ['0.0000000125', 1.25e-8],
    ['-0.000000000000001', -1e-15],
  ])('%s is the number %d', (text, number) => expect(numberIn(text)).toBe(number));

  test.each(['1.00000000000000000001', '9007199254740993', '-0.10000000000000000001', '123456789012345678'])(
    '%s, which no JavaScript number equals, keeps its digits',
    (text) => expect(numberIn(text)).toMatchObject({ value: text }),
  );

  test('is read as any number that the service has stored', () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(numberIn(String(number))).toBe(number === 0 ? 0 : number);
      }),
    ));
});

describe('the text of which a seal is made', () => {
  const stored = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>('', 'b', '1', 'null', '{}', '[]', 'A', '"', 1, 0, true, null),
      fc.uint8Array({ maxLength: 2 }),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'a"', ''), tie('value'), { maxKeys: 2, noNullPrototype: true }),
    ),
  })).value;

  test('is different for different values', () =>
    fc.assert(
      fc.property(stored, stored, (a, b) => {
        const isSame = storedText(a) === storedText(b);
        if (isSame) expect(a).toStrictEqual(b);
        else expect(a).not.toStrictEqual(b);
      }),
      { numRuns: 5000 },
    ));

  test('does not depend on the order of fields, or on fields without a value', () =>
    expect(storedText({ a: 1, b: [2], c: undefined })).toBe(storedText({ b: [2, undefined], a: 1 })));
});

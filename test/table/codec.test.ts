import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toLambdaRecord } from '../../infra/develop/local/aws/stream-record.ts';
import { newId, timeOfUlid } from '../../shared/ids.ts';
import { packItem, unpackImage, unpackItem } from '../../shared/table/codec.ts';
import { keyFields, recordKey, recordTimeKey, tableDefinition, userKey } from '../../shared/table/keys.ts';
import { fieldOf, fieldsByStoredName, storedName } from '../../shared/table/names.ts';
import { packText } from '../../shared/table/values.ts';
import { webhookCallKey } from '../../shared/table/webhook-keys.ts';
import { isReserved } from '../support/dynamodb/reserved-words.ts';

const now = Date.parse('2026-11-24T15:00:00.123Z');
const ulid = '01M86XS3JPBXY6P6FT5JH1TPX6';
const uuid = '3f2a7c1e-9b54-4d02-8e6f-0a1b2c3d4e5f';
const secret = 'k3mUJxWqYl0N1c9ZbT7sVfR2hGdP5aEoiQyL8wXnB4M';
const [organizationId, userId] = [newId('org', now), newId('usr', now)];

const packable: [string, string, number][] = [
  ['an id', `txn_${ulid}`, 17],
  ['an id with a two-letter prefix', `wh_${ulid}`, 17],
  ['a ULID', ulid, 17],
  ['the last ULID', `7${'Z'.repeat(25)}`, 17],
  ['a UUID', uuid, 17],
  ['16 bytes in hex', 'ab'.repeat(16), 17],
  ['32 bytes in hex', '0f'.repeat(32), 33],
  ['32 bytes in Base64', secret, 33],
  ['the version of a prize table', `prizewheel-${secret}`, 43],
  ['an instant', '2026-11-24T05:00:00.000Z', 7],
  ['the first instant', '1970-01-01T00:00:00.000Z', 7],
  ['the last instant with a four-digit year', '9999-12-31T23:59:59.999Z', 7],
  ['29 February', '2028-02-29', 3],
];

/** Texts that differ only in a detail from the texts that the codec packs into bytes. */
const odd = [
  '',
  ulid.toLowerCase(),
  `8${'0'.repeat(25)}`,
  `${ulid.slice(0, -1)}U`,
  `${ulid.slice(0, -1)}é`,
  `txn_${ulid.toLowerCase()}`,
  `abc_${ulid}`,
  `TXN_${ulid}`,
  `_${ulid}____`,
  uuid.toUpperCase(),
  uuid.replace('-', '_'),
  'AB'.repeat(16),
  'ab'.repeat(15),
  `x${secret}`,
  `${'ab'.repeat(16)}c`,
  `${'ab'.repeat(16)}\n`,
  `${secret.slice(0, -1)}N`,
  `${secret.slice(0, -1)}=`,
  secret.replace('k', '+'),
  `${secret}\n`,
  `-${secret}`,
  `Truck-${secret}`,
  `${'x'.repeat(31)}-${secret}`,
  `truck-${secret.slice(0, -1)}N`,
  '2026-11-24T05:00:00.000z',
  '2026-11-24 05:00:00.000Z',
  '2026-11-24T24:00:00.000Z',
  '2026-11-24T05:00:60.000Z',
  '2026-11-24T05:60:00.000Z',
  '2026-02-31T05:00:00.000Z',
  '2026-11-24T 5:00:00.000Z',
  '2026-11-24T05:00:00.0e1Z',
  '+010000-01-01T00:00:00.000Z',
  '10000-01-01T00:00:00.00Z',
  '1969-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00.000Z',
  '2026-02-31',
  '2027-02-29',
  '2026-11-2x',
  '2026-1-024',
  '1969-12-31',
  '2149-06-07',
  '9999-12-31',
  'x'.repeat(199),
  `${'x'.repeat(250)}\ud800`,
  '€'.repeat(300),
  'x'.repeat(40_000),
];

const canonical = packable.map(([, text]) => text);
const nearCanonical = fc
  .tuple(fc.constantFrom(...canonical, ...odd), fc.nat(70), fc.string({ maxLength: 2, unit: 'binary' }))
  .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at + more.length));
const text = fc.oneof(fc.constantFrom(...canonical, ...odd), nearCanonical, fc.string({ unit: 'binary' }));

const name = fc
  .oneof(
    fc.constantFrom(
      ...Object.keys(fieldsByStoredName),
      ...Object.values(fieldsByStoredName),
      'pk',
      '~',
      '~~',
      '~s',
      '~~s',
    ),
    fc.string(),
  )
  // DynamoDB's document client cannot write fields with these names.
  .filter((one) => one !== '__proto__' && one !== 'constructor');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 40 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

const recordKeys = (['tickets', 'entries#truck', 'entries#flight', 'outcomes', 'orders'] as const).map(
  (list) => ({
    ...recordKey(organizationId, userId, list, ulid),
    ...recordTimeKey(organizationId, userId, list, ulid),
  }),
);
const key = fc.constantFrom<Record<string, string>>(
  {},
  ...recordKeys,
  userKey(organizationId, userId),
  { pk: `USER#${ulid}#${ulid}`, sk: `TICKETS#${ulid.toLowerCase()}` },
  { pk: `USER#${ulid}#${ulid}#${ulid}`, sk: `constructor${ulid}` },
  { pk: 'USER', sk: `TICKETS#${ulid}` },
  { pk: 'USER#o#u', sk: 'USER' },
  { pk: 'PLAY#x', sk: 'PLAY' },
  webhookCallKey(organizationId, '2026-11-24', ulid, 3),
  { pk: 'CALLS', sk: ulid },
);
const saidByKeys = {
  organization_id: organizationId,
  user_id: userId,
  kind: 'tickets',
  transaction_id: `txn_${ulid}`,
  date_created: new Date(timeOfUlid(ulid)).toISOString(),
};
const item = fc
  .tuple(
    key,
    fc.dictionary(
      name.filter((one) => !keyFields.has(one)),
      value,
      {
        maxKeys: 6,
        noNullPrototype: true,
      },
    ),
    fc.constantFrom({}, saidByKeys),
  )
  .map(([keys, said, more]) => ({ ...more, ...said, ...keys }));

describe('an item', () => {
  test('survives packing and unpacking, whatever its fields', () => {
    fc.assert(
      fc.property(item, (one) => {
        expect(unpackItem(packItem(one))).toEqual(one);
      }),
      { numRuns: 2000 },
    );
  });

  test('survives a stream image', () => {
    fc.assert(
      fc.property(item, (one) => {
        const NewImage = marshall(packItem(one), { convertEmptyValues: false });
        const record = toLambdaRecord({ dynamodb: { NewImage } }, 'stream');
        expect(unpackImage(record.dynamodb!.NewImage!)).toEqual(one);
        expect(unpackImage(NewImage)).toEqual(one);
      }),
    );
  });

  test('survives the stream of DynamoDB Local, which leaves out the type of an empty map', () => {
    const NewImage = { before: {}, sk: { S: 'a' } } as never;
    const { dynamodb } = toLambdaRecord({ dynamodb: { NewImage } }, 'stream');
    expect(dynamodb!.NewImage).toEqual({ before: { M: {} }, sk: { S: 'a' } });
  });

  test('has a unique stored form: different items are never stored equally', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(Buffer.from(packText(one)).equals(Buffer.from(packText(other)))).toBe(one === other);
      }),
    );
  });

  test.each(packable)('stores %s in few bytes', (_, text, bytes) => {
    expect(packText(text)).toHaveLength(bytes);
  });

  test('stores a field that differs from what its key says', () => {
    const other = { ...whole(), user_id: newId('usr', now) };
    expect(packItem(other)).toEqual({ ...recordKeys[0], [storedName('user_id')]: packText(other.user_id) });
  });
});

/** Returns a record whose stored item consists of keys only, because all other fields can be derived from the keys. */
const whole = () => unpackItem({ ...recordKeys[0] });

describe('stored names', () => {
  test('are unique, need no placeholder in expressions, and don’t include key attributes', () => {
    const names = Object.keys(fieldsByStoredName);
    expect(names.filter((name) => !/^[A-Za-z]\d?$/.test(name) || isReserved(name))).toEqual([]);
    expect(new Set(Object.values(fieldsByStoredName)).size).toBe(names.length);
    const keys = [...keyFields, tableDefinition.ttl];
    expect(keys.filter((key) => storedName(key) !== key || fieldOf(key) !== key)).toEqual([]);
  });
});

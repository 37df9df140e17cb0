import { expect, test } from 'vitest';
import { createTestTable, keyOf, part, refusalOf, text, timeKeyOf } from './table-for-tests.ts';
import { createThroughput } from './throughput.ts';

const limited = () => createTestTable({ throughput: createThroughput });
const many = (count: number, act: (i: number) => unknown) => {
  for (let i = 0; i < count; i++) act(i);
};

test('a key allows 1,000 write units a second', () => {
  const table = limited();
  const put = (i: number) => table.put(keyOf('busy', `${i}`));
  many(1000, put);
  expect(refusalOf(() => put(1000))).toMatchObject({
    name: 'ThrottlingException',
    ThrottlingReasons: [{ reason: 'TableWriteKeyRangeThroughputExceeded' }],
  });
  table.put(keyOf('idle', '1'));
  table.pass(1000);
  put(1000);
  expect(table.items()).toHaveLength(1002);
});

test('a write consumes a unit per KB of the larger version, twice that in a transaction', () => {
  const table = limited();
  const large = { ...keyOf('busy', 'large'), text: text(100 * 1024 - 100) };
  many(9, () => table.put(large));
  table.transact([part('Put', { Item: keyOf('busy', 'small') })]);
  many(97, () => table.put(keyOf('busy', 'other')));
  table.delete(keyOf('busy', 'none'));
  expect(refusalOf(() => table.put(keyOf('busy', 'other'))).name).toBe('ThrottlingException');
});

test('a failed condition consumes units', () => {
  const table = limited();
  const fail = () =>
    table.call('DeleteItem', { Key: keyOf('busy', 'a'), ConditionExpression: 'attribute_exists(pk)' });
  many(1000, () => expect(fail).toThrow('The conditional request failed'));
  expect(refusalOf(fail).name).toBe('ThrottlingException');
});

test('a throttled index key makes the table refuse the write', () => {
  const table = limited();
  const put = (i: number) => table.put({ ...keyOf(`user ${i}`, 'a'), ...timeKeyOf('list', `${i}`) });
  many(1000, put);
  const refusal = refusalOf(() => put(1000));
  expect(refusal.name).toBe('ThrottlingException');
  expect(refusal.message).toContain('global secondary indexes');
  expect(refusal.ThrottlingReasons[0].resource).toMatch(/index\/byTime$/);
  table.put(keyOf('user 1000', 'a'));
});

test('a key allows 3,000 read units a second; eventually consistent reads consume half', () => {
  const table = limited();
  const key = keyOf('busy', 'a');
  table.put({ ...key, text: text(5000) });
  many(1000, () => table.get(key));
  many(1000, () => table.get(key, true));
  expect(refusalOf(() => table.get(key)).name).toBe('ProvisionedThroughputExceededException');
  expect(refusalOf(() => table.query('busy')).name).toBe('ProvisionedThroughputExceededException');
});

test('the index has separate read units', () => {
  const table = limited();
  const read = () => table.query('list', { IndexName: 'byTime' });
  many(6000, read);
  expect(refusalOf(read).ThrottlingReasons[0].reason).toBe('IndexReadKeyRangeThroughputExceeded');
  table.query('list');
});

test('throttled items of a batch are unprocessed; a fully throttled batch is refused', () => {
  const table = limited();
  const write = (names: string[]) =>
    table.dynamodb.call('BatchWriteItem', {
      RequestItems: { table: names.map((name) => ({ PutRequest: { Item: keyOf(name, 'b') } })) },
    });
  const read = (names: string[]) =>
    table.dynamodb.call('BatchGetItem', {
      RequestItems: { table: { Keys: names.map((name) => keyOf(name, 'b')), ConsistentRead: true } },
    });
  many(1000, (i) => table.put(keyOf('busy', `${i}`)));
  many(3000, () => table.get(keyOf('busy', '0'), true));
  expect(write(['busy', 'idle'])).toEqual({
    UnprocessedItems: { table: [{ PutRequest: { Item: keyOf('busy', 'b') } }] },
  });
  expect(read(['busy', 'idle'])).toEqual({
    Responses: { table: [keyOf('idle', 'b')] },
    UnprocessedKeys: { table: { Keys: [keyOf('busy', 'b')], ConsistentRead: true } },
  });
  expect(refusalOf(() => write(['busy'])).name).toBe('ThrottlingException');
  expect(refusalOf(() => read(['busy'])).name).toBe('ProvisionedThroughputExceededException');
});

test('a transaction with a throttled part writes nothing', () => {
  const table = limited();
  many(1000, (i) => table.put(keyOf('busy', `${i}`)));
  const refusal = refusalOf(() =>
    table.transact([part('Put', { Item: keyOf('idle', 'a') }), part('Put', { Item: keyOf('busy', 'a') })]),
  );
  expect(refusal.name).toBe('TransactionCanceledException');
  expect(refusal.CancellationReasons).toMatchObject([{ Code: 'None' }, { Code: 'ThrottlingError' }]);
  expect(table.get(keyOf('idle', 'a'))).toBeUndefined();
});

import { expect, test } from 'vitest';
import { createTestTable, keyOf, part, refusalOf, text, timeKeyOf } from './table-for-tests.ts';
import { createThroughput } from './throughput.ts';

const limited = () => createTestTable({ throughput: createThroughput });
const many = (count: number, act: (i: number) => unknown) => {
  for (let i = 0; i < count; i++) act(i);
};

test('a key takes 1,000 units of writes in a second', () => {
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

test('a write takes a unit for each KB, before or after it, and in a transaction two', () => {
  const table = limited();
  const large = { ...keyOf('busy', 'large'), text: text(100 * 1024 - 100) };
  many(9, () => table.put(large));
  table.transact([part('Put', { Item: keyOf('busy', 'small') })]);
  many(97, () => table.put(keyOf('busy', 'other')));
  table.delete(keyOf('busy', 'none'));
  expect(refusalOf(() => table.put(keyOf('busy', 'other'))).name).toBe('ThrottlingException');
});

test('a condition that fails takes units too', () => {
  const table = limited();
  const fail = () =>
    table.call('DeleteItem', { Key: keyOf('busy', 'a'), ConditionExpression: 'attribute_exists(pk)' });
  many(1000, () => expect(fail).toThrow('The conditional request failed'));
  expect(refusalOf(fail).name).toBe('ThrottlingException');
});

test('a key of the index that has no units left refuses writes to the table', () => {
  const table = limited();
  const put = (i: number) => table.put({ ...keyOf(`user ${i}`, 'a'), ...timeKeyOf('list', `${i}`) });
  many(1000, put);
  const refusal = refusalOf(() => put(1000));
  expect(refusal.name).toBe('ThrottlingException');
  expect(refusal.message).toContain('global secondary indexes');
  expect(refusal.ThrottlingReasons[0].resource).toMatch(/index\/byTime$/);
  table.put(keyOf('user 1000', 'a'));
});

test('a key takes 3,000 units of reads in a second, of which a read that need not be consistent takes half a one', () => {
  const table = limited();
  const key = keyOf('busy', 'a');
  table.put({ ...key, text: text(5000) });
  many(1000, () => table.get(key));
  many(1000, () => table.get(key, true));
  expect(refusalOf(() => table.get(key)).name).toBe('ProvisionedThroughputExceededException');
  expect(refusalOf(() => table.query('busy')).name).toBe('ProvisionedThroughputExceededException');
});

test('the index has units of reads of its own', () => {
  const table = limited();
  const read = () => table.query('list', { IndexName: 'byTime' });
  many(6000, read);
  expect(refusalOf(read).ThrottlingReasons[0].reason).toBe('IndexReadKeyRangeThroughputExceeded');
  table.query('list');
});

test('a batch leaves what is throttled to be sent again, and is refused if that is all of it', () => {
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

test('a transaction of which a part is throttled writes nothing', () => {
  const table = limited();
  many(1000, (i) => table.put(keyOf('busy', `${i}`)));
  const refusal = refusalOf(() =>
    table.transact([part('Put', { Item: keyOf('idle', 'a') }), part('Put', { Item: keyOf('busy', 'a') })]),
  );
  expect(refusal.name).toBe('TransactionCanceledException');
  expect(refusal.CancellationReasons).toMatchObject([{ Code: 'None' }, { Code: 'ThrottlingError' }]);
  expect(table.get(keyOf('idle', 'a'))).toBeUndefined();
});

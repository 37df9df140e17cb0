import { expect, test } from 'vitest';
import { createTestTable, keyOf, timeKeyOf } from './table-for-tests.ts';
import type { Item } from './values.ts';

const key = keyOf('user', 'a');
const numbered = (n: number): Item => ({ ...key, ...timeKeyOf('list', `${n}`), n: { N: `${n}` } });
const index = { IndexName: 'byTime' };

/**
 * Returns the distinct results of 40 reads: almost certainly all versions that eventually consistent reads
 * may return.
 */
const seen = <T>(read: () => T): Set<T> => new Set(Array.from({ length: 40 }, read));

test('an eventually consistent read may return the old item for a while', () => {
  const table = createTestTable({ replicaLag: () => 100 });
  const readNumber = () => table.get(key)?.n?.N;
  const readByBatch = () =>
    table.dynamodb.call('BatchGetItem', { RequestItems: { table: { Keys: [key] } } }) as Item;
  table.put(numbered(1));
  expect(seen(readNumber)).toEqual(new Set([undefined, '1']));
  table.pass(50);
  table.put(numbered(2));
  expect(seen(readNumber)).toEqual(new Set([undefined, '1', '2']));
  expect(seen(() => JSON.stringify(readByBatch().Responses)).size).toBe(3);
  expect(seen(() => table.query('user').Items[0]?.n.N)).toEqual(new Set([undefined, '1', '2']));
  table.pass(50);
  expect(seen(readNumber)).toEqual(new Set(['1', '2']));
  table.delete(key);
  expect(seen(() => table.query('user').Count)).toEqual(new Set([0, 1]));
  table.pass(100);
  expect(seen(readNumber)).toEqual(new Set([undefined]));
  expect(table.query('user').Count).toBe(0);
});

test('a consistent read returns the latest write', () => {
  const table = createTestTable({ replicaLag: () => 100 });
  table.put(numbered(1));
  expect(seen(() => table.get(key, true)?.n?.N)).toEqual(new Set(['1']));
  table.delete(key);
  expect(seen(() => table.query('user', { ConsistentRead: true }).Count)).toEqual(new Set([0]));
});

test('a write checks the current item despite replica lag', () => {
  const table = createTestTable({ replicaLag: () => 100, indexLag: () => 100 });
  table.put(numbered(1));
  const again = () =>
    table.call('PutItem', { Item: numbered(2), ConditionExpression: 'attribute_not_exists(pk)' });
  expect(again).toThrow('The conditional request failed');
});

test('changes reach the index after the lag, in order per item', () => {
  const lags = [1000, 10, 2000];
  const table = createTestTable({ indexLag: () => lags.shift()! });
  const listed = () => table.query('list', index).Items.map(({ n }: Item) => n?.N);
  table.put(numbered(1));
  table.put(numbered(2));
  table.pass(999);
  expect(listed()).toEqual([]);
  table.pass(1);
  expect(listed()).toEqual(['2']);
  table.delete(key);
  expect(listed()).toEqual(['2']);
  table.pass(2000);
  expect(listed()).toEqual([]);
});

test('an item that is deleted and restored during the lag stays', () => {
  const table = createTestTable({ replicaLag: () => 100, indexLag: () => 500 });
  table.put(numbered(1));
  table.delete(key);
  table.pass(50);
  table.put(numbered(2));
  table.delete(key);
  table.put(numbered(3));
  table.pass(1000);
  table.put(keyOf('another', 'a'));
  expect(table.get(key)?.n?.N).toBe('3');
  expect(table.query('list', index).Count).toBe(1);
});

test('an item without a complete index key is not in the index', () => {
  const table = createTestTable();
  const { [Object.keys(timeKeyOf('', ''))[1]!]: _, ...half } = numbered(1);
  table.put(half);
  expect(table.query('list', index).Count).toBe(0);
});

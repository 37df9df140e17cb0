import { expect, test } from 'vitest';
import { type Ask, countUnits } from './units.ts';

type Stored = Record<string, { S: string }>;

/** Returns the units counted for a request, given the stored items before and after the request. */
async function unitsOf(
  operation: string,
  input: object,
  before: Stored[],
  after: Stored[],
  reply: object = {},
) {
  let items = before;
  const ask: Ask = async (asked, { Key }: { Key?: Stored }) =>
    asked === 'DescribeTable' ? { Table: table } : { Item: items.find(({ pk }) => pk?.S === Key?.pk?.S) };
  const count = await countUnits(operation, input, ask);
  items = after;
  return count(reply);
}

const table = {
  KeySchema: [{ AttributeName: 'pk' }],
  GlobalSecondaryIndexes: [{ KeySchema: [{ AttributeName: 'list' }, { AttributeName: 'at' }] }],
};
const item = (pk: string, bytes: number, list?: string): Stored => ({
  pk: { S: pk },
  text: { S: 'x'.repeat(bytes) },
  ...(list ? { list: { S: list }, at: { S: '1' } } : {}),
});
const put = (one: Stored) => ({ TableName: 'units', Item: one });
const transaction = (...TransactItems: object[]) => ({ TransactItems });

test('each item of a transaction counts twice in the table and once in the index', async () => {
  const items = [item('a', 500), item('b', 500, 'list'), item('c', 1500)];
  const input = transaction(...items.map((one) => ({ Put: put(one) })));
  const units = await unitsOf('TransactWriteItems', input, [], items);
  expect(units).toEqual({ tableWrites: 8, indexWrites: 1, reads: 0 });
});

test('a condition check counts like a write of its item', async () => {
  const input = transaction({ ConditionCheck: { TableName: 'units', Key: { pk: { S: 'a' } } } });
  const there = [item('a', 1500)];
  expect((await unitsOf('TransactWriteItems', input, there, there)).tableWrites).toBe(4);
});

test('a write counts by the larger version of its item', async () => {
  const units = await unitsOf('PutItem', put(item('a', 10)), [item('a', 2500, 'list')], [item('a', 10)]);
  expect(units).toEqual({ tableWrites: 3, indexWrites: 3, reads: 0 });
});

test('an unchanged index entry costs nothing, and a moved one costs both positions', async () => {
  const there = item('a', 500, 'list');
  expect((await unitsOf('PutItem', put(there), [there], [there])).indexWrites).toBe(0);
  const moved = item('a', 500, 'other');
  expect((await unitsOf('PutItem', put(moved), [there], [moved])).indexWrites).toBe(2);
});

test('an empty read costs the minimum of a read', async () => {
  const query = { TableName: 'units', KeyConditionExpression: 'pk = :pk', ConsistentRead: true };
  const nothing = { ConsumedCapacity: { CapacityUnits: 0 } };
  expect((await unitsOf('Query', query, [], [], nothing)).reads).toBe(1);
  const batch = { RequestItems: { units: { Keys: [{}, {}] } } };
  const one = { ConsumedCapacity: [{ CapacityUnits: 0.5 }], Responses: { units: [{}] } };
  expect((await unitsOf('BatchGetItem', batch, [], [], one)).reads).toBe(1);
});

import { expect, test } from 'vitest';
import type { Dynamodb } from './dynamodb.ts';
import { createTestTable, keyOf } from './table-for-tests.ts';

const hour = 3600 * 1000;
const recordsOf = (dynamodb: Dynamodb, after = 0) =>
  Array.from({ length: dynamodb.shards }, (_, shard) => dynamodb.readStream(shard, after, 1000)).flat();
const changesIn = (dynamodb: Dynamodb) =>
  recordsOf(dynamodb).map(({ record }) => [record.eventName, record.dynamodb?.NewImage?.n?.N]);

test('an item’s changes are in the stream in order, with new images', () => {
  const { dynamodb, ...table } = createTestTable();
  const key = keyOf('user', 'a');
  table.put({ ...key, n: { N: '1' } });
  table.pass(1500);
  table.put({ ...key, n: { N: '2' } });
  table.delete(key);
  expect(changesIn(dynamodb)).toEqual([
    ['INSERT', '1'],
    ['MODIFY', '2'],
    ['REMOVE', undefined],
  ]);
  const [first, second] = recordsOf(dynamodb);
  expect(second!.at - first!.at).toBe(1500);
  expect(first!.record.dynamodb).toEqual({
    ApproximateCreationDateTime: first!.at / 1000,
    Keys: key,
    NewImage: { ...key, n: { N: '1' } },
    SequenceNumber: '000000000000000000001',
    SizeBytes: expect.any(Number),
    StreamViewType: 'NEW_IMAGE',
  });
});

test('a shard is read from a position, up to the limit', () => {
  const { dynamodb, ...table } = createTestTable();
  for (let n = 1; n <= 5; n++) table.put({ ...keyOf('user', `${n}`), n: { N: `${n}` } });
  const shard = [0, 1, 2, 3].find((number) => dynamodb.readStream(number, 0, 1).length > 0)!;
  const positions = (after: number, limit: number) =>
    dynamodb.readStream(shard, after, limit).map(({ position }) => position);
  expect(positions(0, 2)).toEqual([1, 2]);
  expect(positions(2, 10)).toEqual([3, 4, 5]);
  expect(positions(5, 10)).toEqual([]);
});

test('each partition is in one shard, and partitions are spread', () => {
  const { dynamodb, ...table } = createTestTable();
  for (let n = 0; n < 40; n++) table.put(keyOf(`user ${n % 20}`, `${n}`));
  const shards = Array.from({ length: dynamodb.shards }, (_, shard) =>
    dynamodb.readStream(shard, 0, 1000).map(({ record }) => record.dynamodb?.Keys?.pk?.S),
  );
  expect(shards.every((partitions) => partitions.length > 0)).toBe(true);
  expect(shards.map((partitions) => new Set(partitions).size).reduce((a, b) => a + b)).toBe(20);
});

test('a record expires after 24 hours', () => {
  const { dynamodb, ...table } = createTestTable();
  table.put({ ...keyOf('user', 'a'), n: { N: '1' } });
  table.pass(hour);
  table.put({ ...keyOf('user', 'b'), n: { N: '2' } });
  table.pass(23 * hour);
  expect(changesIn(dynamodb)).toHaveLength(2);
  table.pass(1);
  expect(changesIn(dynamodb)).toEqual([['INSERT', '2']]);
  expect(recordsOf(dynamodb, 1)).toHaveLength(1);
});

test('expired items are deleted later, with DynamoDB as the principal', () => {
  const { dynamodb, ...table } = createTestTable();
  const inOneHour = { N: `${Date.parse('2026-01-05T13:00:00Z') / 1000}` };
  const inTwoHours = { N: `${Date.parse('2026-01-05T14:00:00Z') / 1000}` };
  table.put({ ...keyOf('user', 'a'), ttl: inOneHour });
  table.put({ ...keyOf('user', 'b'), ttl: inOneHour });
  table.put({ ...keyOf('user', 'b'), ttl: inTwoHours });
  table.put({ ...keyOf('user', 'c'), ttl: { S: 'never' } });
  table.pass(hour - 1);
  dynamodb.expire();
  expect(table.items()).toHaveLength(3);
  table.pass(1);
  expect(table.items()).toHaveLength(3);
  dynamodb.expire();
  expect(table.items().map(({ sk }) => sk)).toEqual(['b', 'c']);
  expect(recordsOf(dynamodb).at(-1)!.record).toMatchObject({
    eventName: 'REMOVE',
    dynamodb: { Keys: keyOf('user', 'a') },
    userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
  });
  table.pass(hour);
  dynamodb.expire();
  expect(table.items().map(({ sk }) => sk)).toEqual(['c']);
});

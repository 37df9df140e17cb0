/** Tests behavior of AWS that DynamoDB Local does not have. README.md has the sources. */
import { expect, test } from 'vitest';
import type { Commit } from '../journal.ts';
import { createTestTable, keyOf, part, refusalOf, text, timeKeyOf } from './table-for-tests.ts';

const minute = 60 * 1000;
const addOne = { UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': { N: '1' } } };
const ofAbsent = { UpdateExpression: 'SET n = absent' };

test('a repeated token succeeds without effect for ten minutes', () => {
  const table = createTestTable();
  const add = () => table.transact([part('Update', { Key: keyOf('user', 'a'), ...addOne })], 'token');
  const count = () => table.get(keyOf('user', 'a'))?.n?.N;
  add();
  table.pass(10 * minute - 1);
  expect(add()).toEqual({});
  expect(count()).toBe('1');
  const another = () => table.transact([part('Put', { Item: keyOf('user', 'b') })], 'token');
  expect(refusalOf(another).name).toBe('IdempotentParameterMismatchException');
  table.pass(1);
  add();
  expect(count()).toBe('2');
});

test('a cancelled transaction does not use up its token', () => {
  const table = createTestTable();
  const create = () =>
    table.transact(
      [part('Put', { Item: keyOf('user', 'a'), ConditionExpression: 'attribute_not_exists(pk)' })],
      'token',
    );
  table.put(keyOf('user', 'a'));
  expect(refusalOf(create).name).toBe('TransactionCanceledException');
  table.delete(keyOf('user', 'a'));
  expect(create()).toEqual({});
});

test('an error of one part of a transaction is the reason of that part', () => {
  const table = createTestTable();
  const refusal = refusalOf(() =>
    table.transact([
      part('Update', { Key: keyOf('user', 'a'), ...ofAbsent }),
      part('Put', { Item: keyOf('user', 'b'), ConditionExpression: 'attribute_exists(pk)' }),
      part('Put', { Item: keyOf('user', 'c') }),
    ]),
  );
  expect(refusal.CancellationReasons.map(({ Code }: { Code: string }) => Code)).toEqual([
    'ValidationError',
    'ConditionalCheckFailed',
    'None',
  ]);
});

test('an update checks its condition first', () => {
  const table = createTestTable();
  const update = () =>
    table.call('UpdateItem', {
      Key: keyOf('user', 'a'),
      ConditionExpression: 'attribute_exists(pk)',
      ...ofAbsent,
    });
  expect(refusalOf(update).name).toBe('ConditionalCheckFailedException');
});

test('a transaction with two parts for one item is refused, whatever their conditions', () => {
  const table = createTestTable();
  const twice = () =>
    table.transact([
      part('Put', { Item: keyOf('user', 'a'), ConditionExpression: 'attribute_exists(pk)' }),
      part('Delete', { Key: keyOf('user', 'a') }),
    ]);
  expect(refusalOf(twice).name).toBe('ValidationException');
});

test('a query page ends after 1 MB read, before the filter', () => {
  const table = createTestTable();
  for (let i = 0; i < 4; i++) table.put({ ...keyOf('user', `${i}`), content: text(400_000) });
  const page = table.query('user', { FilterExpression: 'attribute_not_exists(content)' });
  expect(page).toMatchObject({ Count: 0, ScannedCount: 3, LastEvaluatedKey: keyOf('user', '2') });
});

test('a batch read leaves items beyond 1 MB of a partition unprocessed', () => {
  const table = createTestTable();
  const keys = Array.from({ length: 5 }, (_, i) => keyOf('user', `${i}`));
  for (const key of keys) table.put({ ...key, content: text(400_000) });
  const { Responses, UnprocessedKeys } = table.dynamodb.call('BatchGetItem', {
    RequestItems: { table: { Keys: keys } },
  }) as { Responses: { table: object[] }; UnprocessedKeys: { table: { Keys: object[] } } };
  expect(Responses.table).toHaveLength(3);
  expect(UnprocessedKeys.table.Keys).toHaveLength(2);
});

test('numbers in expressions are normalized', () => {
  const table = createTestTable();
  table.call('UpdateItem', {
    Key: keyOf('user', 'a'),
    UpdateExpression: 'SET l = :l',
    ExpressionAttributeValues: { ':l': { L: [{ N: '1.0' }] } },
  });
  expect(table.get(keyOf('user', 'a'))?.l).toEqual({ L: [{ N: '1' }] });
});

test('an update of a nested attribute returns only the updated part', () => {
  const table = createTestTable();
  table.put({ ...keyOf('user', 'a'), m: { M: { a: { N: '1' }, b: { N: '2' } } } });
  const { Attributes } = table.call('UpdateItem', {
    Key: keyOf('user', 'a'),
    UpdateExpression: 'SET m.a = :a',
    ExpressionAttributeValues: { ':a': { N: '5' } },
    ReturnValues: 'UPDATED_NEW',
  });
  expect(Attributes).toEqual({ m: { M: { a: { N: '5' } } } });
});

test('operations and fields that the service does not use are refused', () => {
  const table = createTestTable();
  expect(refusalOf(() => table.call('Scan', {})).name).toBe('UnknownOperationException');
  const get = () => table.call('GetItem', { Key: keyOf('user', 'a'), AttributesToGet: ['n'] });
  expect(refusalOf(get).message).toContain('AttributesToGet');
  expect(refusalOf(() => table.put({ ...keyOf('user', 'a'), b: { BS: ['AA=='] } as object })).name).toBe(
    'ValidationException',
  );
});

test('onCommit receives each write and transaction as plain items', () => {
  const commits: Commit['changes'][] = [];
  const table = createTestTable({ onCommit: (changes) => commits.push(changes) });
  table.put({ ...keyOf('user', 'a'), s: { N: '1.5' }, set: { SS: ['x'] }, no: { NULL: true } });
  table.transact([
    part('Delete', { Key: keyOf('user', 'a') }),
    part('Put', { Item: { ...keyOf('user', 'b'), ...timeKeyOf('list', '1') } }),
    part('ConditionCheck', { Key: keyOf('user', 'c'), ConditionExpression: 'attribute_not_exists(pk)' }),
  ]);
  const item = { pk: 'user', sk: 'a', sequence: 1.5, set: new Set(['x']), no: null };
  expect(commits).toEqual([
    [{ before: undefined, after: item }],
    [
      { before: item, after: undefined },
      { before: undefined, after: expect.objectContaining({ pk: 'user', sk: 'b' }) },
    ],
  ]);
});

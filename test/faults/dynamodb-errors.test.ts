import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { endpointFunctionOptions } from '../../infra/deploy/endpoints.ts';
import { refusalOfFault, retry } from '../../shared/retry.ts';
import { getItems, putItem, tableClient } from '../../shared/table/client.ts';
import { userKey } from '../../shared/table/keys.ts';
import { cancelled, sdkError } from '../support/dynamodb-errors.ts';
import { invoke } from '../support/invoke.ts';

await Promise.all([
  import('../../functions/tickets/credit.ts'),
  import('../../functions/tickets/balance.ts'),
  import('../../functions/tickets/history.ts'),
  import('../../functions/users/create.ts'),
  import('../../functions/debug/daily-spin-limit.ts'),
]);

const dynamodb = mockClient(tableClient);
afterAll(() => dynamodb.restore());
const user_id = 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ';
const organizationId = 'org_1';
const user = {
  ...userKey(organizationId, user_id),
  organization_id: organizationId,
  user_id,
  balances: { tickets: 5, truck: 0, flight: 0 },
  version: 1,
  sequence: 0,
  last_hash: '',
  text_key: 'secret',
};
const request = { organizationId, path: { user_id } };
const credit = () => invoke('tickets/credit', { ...request, body: { amount: 1, idempotency_key: 'k' } });

beforeEach(() => {
  vi.useFakeTimers();
  dynamodb.reset();
  dynamodb.on(GetCommand).resolves({ Item: user });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns the result or error of a call after 13 s of fake time, in which all retries end. */
async function inFakeTime<T>(running: Promise<T>): Promise<T> {
  const settled = running.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(13_000);
  return (await settled) as T;
}
const writes = () => dynamodb.commandCalls(TransactWriteCommand).length;

const tooMany = { status: 'error', code: 'too_many_requests', message: 'Too Many Requests' };
const unknown = { status: 'error', code: 'outcome_unknown' };
const unavailable = { status: 'error', code: 'unavailable', message: 'Service Unavailable' };

describe('a change that fails until its time is used up', () => {
  test.each([
    ['ThrottlingException', sdkError('ThrottlingException'), 429, tooMany],
    [
      'ProvisionedThroughputExceededException',
      sdkError('ProvisionedThroughputExceededException'),
      429,
      tooMany,
    ],
    ['RequestLimitExceeded', sdkError('RequestLimitExceeded'), 429, tooMany],
    ['a throttled part', cancelled('None', 'ThrottlingError'), 429, tooMany],
    ['conflicts', cancelled('TransactionConflict', 'None'), 503, unavailable],
    [
      'an error of DynamoDB',
      sdkError('InternalServerError', { $metadata: { httpStatusCode: 500 } }),
      503,
      unknown,
    ],
    ['a timeout', sdkError('TimeoutError'), 503, unknown],
    ['a refused connection', sdkError('Error', { code: 'ECONNREFUSED' }), 503, unavailable],
  ])('%s is refused temporarily with Retry-After', async (_, error, status, body) => {
    dynamodb.on(TransactWriteCommand).rejects(error);
    const answer = await inFakeTime(credit());
    expect(answer).toMatchObject({ status, body });
    expect(answer.headers).toHaveProperty('retry-after', '1');
    expect(writes()).toBeGreaterThan(5);
  });

  test('keeps the cause for the log', async () => {
    const error = sdkError('TimeoutError');
    expect(await inFakeTime(retry(() => Promise.reject(error)))).toMatchObject({ status: 503, cause: error });
  });

  test('repeated race conditions are refused as unavailable', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled('None', 'ConditionalCheckFailed', 'None'));
    expect(await inFakeTime(credit())).toMatchObject({ status: 503, body: unavailable });
  });

  test('is retried for its whole time and then ends soon', async () => {
    dynamodb.on(TransactWriteCommand).rejects(sdkError('ThrottlingException'));
    let answered = false;
    const running = credit().finally(() => {
      answered = true;
    });
    await vi.advanceTimersByTimeAsync(4500);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(8000);
    expect(answered).toBe(true);
    expect((await running).status).toBe(429);
  });
});

test.each([
  [20_000, 200, 1],
  [20_001, 503, 0],
])(
  'a change whose function was frozen for %i ms is answered %i, with %i writes',
  async (ms, status, count) => {
    dynamodb.on(TransactWriteCommand).resolves({});
    dynamodb.on(GetCommand).callsFake(() => {
      vi.advanceTimersByTime(ms);
      return { Item: user };
    });
    expect(await inFakeTime(credit())).toMatchObject({ status });
    expect(writes()).toBe(count);
  },
);

test('a change whose attempts and read of the result hang is answered before the function’s timeout', async () => {
  // The latest possible decision, then the latest possible repetition, which takes its maximum: three request timeouts
  // of 3 s, and pauses.
  const attempts: [ms: number, error: Error][] = [
    [9900, cancelled('TransactionConflict')],
    [4900, sdkError('TimeoutError')],
    [9900, sdkError('TimeoutError')],
  ];
  const failing = () =>
    new Promise((_, reject) => {
      const [ms, error] = attempts.shift()!;
      setTimeout(reject, ms, error);
    });
  dynamodb.on(TransactWriteCommand).callsFake(failing);
  dynamodb
    .on(GetCommand)
    .callsFake(({ Key }) => (Key.sk === user.sk ? { Item: user } : new Promise(() => {})));
  const answered = vi.fn();
  void credit().then(answered);
  await vi.advanceTimersByTimeAsync(endpointFunctionOptions.timeoutSeconds * 1000);
  expect(answered).toHaveBeenCalledWith(expect.objectContaining({ status: 503 }));
  expect(writes()).toBe(3);
});

test.each([
  ['ThrottlingException', 3],
  ['TimeoutError', 5],
])('a change that fails with %s %i times succeeds', async (name, count) => {
  const writing = dynamodb.on(TransactWriteCommand);
  for (let i = 0; i < count; i++) writing.rejectsOnce(sdkError(name));
  writing.resolves({});
  const answer = await inFakeTime(credit());
  expect(answer).toMatchObject({ status: 200, body: { new_ticket_balance: 6 } });
  expect(writes()).toBe(count + 1);
});

test('creating a user is refused temporarily while the table is throttled', async () => {
  dynamodb.on(TransactWriteCommand).rejects(sdkError('ThrottlingException'));
  const answer = await inFakeTime(
    invoke('users/create', { organizationId, body: { external_reference: 'x' } }),
  );
  expect(answer).toMatchObject({ status: 429, body: tooMany });
});

test('a single write that conflicts with a transaction is refused temporarily', async () => {
  const conflict = sdkError('TransactionConflictException', { $metadata: { httpStatusCode: 400 } });
  dynamodb.on(PutCommand).rejects(conflict);
  const refused = await putItem({ pk: 'a', sk: 'b' }).catch(refusalOfFault);
  expect(refused).toMatchObject({ ...unavailable, status: 503, headers: { 'retry-after': '1' } });
});

describe('a read that fails', () => {
  test.each([
    ['ThrottlingException', 429, tooMany],
    ['TimeoutError', 503, unavailable],
  ])('%s is refused temporarily', async (name, status, body) => {
    dynamodb.on(GetCommand).rejects(sdkError(name));
    dynamodb.on(QueryCommand).rejects(sdkError(name));
    for (const endpoint of ['tickets/balance', 'tickets/history'] as const) {
      const answer = await inFakeTime(invoke(endpoint, request));
      expect(answer).toMatchObject({ status, body });
      expect(answer.headers).toHaveProperty('retry-after', '1');
    }
  });
});

describe('a permanent error', () => {
  test.each([
    ['of the program', new TypeError("Cannot read properties of undefined (reading 'secret')")],
    ['of an access policy', sdkError('AccessDeniedException', { $metadata: { httpStatusCode: 400 } })],
    ['of a bad request', sdkError('ValidationException')],
    ['of a transaction', cancelled('ValidationError', 'None')],
    ['that is not an Error', 'secret' as unknown as Error],
  ])('%s is a 500 at once and does not reveal its cause', async (_, error) => {
    dynamodb.on(TransactWriteCommand).callsFake(() => {
      throw error;
    });
    const answer = await inFakeTime(credit());
    expect(answer).toMatchObject({
      status: 500,
      body: { status: 'error', code: 'internal_error', message: 'Internal Server Error' },
    });
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'message', 'request_id', 'status']);
    expect(JSON.stringify(answer)).not.toMatch(/secret|dynamodb|stack/i);
    expect(writes()).toBe(1);
  });

  test('a response that violates its schema is a 500', async () => {
    dynamodb.on(GetCommand).resolves({ Item: { ...user, balances: { tickets: 'five' } } });
    const answer = await inFakeTime(invoke('tickets/balance', request));
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  });
});

describe('several items', () => {
  const table = String(process.env.TABLE_NAME);

  test('of more than 100 keys take a request for every 100', async () => {
    dynamodb
      .on(BatchGetCommand)
      .resolves({ Responses: { [table]: ['k0', 'k249'].map((pk) => ({ pk, sk: 's' })) } });
    const many = Array.from({ length: 250 }, (_, index) => ({ pk: `k${index}`, sk: 's' }));
    const items = await getItems(many);
    expect(items.flatMap((item, index) => (item ? [index] : []))).toEqual([0, 249]);
    const sizes = dynamodb
      .commandCalls(BatchGetCommand)
      .map(({ args }) => args[0].input.RequestItems?.[table]?.Keys?.length);
    expect(sizes).toEqual([100, 100, 50]);
  });
});

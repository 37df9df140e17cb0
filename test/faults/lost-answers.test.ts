import { beforeEach, describe, expect, test } from 'vitest';
import { tableClient } from '../../shared/table/client.ts';
import { registerWebhook } from '../../shared/webhooks/webhooks.ts';
import { newOrganization } from '../support/api.ts';
import { type Call, type Fault, watchingCalls } from '../support/calls.ts';
import { brokenConnection, cancelled } from '../support/dynamodb-errors.ts';
import { type EndpointName, invoke } from '../support/invoke.ts';
import { makeUser } from '../support/round-trips.ts';

let organizationId: string;
beforeEach(async () => {
  ({ organizationId } = await newOrganization());
});

const balanceOf = async (user_id: string) =>
  (await invoke('tickets/balance', { organizationId, path: { user_id } })).body.balance;
const historyOf = async (user_id: string) =>
  (await invoke('tickets/history', { organizationId, path: { user_id } })).body.transactions;
const firstWrite = (call: Call, calls: { written: number }) =>
  call.operation === 'TransactWriteItems' && calls.written++ === 0;
const operations = (calls: Call[]) => calls.map(({ operation }) => operation);

/** Runs a request. Its first write to the table succeeds, but the response to this write is lost. */
function losingTheAnswer(
  endpoint: EndpointName,
  request: Omit<Parameters<typeof invoke>[1], 'organizationId'>,
) {
  const seen = { written: 0 };
  return watchingCalls(
    tableClient,
    () => invoke(endpoint, { organizationId, ...request }),
    (call) => (firstWrite(call, seen) ? { after: brokenConnection() } : undefined),
  );
}

describe('a request whose write succeeds but loses its response', () => {
  test.each([
    ['tickets/credit', 3, 8],
    ['tickets/debit', 3, 2],
    ['tickets/debit', 5, 0],
  ] as const)(
    '%s of %i returns its own result, has one effect, and is no replay',
    async (endpoint, amount, left) => {
      const user_id = await makeUser(organizationId, 5);
      const request = { path: { user_id }, body: { amount, idempotency_key: 'lost' } };
      const { result } = await losingTheAnswer(endpoint, request);
      expect(result).toMatchObject({ status: 200, body: { new_ticket_balance: left } });
      expect(result.headers).not.toHaveProperty('idempotent-replayed');
      expect(await balanceOf(user_id)).toBe(left);
      const [newest, ...older] = await historyOf(user_id);
      expect(newest.transaction_id).toBe(result.body.transaction_id);
      expect(older).toHaveLength(1);
      const again = await invoke(endpoint, { organizationId, ...request });
      expect(again.body).toEqual(result.body);
      expect(again.headers).toHaveProperty('idempotent-replayed', 'true');
    },
  );

  test('users/create returns the created user', async () => {
    const { result } = await losingTheAnswer('users/create', { body: { external_reference: 'lost' } });
    expect(result.status).toBe(200);
    const query = { external_reference: 'lost' };
    const found = await invoke('users/find', { organizationId, query });
    expect(found.body.user_id).toBe(result.body.user_id);
  });

  test('webhooks/delete succeeds, and returns 404 for a webhook that was already deleted', async () => {
    const fields = { callback_url: 'https://hooks.example.com', secret_key: 'secret' };
    const { webhook_id } = await registerWebhook(organizationId, fields, Date.now());
    const { result } = await losingTheAnswer('webhooks/delete', { path: { webhook_id } });
    expect(result).toMatchObject({ status: 200, body: { webhook_id } });
    const again = await losingTheAnswer('webhooks/delete', { path: { webhook_id } });
    expect(again.result.status).toBe(404);
  });

  test('users/update returns the changed user', async () => {
    const user_id = await makeUser(organizationId);
    const request = { path: { user_id }, body: { external_reference: 'lost' } };
    const { result, calls } = await losingTheAnswer('users/update', request);
    expect(result).toMatchObject({ status: 200, body: { user_id } });
    expect(operations(calls)).toEqual(['GetItem', 'TransactWriteItems', 'TransactWriteItems']);
    const found = await invoke('users/find', { organizationId, query: { external_reference: 'lost' } });
    expect(found.body.user_id).toBe(user_id);
  });

  test('has one effect even if the SDK retries', async () => {
    const user_id = await makeUser(organizationId, 5);
    let sent = 0;
    tableClient.middlewareStack.add(
      (next) => async (args) => {
        const output = await next(args);
        if (++sent === 2) throw Object.assign(brokenConnection(), { name: 'TimeoutError' });
        return output;
      },
      // Loses the response below the SDK's retry middleware, so that the SDK itself repeats the request.
      { step: 'finalizeRequest', priority: 'low', name: 'losing' },
    );
    const body = { amount: 5, idempotency_key: 'sdk' };
    const { result, calls } = await watchingCalls(tableClient, () =>
      invoke('tickets/debit', { organizationId, path: { user_id }, body }),
    ).finally(() => tableClient.middlewareStack.remove('losing'));
    expect(result).toMatchObject({ status: 200, body: { new_ticket_balance: 0 } });
    expect(operations(calls)).toEqual(['GetItem', 'TransactWriteItems']);
    expect(sent).toBe(3);
    expect(await historyOf(user_id)).toHaveLength(2);
  });
});

test('a retry after a crash following the write gets a replay', async () => {
  const user_id = await makeUser(organizationId, 5);
  const request = { organizationId, path: { user_id }, body: { amount: 5, idempotency_key: 'dead' } };
  const died = await watchingCalls(
    tableClient,
    () => invoke('tickets/debit', request),
    ({ operation }) =>
      operation === 'TransactWriteItems' ? { after: new Error('out of memory') } : undefined,
  );
  expect(died.result.status).toBe(500);
  const again = await invoke('tickets/debit', request);
  expect(again).toMatchObject({ status: 200, body: { new_ticket_balance: 0 } });
  expect(again.headers).toHaveProperty('idempotent-replayed', 'true');
  expect(await historyOf(user_id)).toHaveLength(2);
});

describe('a write that conflicts', () => {
  const change = { amount: 2, idempotency_key: 'collides' };
  const fromTheRead = ['GetItem', 'TransactWriteItems', 'GetItem', 'TransactWriteItems'];
  const inProgress = Object.assign(new Error('busy'), { name: 'TransactionInProgressException' });

  test.each([
    ['with another transaction', cancelled('None', 'TransactionConflict', 'None'), fromTheRead],
    ['with its own retry', inProgress, ['GetItem', 'TransactWriteItems', 'TransactWriteItems']],
    ['with a throttle', cancelled('ThrottlingError', 'None', 'None'), fromTheRead],
  ])('%s is retried and succeeds', async (_, instead, sent) => {
    const user_id = await makeUser(organizationId, 5);
    const seen = { written: 0 };
    const { result, calls } = await watchingCalls(
      tableClient,
      () => invoke('tickets/credit', { organizationId, path: { user_id }, body: change }),
      (call) => (firstWrite(call, seen) ? { instead } : undefined),
    );
    expect(result).toMatchObject({ status: 200, body: { new_ticket_balance: 7 } });
    expect(operations(calls)).toEqual(sent);
    expect(await balanceOf(user_id)).toBe(7);
  });

  test('with a change since its read uses the changed balance', async () => {
    const user_id = await makeUser(organizationId, 5);
    const request = { organizationId, path: { user_id } };
    const seen = { written: 0 };
    const other = () =>
      invoke('tickets/credit', { ...request, body: { amount: 10, idempotency_key: 'other' } });
    const { result, calls } = await watchingCalls(
      tableClient,
      () => invoke('tickets/debit', { ...request, body: { amount: 4, idempotency_key: 'late' } }),
      async (call) => {
        // Lets another request credit ten tickets between the debit's read and its write.
        if (firstWrite(call, seen)) await other();
        return undefined;
      },
    );
    expect(result).toMatchObject({ status: 200, body: { new_ticket_balance: 11 } });
    expect(operations(calls).slice(-2)).toEqual(['GetItem', 'TransactWriteItems']);
    expect(await balanceOf(user_id)).toBe(11);
  });

  test('with a rename since its read keeps the new reference', async () => {
    const user_id = await makeUser(organizationId, 5);
    const request = { organizationId, path: { user_id } };
    const seen = { written: 0 };
    const { result, calls } = await watchingCalls(
      tableClient,
      () => invoke('tickets/credit', { ...request, body: change }),
      async (call) => {
        if (!firstWrite(call, seen)) return undefined;
        await invoke('users/update', { ...request, body: { external_reference: 'renamed' } });
        return undefined;
      },
    );
    expect(result.body.new_ticket_balance).toBe(7);
    expect(operations(calls).filter((operation) => operation === 'TransactWriteItems')).toHaveLength(3);
    const user = await invoke('users/get', request);
    expect(user.body.external_reference).toBe('renamed');
  });

  test('with the same rename since its read succeeds', async () => {
    const user_id = await makeUser(organizationId, 5);
    const request = { organizationId, path: { user_id }, body: { external_reference: 'the same' } };
    const seen = { written: 0 };
    const { result } = await watchingCalls(
      tableClient,
      () => invoke('users/update', request),
      async (call) => {
        if (firstWrite(call, seen)) await invoke('users/update', request);
        return undefined;
      },
    );
    expect(result.status).toBe(200);
  });
});

describe('an invocation', () => {
  const actionsOf = async (fault: (operation: string, nth: number) => Fault) => {
    const fields = { callback_url: 'https://hooks.example.com', secret_key: 'secret' };
    const { webhook_id } = await registerWebhook(organizationId, fields, Date.now());
    const counts = new Map<string, number>();
    const request = { organizationId, path: { webhook_id }, query: { request_id: 'r' }, body: {} };
    const { result, calls } = await watchingCalls(
      tableClient,
      () => invoke('webhooks/invoke', request),
      ({ operation }) => {
        const nth = (counts.get(operation) ?? 0) + 1;
        counts.set(operation, nth);
        return fault(operation, nth);
      },
    );
    expect(result.status).toBe(200);
    return operations(calls);
  };

  test('whose completion is not stored at first stores it again without queueing again', async () => {
    const fault = (operation: string, nth: number) =>
      operation === 'PutItem' && nth === 2 ? { instead: brokenConnection() } : undefined;
    expect(await actionsOf(fault)).toEqual(['GetItem', 'PutItem', 'PutItem', 'PutItem']);
  });

  test('whose claim is stored but loses its response continues at once', async () => {
    const fault = (operation: string, nth: number) =>
      operation === 'PutItem' && nth === 1 ? { after: brokenConnection() } : undefined;
    expect(await actionsOf(fault)).toEqual(['GetItem', 'PutItem', 'PutItem', 'PutItem']);
  });
});

test('of two deletions of a webhook at once, one finds no webhook', async () => {
  const fields = { callback_url: 'https://hooks.example.com', secret_key: 'secret' };
  const { webhook_id } = await registerWebhook(organizationId, fields, Date.now());
  const request = { organizationId, path: { webhook_id } };
  let isOther = false;
  const statuses: number[] = [];
  const { result } = await watchingCalls(
    tableClient,
    () => invoke('webhooks/delete', request),
    async ({ operation }) => {
      if (isOther || operation === 'GetItem') return undefined;
      isOther = true;
      statuses.push((await invoke('webhooks/delete', request)).status);
      return undefined;
    },
  );
  expect([...statuses, result.status]).toEqual([200, 404]);
});

import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test, vi } from 'vitest';
import { client } from '../../shared/table/client.ts';
import { invoke } from '../support/invoke.ts';
import { userOf } from '../support/records.ts';

await import('../../functions/tickets/credit.ts');

const user_id = 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ';

test('an instance that was frozen before it wrote does not write what it had decided hours ago', async () => {
  vi.useFakeTimers();
  const dynamodb = mockClient(client);
  const crediting = (frozenMs: number) => {
    dynamodb.reset();
    dynamodb.on(TransactWriteCommand).resolves({});
    dynamodb.on(GetCommand).callsFake(async () => {
      await vi.advanceTimersByTimeAsync(frozenMs);
      return { Item: userOf('org_1', user_id) };
    });
    return invoke('tickets/credit', {
      organizationId: 'org_1',
      path: { user_id },
      body: { amount: 1, idempotency_key: 'a' },
    });
  };
  try {
    expect((await crediting(20_000)).status).toBe(200);
    expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(1);
    expect(await crediting(2 * 3_600_000)).toMatchObject({ status: 503 });
    expect(dynamodb.commandCalls(TransactWriteCommand)).toHaveLength(0);
  } finally {
    dynamodb.restore();
    vi.useRealTimers();
  }
});

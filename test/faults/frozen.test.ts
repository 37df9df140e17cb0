import { GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, test, vi } from 'vitest';
import { dynamodb as databaseOf } from '../../shared/aws.ts';
import type { Refusal } from '../../shared/refusals.ts';
import { tableClient, transact } from '../../shared/table/client.ts';
import { invoke } from '../support/invoke.ts';
import { userOf } from '../support/records.ts';
import { redirect } from '../support/redirect.ts';
import { serve } from '../support/serve.ts';

await import('../../functions/tickets/credit.ts');

const user_id = 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ';

test('an instance that was frozen for hours before its write does not write', async () => {
  vi.useFakeTimers();
  const dynamodb = mockClient(tableClient);
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

test('an instance that was frozen for hours does not retry a transaction without a response', async () => {
  let elapsed = 0;
  const real = performance.now.bind(performance);
  const now = vi.spyOn(performance, 'now').mockImplementation(() => real() + elapsed);
  let asked = 0;
  const { url, close } = await serve((request, response) => {
    asked++;
    elapsed += 2 * 3_600_000;
    request.resume().on('end', () => response.destroy());
  });
  redirect(databaseOf(), url);
  try {
    const part = { Put: { Item: { pk: 'a', sk: 'a' } } };
    const failed = await transact({ part }).catch((error: Refusal) => error.code);
    expect([failed, asked]).toEqual(['outcome_unknown', 1]);
  } finally {
    now.mockRestore();
    await close();
  }
});

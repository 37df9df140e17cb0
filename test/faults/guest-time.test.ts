import { type CancellationReason, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, GetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { daySecret } from '../../shared/games/day-secrets.ts';
import { defaultSettings, settingsWrites } from '../../shared/games/settings.ts';
import { tableClient } from '../../shared/table/client.ts';
import { packItem, unpackItem } from '../../shared/table/codec.ts';
import { tableFormat } from '../../shared/table/format.ts';
import { sdkError } from '../support/dynamodb-errors.ts';
import { invoke } from '../support/invoke.ts';
import { userOf } from '../support/records.ts';

await import('../../functions/amoe/guest-play.ts');

const dynamodb = mockClient(tableClient);
afterAll(() => dynamodb.restore());
const organizationId = 'org_1';
const user_id = 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ';
type Stored = { pk: string; sk: string };
const nameOf = ({ pk, sk }: Stored) => `${pk} ${sk}`;
let stored: Map<string, Stored>;
/** Milliseconds for which DynamoDB throttles a transaction before it succeeds. */
let refusedMs: number;

/** Returns DynamoDB's cancellation reason for a write. The write fails if its item must be new but exists. */
function usedBefore({ Put }: { Put?: { Item: Stored; ConditionExpression?: string } }) {
  const old = Put?.ConditionExpression === 'attribute_not_exists(pk)' && stored.get(nameOf(Put.Item));
  return old ? { Code: 'ConditionalCheckFailed', Item: marshall(packItem(old)) } : { Code: 'None' };
}
const refusedFor = (CancellationReasons: CancellationReason[]) =>
  new TransactionCanceledException({ message: '', $metadata: {}, CancellationReasons });

beforeEach(async () => {
  // Caches the day's secret before the clock is faked, because the fake KMS needs real time.
  await daySecret(organizationId, '2026-03-10');
  vi.useFakeTimers({ now: Date.parse('2026-03-10T15:00:00Z') });
  dynamodb.reset();
  const user = userOf(organizationId, user_id) as Stored;
  const settings = Object.values(settingsWrites(organizationId, { format: tableFormat, ...defaultSettings }));
  const items = [user, ...settings.map(({ Put }) => Put!.Item as Stored)];
  stored = new Map(items.map((item) => [nameOf(item), item as Stored]));
  let takenAt = performance.now();
  dynamodb.on(BatchGetCommand).callsFake(({ RequestItems }) => {
    const [table, { Keys }] = Object.entries(RequestItems)[0] as [string, { Keys: Stored[] }];
    return { Responses: { [table]: Keys.flatMap((key) => stored.get(nameOf(key)) ?? []) } };
  });
  dynamodb.on(QueryCommand).callsFake(() => ({
    Items: [...stored.values()].filter(({ sk }) => String(sk).startsWith('OUTCOMES#')),
  }));
  dynamodb.on(GetCommand).callsFake(({ Key }) => ({ Item: stored.get(nameOf(Key)) }));
  dynamodb.on(TransactWriteCommand).callsFake(({ TransactItems }) => {
    if (performance.now() - takenAt < refusedMs) throw sdkError('ThrottlingException');
    const used = TransactItems.map(usedBefore);
    if (used.some(({ Code }: { Code: string }) => Code !== 'None')) throw refusedFor(used);
    for (const { Put } of TransactItems)
      if (Put) stored.set(nameOf(Put.Item), unpackItem(packItem(Put.Item)) as Stored);
    takenAt = performance.now();
    return {};
  });
});
afterEach(() => {
  vi.useRealTimers();
});

async function play() {
  const body = { num_of_spins: 100, idempotency_key: 'k' };
  const started = performance.now();
  let took = 0;
  const running = invoke('amoe/guest-play', { organizationId, path: { user_id }, body }).finally(() => {
    took = performance.now() - started;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  return { ...(await running), took };
}

test('slow guest spins are answered as accepted before the timeout and can be collected later', async () => {
  refusedMs = 9000;
  const { status, headers, body, took } = await play();
  expect([status, headers['retry-after'], body.code]).toEqual([503, '1', 'accepted_repeat_to_collect']);
  expect(took).toBeLessThan(28_000);
  refusedMs = 0;
  const again = await play();
  expect(again.status).toBe(200);
  expect(again.body.items).toHaveLength(100);
});

test.each([0, 9000])(
  'guest spins that hang after %i ms are answered as accepted before the gateway’s timeout',
  async (ms) => {
    refusedMs = ms;
    const read = dynamodb.on(BatchGetCommand);
    read.callsFake(({ RequestItems }) => {
      const [table, { Keys }] = Object.entries(RequestItems)[0] as [string, { Keys: Stored[] }];
      const isOrdered = [...stored.values()].some(({ sk }) => sk.startsWith('ORDERS#'));
      if (isOrdered) return new Promise(() => {});
      return { Responses: { [table]: Keys.flatMap((key) => stored.get(nameOf(key)) ?? []) } };
    });
    const { status, body, took } = await play();
    expect([status, body.code]).toEqual([503, 'accepted_repeat_to_collect']);
    expect(took).toBeLessThan(28_000);
  },
);

test('a guest’s order that cannot be stored is refused as not done', async () => {
  refusedMs = 60_000;
  const { status, body } = await play();
  expect([status, body.code]).toEqual([429, 'too_many_requests']);
  expect([...stored.values()].filter(({ sk }) => !['USER', 'SETTINGS'].includes(sk))).toEqual([]);
});

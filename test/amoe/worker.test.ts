import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Context, SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { ulid } from 'ulid';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { handler } from '../../functions/workers/run-spins.ts';
import type { OrderRecord } from '../../shared/accounts/records.ts';
import { makeScheduledChanges } from '../../shared/actions/scheduled-changes.ts';
import { dueItemOf } from '../../shared/amoe/open-orders.ts';
import { placeOrder } from '../../shared/amoe/place-order.ts';
import { startSpinRun } from '../../shared/amoe/start-spin-run.ts';
import { defaultSettings } from '../../shared/games/settings.ts';
import { newId } from '../../shared/ids.ts';
import { type Item, tableClient } from '../../shared/table/client.ts';
import { tableFormat } from '../../shared/table/format.ts';
import { type Key, organizationKey } from '../../shared/table/keys.ts';
import { times } from '../support/api.ts';
import { sdkError } from '../support/dynamodb-errors.ts';
import { promisedOn } from '../support/promised.ts';
import { userOf } from '../support/records.ts';
import { untilEventsEnd } from '../support/stage.ts';

// Gives this file its own queue, so that the stage's workers wait: they would use the mocked clients, too.
process.env.QUEUE_URL_SPIN_SHARDS = 'http://127.0.0.1/queue-of-this-file';
await untilEventsEnd();
const dynamodb = mockClient(tableClient);
const sqs = mockClient(SQSClient);
afterAll(() => {
  dynamodb.restore();
  sqs.restore();
});
const organizationId = 'org_1';
const now = Date.now();

/** Orders in the worker's shard that have due items. Orders in `broken` fail. */
let listed: OrderRecord[];
const broken = new Set<string>();

function orderOf(): OrderRecord {
  const user = userWithSpin({ user_id: newId('usr', now) });
  const asked = { num_of_spins: 1, idempotency_key: 'k' };
  const request = { organizationId, userId: user.user_id, asked, now };
  return placeOrder(user, request, promisedOn('2026-01-01')).order;
}
const brokenOrder = () => {
  const order = orderOf();
  broken.add(order.pk);
  return order;
};

const organization = {
  ...organizationKey(organizationId),
  organization_id: organizationId,
  last_action: ulid(Date.parse('2026-01-01T00:00:00Z')),
  format: tableFormat,
  ...defaultSettings,
};

type Query = { Limit?: number; ExclusiveStartKey?: Item; ExpressionAttributeValues?: object };
/** Imitates a DynamoDB query with pages of at most 20 items, so that the worker reads several pages. */
function pageOf({ Limit = 20, ExclusiveStartKey: after, ExpressionAttributeValues: values = {} }: Query) {
  if (Object.values(values).includes('organizations')) return { Items: [organization] };
  if (!Object.values(values).includes(`DUE#${organizationId}#0`)) return { Items: [] };
  const due = listed.map((order) => dueItemOf(order, 1));
  const start = after ? due.findIndex(({ sk }) => sk === after.sk) + 1 : 0;
  const items = due.slice(start, start + Math.min(Limit, 20));
  const last = items.at(-1);
  return { Items: items, ...(last && last !== due.at(-1) ? { LastEvaluatedKey: last } : {}) };
}

function itemsOf(keys: Key[]): Item[] {
  return keys.flatMap(({ pk, sk }): Item[] => {
    if (sk === 'SETTINGS') return [{ ...organization, pk, sk }];
    const due = listed.map((order) => dueItemOf(order, 1)).find((one) => one.sk === sk);
    if (due) return [due];
    const order = listed.find((one) => one.pk === pk);
    if (!order || sk.startsWith('ORDERS#')) return order ? [order] : [];
    if (broken.has(order.pk)) {
      refused++;
      throw sdkError('ValidationException');
    }
    return sk === 'USER' ? [userWithSpin(order)] : [];
  });
}

const userWithSpin = ({ user_id }: Pick<OrderRecord, 'user_id'>) => ({
  ...userOf(organizationId, user_id),
  queued_spins: 1,
});

beforeEach(() => {
  refused = 0;
  dynamodb.reset();
  sqs.reset();
  dynamodb.on(QueryCommand).callsFake(async (query) => {
    const { Items, ...rest } = pageOf(query);
    return { Items, ...rest };
  });
  dynamodb.on(BatchGetCommand).callsFake(async ({ RequestItems }) => {
    const [table, { Keys }] = Object.entries(RequestItems)[0] as [string, { Keys: Key[] }];
    return { Responses: { [table]: itemsOf(Keys) } };
  });
  dynamodb.on(TransactWriteCommand).resolves({});
  dynamodb.on(GetCommand).resolves({});
  dynamodb.on(PutCommand).resolves({});
  sqs.on(SendMessageBatchCommand).resolves({});
});

const ran = () => dynamodb.commandCalls(TransactWriteCommand).length;
let refused = 0;

/**
 * Invokes the worker with one message. Returns the number of SQS requests with which it passes its work to a successor,
 * and whether SQS redelivers the message.
 */
async function work(timeIsUp: () => boolean = () => false, leftMs = 100_000) {
  const record = {
    messageId: 'm',
    body: JSON.stringify({ organization_id: organizationId, shard: 0, day: '2026-01-02' }),
  };
  const { batchItemFailures } = await handler(
    { Records: [record] } as SQSEvent,
    { getRemainingTimeInMillis: () => (timeIsUp() ? 0 : leftMs) } as Context,
  );
  const successors = sqs.commandCalls(SendMessageBatchCommand).length;
  return { successors, comesAgain: batchItemFailures.length > 0 };
}

describe('a worker of the spin run', () => {
  test('is done when it has run all due orders', async () => {
    listed = times(3, orderOf);
    expect(await work()).toEqual({ successors: 0, comesAgain: false });
    expect(ran()).toBe(3);
  });

  test('sends a message to a successor when its time is up', async () => {
    listed = times(30, orderOf);
    expect(await work(() => ran() > 0)).toEqual({ successors: 1, comesAgain: false });
    expect(ran()).toBeLessThan(30);
  });

  test('starts no transaction that could exceed its time', async () => {
    listed = [orderOf()];
    // The worker has 28 s left. A transaction can take as long: 10 s of retries, then two calls of 9 s.
    expect(await work(undefined, 10_000 + 2 * 9_000)).toEqual({ successors: 1, comesAgain: false });
    expect(ran()).toBe(0);
  });

  test('returns its message to the queue if an order failed', async () => {
    listed = [brokenOrder(), orderOf()];
    expect(await work()).toEqual({ successors: 0, comesAgain: true });
    expect(ran()).toBe(1);
  });

  test('sends only a message to a successor if its time is up and an order failed', async () => {
    listed = times(15, () => [brokenOrder(), orderOf()]).flat();
    expect(await work(() => ran() > 0 && refused > 0)).toEqual({ successors: 1, comesAgain: false });
  });

  test('returns its message to the queue if no order could run in its time', async () => {
    listed = times(30, brokenOrder);
    expect(await work(() => refused > 1)).toEqual({ successors: 0, comesAgain: true });
  });

  test('reaches the orders after any number of failing ones', async () => {
    listed = [...times(65, brokenOrder), orderOf()];
    expect(await work()).toEqual({ successors: 0, comesAgain: true });
    expect(ran()).toBe(1);
  });
});

test('a spin run belongs to the day in New York, also in the evening', async () => {
  listed = [orderOf()];
  await startSpinRun(
    { now: '2026-01-03T04:45:00Z' },
    Date.parse('2026-01-03T04:45:01Z'),
    makeScheduledChanges,
  );
  const sent = sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries ?? []);
  expect(sent.length).toBeGreaterThan(0);
  for (const { MessageBody = '' } of sent) expect(JSON.parse(MessageBody).day).toBe('2026-01-02');
});

test('a spin run does not start for an event without a valid time', async () => {
  await expect(startSpinRun({ now: 'soon' }, Date.now(), makeScheduledChanges)).rejects.toThrow(
    'valid datetime',
  );
});

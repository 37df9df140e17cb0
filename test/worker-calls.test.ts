import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { workers } from '../infra/deploy/workers.ts';
import { readUser } from '../shared/accounts/user.ts';
import { createOrganization } from '../shared/actions/create-organization.ts';
import { dueItemOf } from '../shared/amoe/open-orders.ts';
import { placeOrder } from '../shared/amoe/place-order.ts';
import { closeBooks } from '../shared/books/close-all.ts';
import { extendIndex } from '../shared/reports/extend-index.ts';
import { shardOf } from '../shared/shards.ts';
import { client, get, put, putAll } from '../shared/table/client.ts';
import { organizationKey } from '../shared/table/keys.ts';
import { activeReportKey } from '../shared/table/row-index-keys.ts';
import { eventsOf } from '../shared/webhooks/events.ts';
import type { Receiver } from '../shared/webhooks/receiver.ts';
import {
  readWebhook,
  registerWebhook,
  type WebhookFields,
  withReceiver,
} from '../shared/webhooks/webhooks.ts';
import { newOrganization } from './support/api.ts';
import { type Call, watchingCalls } from './support/calls.ts';
import { useOwnTable } from './support/own-table.ts';
import { writePlays } from './support/played.ts';
import { prizeOf } from './support/prize.ts';
import { promisedOn } from './support/promised.ts';
import { putPrizeTable } from './support/put-prize-table.ts';
import { startReceiver } from './support/receiver.ts';
import { insertOf, outcomeOf, transactionOf, userOf, type Written, writeRecords } from './support/records.ts';
import { makeUser } from './support/round-trips.ts';
import { testContext } from './support/test-context.ts';

type Handler = (event: unknown, context?: Context) => Promise<unknown>;
const handlers: Record<string, Handler> = {};
for (const { name } of workers) {
  const [folder, file] = name.split('/');
  handlers[name] = (await import(`../functions/${folder}/${file}.ts`)).handler;
}

// Each test uses its own table, so that no worker of the local stage and no other test changes the same data.
beforeEach(() => useOwnTable('worker-calls'));

/**
 * Writes 70 outcomes, ten minutes old, because the worker waits for at least 64 rows to index. Returns the last
 * outcome.
 */
async function oldOutcomes(): Promise<Written> {
  const { organizationId } = await newOrganization();
  const now = Date.now() - 600_000;
  const records: Written[] = [];
  let user = userOf(organizationId, 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ');
  for (let i = 0; i < 70; i++) {
    const made = await outcomeOf(user, now);
    user = made.user;
    records.push(made.record);
  }
  await writeRecords(records);
  return records.at(-1)!;
}

const streamEvent = (record: Written): DynamoDBStreamEvent => ({ Records: [insertOf(record)] });

/** Stores an order of one free spin, due in 1999, that wins cash from its own prize table. */
async function orderOfCash() {
  const { organizationId } = await newOrganization();
  const version = await putPrizeTable(
    organizationId,
    'prizewheel',
    [prizeOf('cash_usd', 1, 1_000_000), prizeOf('tickets', 1, 1)],
    testContext(),
  );
  const request = {
    organizationId,
    userId: await makeUser(organizationId),
    now: Date.now(),
  };
  const user = await readUser(request.organizationId, request.userId);
  const asked = { num_of_spins: 1, idempotency_key: 'a' };
  const promised = promisedOn('1999-01-01', version);
  const { user: ordering, order } = placeOrder(user, { ...request, asked }, promised);
  await putAll([ordering, order, dueItemOf(order, 1)]);
  return order;
}

/** Stores an overdue order of one free spin, due in 1999. The organization has no hold that explains the delay. */
async function overdueOrder() {
  const now = Date.now() - 3 * 3_600_000;
  const { organization_id } = await createOrganization('Overdue', 'local', { operator: 'test', now });
  const user = await readUser(organization_id, await makeUser(organization_id));
  const asked = { num_of_spins: 1, idempotency_key: 'a' };
  const request = { organizationId: organization_id, userId: user.user_id, asked, now };
  const { user: ordering, order } = placeOrder(user, request, promisedOn('1999-01-01'));
  await putAll([ordering, order, dueItemOf(order, 1)]);
}

/** Writes a transaction, and returns its event. */
async function ticketOf(organizationId: string) {
  const { record } = await transactionOf(userOf(organizationId, 'usr_1'), 'tickets', Date.now() - 120_000);
  await writeRecords([record as Written]);
  const { id, type } = eventsOf(record)[0]!;
  const ulid = record.transaction_id.slice(4);
  return { event_id: id, event_type: type, record: { user_id: 'usr_1', list: 'tickets' as const, ulid } };
}

/** Registers a webhook that missed the events of the last five minutes. Returns its id. */
async function unwellWebhook(organizationId: string, fields: WebhookFields, more: Partial<Receiver>) {
  const now = Date.now();
  const { webhook_id } = await registerWebhook(organizationId, fields, now - 600_000);
  const receiver = { state: 'paused' as const, missed_from: now - 300_000, ...more };
  await put(withReceiver(await readWebhook(organizationId, webhook_id), receiver));
  return webhook_id;
}

const messageOf = (message: object) => ({ Records: [{ messageId: 'm', body: JSON.stringify(message) }] });

/** For each worker, a function that creates data for it and returns the events that the worker handles. */
const works: Record<string, () => Promise<unknown[]>> = {
  'workers/start-spin-run': async () => {
    const { organizationId } = await newOrganization();
    const changes = { cost_truck: 2, prize_table_truck: 'truck-1' };
    const scheduled = [{ sequence: 2, from: '2000-01-01T05:00:00.000Z', changes, operator: 'test' }];
    await put({ ...(await get(organizationKey(organizationId))), scheduled });
    await overdueOrder();
    return [{}];
  },
  'workers/run-spins': async () => {
    const { organization_id, user_id } = await orderOfCash();
    return [messageOf({ organization_id, shard: shardOf(user_id), day: '1999-01-01' })];
  },
  'workers/publish-events': async () => {
    const outcome = await oldOutcomes();
    // The webhook receives only `cash_won` events. The outcome causes none, so nothing is sent.
    const fields = { callback_url: 'https://hooks.example.com', secret_key: 's', event: 'cash_won' as const };
    await registerWebhook(outcome.organization_id, fields, Date.now());
    return [streamEvent(outcome)];
  },
  'workers/send-webhook': async () => {
    const [{ organizationId: organization_id }, receiver] = await Promise.all([
      newOrganization(),
      startReceiver(),
    ]);
    const fields = { callback_url: receiver.url, secret_key: 'secret', event: 'all' as const };
    const event = await ticketOf(organization_id);
    // The success of this delivery resumes a paused receiver, so that the worker replays the record.
    const resumed = await unwellWebhook(organization_id, fields, { state: 'paused' });
    return [messageOf({ organization_id, webhook_id: resumed, ...event, attempt: 1, probe: true })];
  },
  'workers/sweep-receivers': async () => {
    const { organizationId } = await newOrganization();
    const fields = { callback_url: 'https://hooks.example.com', secret_key: 's', event: 'all' as const };
    const probe = await ticketOf(organizationId);
    await unwellWebhook(organizationId, fields, { state: 'paused', probe });
    const resumed = { state: 'resumed' as const, missed_to: Date.now() };
    await unwellWebhook(organizationId, { ...fields, callback_url: 'https://a.example.com' }, resumed);
    return [{}];
  },
  'workers/index-rows': async () => {
    const outcome = await oldOutcomes();
    // Creates an index with one row per block, so that the worker needs two transactions for the other rows.
    const report = { organizationId: outcome.organization_id, report: 'outcomes' as const };
    await extendIndex(report, Date.now(), { rowsPerBlock: 1, hasTime: () => false });
    return [streamEvent(outcome)];
  },
  'workers/check-row-index': async () => {
    const { organization_id } = await oldOutcomes();
    const active = { organization_id, report: 'outcomes', noted_at: Date.now() };
    await putAll([{ ...activeReportKey(String(organization_id), 'outcomes'), ...active }]);
    return [{}];
  },
  'workers/check-payouts': async () => {
    const { organizationId } = await newOrganization();
    const prizes = [prizeOf('tickets', 1, 1), prizeOf('tickets', 2, 1)];
    const version = await putPrizeTable(organizationId, 'prizewheel', prizes, testContext());
    const table = { version, prizes };
    await writePlays({ organizationId, table, won: ['tickets-1'], from: Date.now() - 600_000 });
    return [{}];
  },
  'workers/close-books': async () => {
    // The worker closes the book of the past day.
    const actionContext = { operator: 'test', now: Date.now() - 27 * 3_600_000 };
    const { organization_id } = await createOrganization('Books', 'local', actionContext);
    const user = userOf(organization_id, `usr_${'0'.repeat(26)}`);
    await writeRecords([(await transactionOf(user, 'tickets', actionContext.now)).record as never]);
    return [{}];
  },
  'workers/check-books': async () => {
    const now = Date.now() - 27 * 3_600_000;
    const { organization_id } = await createOrganization('Books', 'local', { operator: 'test', now });
    // Writes an outcome, so that the worker reads its prize table.
    const prizes = [prizeOf('tickets', 1, 1)];
    const version = await putPrizeTable(organization_id, 'prizewheel', prizes, { operator: 'test', now });
    const table = { version, prizes };
    await writePlays({ organizationId: organization_id, table, won: ['tickets-1'], from: now });
    await closeBooks(organization_id, Date.now());
    return [{}];
  },
};

/** Invokes a worker `leftMs` before its timeout, once per event. Returns its results and its DynamoDB calls. */
const runWorker = (
  name: string,
  events: unknown[],
  leftMs: number,
  fault?: Parameters<typeof watchingCalls>[2],
) =>
  watchingCalls(
    client,
    async () => {
      const results: unknown[] = [];
      const context = { getRemainingTimeInMillis: () => leftMs } as Context;
      for (const event of events) results.push(await handlers[name]!(event, context));
      return results;
    },
    fault,
  );

/** Returns the DynamoDB actions on the table that these calls need, and whether a call reads the index. */
const accessOf = (calls: Call[]) => ({
  table: [...new Set(calls.filter(({ index }) => !index).flatMap(({ actions }) => actions))].sort(),
  index: calls.some(({ index }) => index),
});

test.each(workers)('the calls that $name may make are those that it makes', async (worker) => {
  const { name, access, timeoutSeconds } = worker;
  const allowed = { table: [...(access.table ?? [])].sort(), index: access.index ?? false };
  const { calls } = await runWorker(name, await works[name]!(), timeoutSeconds * 1000);
  expect(accessOf(calls)).toEqual(allowed);
});

/** Milliseconds left that are fewer than each worker reserves. A single call to DynamoDB can take 9 s. */
const nearlyUpMs = 14_000;
const writesOf = (calls: Call[]) => calls.filter(({ operation }) => !/Get|Query/.test(operation)).length;
/** Writes of workers that finish what they have begun: index-rows marks the report and writes one transaction. */
const lastWrites: Record<string, number> = { 'workers/index-rows': 2 };

test.each(workers.filter(({ name }) => handlers[name]!.length > 1))(
  '$name starts nothing shortly before its timeout, and leaves the work to a later run',
  async (worker) => {
    const { name, timeoutSeconds } = worker;
    const events = await works[name]!();
    const late = await runWorker(name, events, nearlyUpMs);
    expect(writesOf(late.calls)).toBe(lastWrites[name] ?? 0);
    const next = await runWorker(name, events, timeoutSeconds * 1000);
    expect(writesOf(next.calls)).toBeGreaterThan(0);
  },
);

describe.each(workers.filter(({ source }) => 'queue' in source))('$name returns to its queue', (worker) => {
  const { name, timeoutSeconds } = worker;
  test('only messages of unknown form', async () => {
    const unknown = ['', 'text', 'null', '{}'].map((body) => ({ messageId: `unknown ${body}`, body }));
    for (const { Records } of (await works[name]!()) as SQSEvent[]) {
      const event = { Records: [...unknown, ...Records] };
      const { result } = await runWorker(name, [event], timeoutSeconds * 1000);
      expect(result).toEqual([
        { batchItemFailures: unknown.map(({ messageId }) => ({ itemIdentifier: messageId })) },
      ]);
    }
  });
});

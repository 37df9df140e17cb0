import type { Context, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { workers } from '../infra/deploy/workers.ts';
import { readUser } from '../shared/accounts/user.ts';
import { dueItemOf } from '../shared/amoe/open-orders.ts';
import { placeOrder } from '../shared/amoe/place-order.ts';
import { runShard } from '../shared/amoe/spin-run.ts';
import { closeBooks } from '../shared/books/close-all.ts';
import { ulidFloor } from '../shared/ids.ts';
import { changeSettings, putPrizeTable } from '../shared/operations/change-settings.ts';
import { createOrganization } from '../shared/operations/create-organization.ts';
import { shardOf } from '../shared/shards.ts';
import { client, get, put, putAll } from '../shared/table/client.ts';
import { organizationKey } from '../shared/table/keys.ts';
import { activeReportKey } from '../shared/table/row-index-keys.ts';
import { createWebhook, readWebhook } from '../shared/webhooks/webhooks.ts';
import { newOrganization } from './support/api.ts';
import { type Call, watchingCalls } from './support/calls.ts';
import { eventually } from './support/eventually.ts';
import { useOwnTable } from './support/own-table.ts';
import { writePlays } from './support/played.ts';
import { prizeOf } from './support/prize.ts';
import { promisedOn } from './support/promised.ts';
import { startReceiver } from './support/receiver.ts';
import { insertOf, outcomeOf, transactionOf, userOf, type Written, writeRecords } from './support/records.ts';
import { makeUser } from './support/round-trips.ts';
import { testContext } from './support/test-context.ts';

const context = { getRemainingTimeInMillis: () => 900_000 } as Context;

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

/** For each worker, a function that creates data for it and returns a function that runs it. */
const works: Record<string, () => Promise<() => Promise<unknown>>> = {
  'events/start-spin-run': async () => {
    const { handler } = await import('../functions/events/start-spin-run.ts');
    const { organization_id } = await createOrganization('Scheduled', 'local', {
      operator: 'test',
      now: Date.now(),
    });
    const changes = { cost_truck: 2, prize_table_truck: 'truck-1' };
    const scheduled = [{ sequence: 2, from: '2000-01-01T05:00:00.000Z', changes, operator: 'test' }];
    await put({ ...(await get(organizationKey(organization_id))), scheduled });
    await overdueOrder();
    return () => handler({});
  },
  'events/run-spins': async () => {
    const { organization_id, user_id } = await orderOfCash();
    const message = { organization_id, shard: shardOf(user_id), day: '1999-01-01' };
    return () => runShard(message, { now: Date.now, timeIsUp: () => false });
  },
  'events/publish-events': async () => {
    const { handler } = await import('../functions/events/publish-events.ts');
    const outcome = await oldOutcomes();
    // The webhook receives only `cash_won` events. The outcome causes none, so nothing is sent.
    const fields = { callback_url: 'https://hooks.example.com', secret_key: 's', event: 'cash_won' as const };
    const now = Date.now();
    const { webhook_id } = await createWebhook(outcome.organization_id, fields, now);
    // The receiver's next backlog step is an hour overdue, as if its message had been lost.
    const webhook = await readWebhook(outcome.organization_id, webhook_id);
    const backlog = { since: now, cursor: ulidFloor(now), step: 1, due: now - 3_600_000, failed_steps: 1 };
    await putAll([{ ...webhook, receiver: { state: 'behind', backlog } }]);
    const event = streamEvent(outcome);
    return () => handler(event);
  },
  'events/send-webhook': async () => {
    const { handler } = await import('../functions/events/send-webhook.ts');
    const [api, receiver] = await Promise.all([newOrganization(), startReceiver()]);
    const { body } = await api.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
    // Makes the webhook's receiver `behind`. The receiver has failed for so long that the worker disables the webhook.
    const webhook = await readWebhook(api.organizationId, body.webhook_id);
    const now = Date.now();
    const failing_since = '2026-01-05T12:00:00.000Z';
    const cursor = ulidFloor(now - 600_000);
    const backlog = { since: now, cursor, step: 1, due: now, failed_steps: 1 };
    await putAll([{ ...webhook, receiver: { state: 'behind', failing_since, backlog } }]);
    // Another webhook has a limit, so that the worker reserves a time for its delivery.
    const limited = { callback_url: `${receiver.url}/limited`, secret_key: 'secret' };
    const { webhook_id } = (await api.post('/webhooks', limited)).body;
    await putAll([{ ...(await readWebhook(api.organizationId, webhook_id)), per_second: 1 }]);
    const delivery = { organization_id: api.organizationId, webhook_id, attempt: 1 };
    const event = { event_id: 'evt_a', event_type: 'outcome', notice: {}, follows: 'message' };
    const message = JSON.stringify({ ...delivery, ...event });
    const step = JSON.stringify({
      organization_id: api.organizationId,
      webhook_id: body.webhook_id,
      step: 1,
    });
    await receiver.close();
    return async () => {
      for (const body of [step, message]) await handler({ Records: [{ messageId: 'm', body }] } as SQSEvent);
    };
  },
  'events/index-rows': async () => {
    const { handler } = await import('../functions/events/index-rows.ts');
    const event = streamEvent(await oldOutcomes());
    return () => handler(event, context);
  },
  'events/check-row-index': async () => {
    const { handler } = await import('../functions/events/check-row-index.ts');
    // Uses its own table. In the shared table, the worker would check the row indexes of all other tests.
    const { TABLE_NAME } = process.env;
    await useOwnTable('check-row-index');
    const { organization_id } = await oldOutcomes();
    const active = { organization_id, report: 'outcomes', noted_at: Date.now() };
    await putAll([{ ...activeReportKey(String(organization_id), 'outcomes'), ...active }]);
    return () =>
      handler({}, context).finally(() => {
        process.env.TABLE_NAME = TABLE_NAME;
      });
  },
  'events/check-payouts': async () => {
    const { handler } = await import('../functions/events/check-payouts.ts');
    const { TABLE_NAME } = process.env;
    await useOwnTable('check-payouts');
    const { organization_id } = await createOrganization('Payouts', 'local', testContext());
    const prizes = [prizeOf('tickets', 1, 1), prizeOf('tickets', 2, 1)];
    const version = await putPrizeTable(organization_id, 'prizewheel', prizes, testContext());
    await writePlays({
      organizationId: organization_id,
      table: { version, prizes },
      won: ['tickets-1'],
      from: Date.now() - 600_000,
    });
    return () =>
      handler({}, context).finally(() => {
        process.env.TABLE_NAME = TABLE_NAME;
      });
  },
  'events/close-books': async () => {
    const { handler } = await import('../functions/events/close-books.ts');
    const { TABLE_NAME } = process.env;
    await useOwnTable('close-books');
    // The worker closes the book of the past day, reads the users with records, and records the beacon that the
    // organization lacks.
    const actionContext = { operator: 'test', now: Date.now() - 27 * 3_600_000 };
    const { organization_id } = await createOrganization('Books', 'local', actionContext);
    await changeSettings(organization_id, { beacon: '' }, actionContext);
    const user = userOf(organization_id, `usr_${'0'.repeat(26)}`);
    await writeRecords([(await transactionOf(user, 'tickets', actionContext.now)).record as never]);
    return () =>
      handler({}, context).finally(() => {
        process.env.TABLE_NAME = TABLE_NAME;
      });
  },
  'events/check-books': async () => {
    const { handler } = await import('../functions/events/check-books.ts');
    const { TABLE_NAME } = process.env;
    await useOwnTable('check-books');
    const now = Date.now() - 27 * 3_600_000;
    const { organization_id } = await createOrganization('Books', 'local', { operator: 'test', now });
    // Writes an outcome, so that the worker reads its prize table.
    const prizes = [prizeOf('tickets', 1, 1)];
    const version = await putPrizeTable(organization_id, 'prizewheel', prizes, { operator: 'test', now });
    const table = { version, prizes };
    await writePlays({ organizationId: organization_id, table, won: ['tickets-1'], from: now });
    await closeBooks(organization_id, Date.now());
    return () =>
      handler({}, context).finally(() => {
        process.env.TABLE_NAME = TABLE_NAME;
      });
  },
};

/** Returns the DynamoDB actions on the table that these calls need, and whether a call reads the index. */
const accessOf = (calls: Call[]) => ({
  table: [...new Set(calls.filter(({ index }) => !index).flatMap(({ actions }) => actions))].sort(),
  index: calls.some(({ index }) => index),
});

test.each(workers)('the calls that $name may make are those that it makes', async ({ name, access }) => {
  const allowed = { table: [...(access.table ?? [])].sort(), index: access.index ?? false };
  // Repeats the test with new data: a worker of the local stage may process the data first, so that fewer calls remain.
  await eventually(async () => {
    const work = await works[name]!();
    const { calls } = await watchingCalls(client, work);
    expect(accessOf(calls)).toEqual(allowed);
  });
});

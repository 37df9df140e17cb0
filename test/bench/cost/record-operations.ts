/** Operations of the cost model that process new records in the background: webhooks, row index, payouts and books. */
import { randomUUID } from 'node:crypto';
import { postTransaction } from '../../../shared/accounts/post.ts';
import type { HistoryRecord } from '../../../shared/accounts/records.ts';
import { readUser } from '../../../shared/accounts/user.ts';
import { createOrganization } from '../../../shared/actions/create-organization.ts';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { defaultRowsPerBlock } from '../../../shared/reports/day-counts.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../../shared/time.ts';
import type { Delivery } from '../../../shared/webhooks/delivery-queue.ts';
import { eventsOf } from '../../../shared/webhooks/events.ts';
import { deliveriesOf } from '../../../shared/webhooks/publishing.ts';
import type { Webhook } from '../../../shared/webhooks/webhooks.ts';
import { writePlays } from '../../support/played.ts';
import { insertOf, userOf, type Written, writeRecords } from '../../support/records.ts';
import { makeUser } from '../../support/round-trips.ts';
import { indexAll, writeReportRows } from '../report-rows.ts';
import { scaled } from '../row.ts';
import { headerBytes, receiverMs } from './assumptions.ts';
import type { Operation } from './measure.ts';

const background = { isRequest: false } as const;
const posting = () => ({
  account: 'tickets' as const,
  amount: 5,
  description: 'Five for a friend',
  idempotency_key: randomUUID(),
});

const streamEvent = (records: object[]) => ({
  Records: records.map((record, index) => insertOf(record, String(index))),
});

/** Returns one record, not yet written, for each of `count` new users. */
async function newRecords(organizationId: string, count: number) {
  const users = await Promise.all(Array.from({ length: count }, () => makeUser(organizationId)));
  return Promise.all(
    users.map(
      async (id) => postTransaction(await readUser(organizationId, id), posting(), Date.now()).record,
    ),
  );
}

/** Returns the operations that publish events and send them to one webhook: single events, and batches of ten. */
export function webhookOperations(organizationId: string, webhookId: string): Operation[] {
  const operationsOf = (count: number, words: string): Operation[] => {
    let bytes = 0;
    return [
      {
        ...background,
        name: `an event published${words}`,
        of: 'workers/publish-events',
        per: count,
        prepare: async () => streamEvent(await newRecords(organizationId, count)),
      },
      {
        ...background,
        name: `an event sent${words}`,
        of: 'workers/send-webhook',
        per: count,
        sqsRequests: 2,
        waitsMs: receiverMs,
        sends: () => bytes,
        prepare: async () => {
          const records = await newRecords(organizationId, count);
          await writeRecords(records as Written[]);
          const payloads = records.map((record) => JSON.stringify(eventsOf(record)[0]));
          bytes = payloads.reduce((sum, { length }) => sum + length + headerBytes, 0);
          return { Records: records.map((record) => messageOf(record, webhookId)) };
        },
      },
    ];
  };
  const held: Operation = {
    ...background,
    name: 'a delivery held for 15 minutes, of 10',
    of: 'workers/send-webhook',
    per: 10,
    sqsRequests: 2,
    prepare: async () => {
      const waits = { not_before: Date.now() + 36_000_000, follows: randomUUID() };
      const records = await newRecords(organizationId, 10);
      return { Records: records.map((record) => messageOf(record, webhookId, waits)) };
    },
  };
  return [...operationsOf(1, ', alone'), ...operationsOf(10, ', of 10'), held];
}

/** Returns a message of the delivery queue that tells the worker to send a record's event to a webhook. */
function messageOf(record: HistoryRecord, webhook_id: string, more: Partial<Delivery> = {}) {
  const webhook = { organization_id: record.organization_id, webhook_id } as Webhook;
  const [planned] = deliveriesOf([record], () => [webhook]);
  const delivery: Delivery = { ...planned!.delivery, ...more };
  return { messageId: randomUUID(), body: JSON.stringify(delivery) };
}

/**
 * Returns an operation of the row-index worker. Each run passes `rows` new records to the worker, which indexes `rows`
 * older ones.
 */
export async function indexOperation(organizationId: string, rows: number, size: number): Promise<Operation> {
  let at = Date.now() - 3 * 3_600_000;
  await writeReportRows({
    organizationId,
    count: scaled(defaultRowsPerBlock / 2, size, 10),
    from: at - 3_600_000,
    to: at,
  });
  await indexAll({ organizationId, report: 'tickets' }, at + 120_000);
  const user = userOf(organizationId, 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ');
  const records = (time: number) =>
    Array.from({ length: rows }, (_, i) => postTransaction(user, posting(), time + i).record);
  return {
    ...background,
    name: `a record indexed, ${rows === 1 ? 'alone' : `of ${rows}`}`,
    of: 'workers/index-rows',
    per: rows,
    samples: 4,
    prepare: async () => {
      at += 10_000;
      await writeRecords(records(at) as Written[]);
      // The worker cannot index these records yet, because they are less than a minute old.
      return streamEvent(records(Date.now()));
    },
  };
}

/** Operation that checks the payouts of one organization for one hour with 2,000 plays. */
export function payoutsOperation(size: number): Operation {
  const ofHour = scaled(2000, size, 20);
  return {
    ...background,
    name: 'a play checked, of an hour',
    of: 'workers/check-payouts',
    per: ofHour,
    samples: 1,
    prepare: async () => {
      const now = Date.now();
      const { organization_id } = await createOrganization('Bench', 'local', { operator: 'bench', now });
      const table = defaultPrizeTables.prizewheel;
      const won = Array.from({ length: ofHour }, (_, i) => table.prizes[i % table.prizes.length]!.id);
      await writePlays({ organizationId: organization_id, table, won, from: now - 1_800_000 });
      return {};
    },
  };
}

/** Operation that closes the book of the previous day, of an organization with 2,000 records. */
export function bookOperation(size: number): Operation {
  const ofDay = scaled(2000, size, 20);
  return {
    ...background,
    name: 'a record in a book, of a day',
    of: 'workers/close-books',
    per: ofDay,
    samples: 1,
    prepare: async () => {
      const today = dayOf(Date.now());
      const start = startOfDay(addDays(today, -1));
      const hour = 3_600_000;
      const { organization_id } = await createOrganization('Bench', 'local', {
        operator: 'bench',
        now: start + hour,
      });
      await writeReportRows({
        organizationId: organization_id,
        count: ofDay,
        from: start + hour,
        to: start + 20 * hour,
      });
      // No book of the day before can be closed in the first hour of a day.
      return { now: isoOf(startOfDay(today) + 2 * hour) };
    },
  };
}

/** Tests that an attacker who can write to the table but has no KMS key cannot have a record sent, listed or booked. */
import { deflateRawSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import {
  type HistoryRecord,
  listOf,
  type OutcomeRecord,
  type UserRecord,
} from '../../shared/accounts/records.ts';
import { closeBooks } from '../../shared/books/close-all.ts';
import { recordsOfDay } from '../../shared/books/records-of-day.ts';
import { findOutcome } from '../../shared/games/find-outcome.ts';
import { readPrizeTable } from '../../shared/games/organization-tables.ts';
import { ulidFloor } from '../../shared/ids.ts';
import { createOrganization } from '../../shared/operations/create-organization.ts';
import { bookKey, tileKey } from '../../shared/table/book-keys.ts';
import { packed } from '../../shared/table/codec.ts';
import {
  type Key,
  prizeTableKey,
  recordLists,
  recordTimeKey,
  timeSortKey,
  userKey,
} from '../../shared/table/keys.ts';
import { storedName } from '../../shared/table/names.ts';
import { activeReportKey } from '../../shared/table/row-index-keys.ts';
import { Tampered, type unsealedKinds } from '../../shared/table/seals.ts';
import { packText, unpackBinary } from '../../shared/table/values.ts';
import { paceKey, webhookCallKey, webhooksKey } from '../../shared/table/webhook-keys.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import type { Delivery } from '../../shared/webhooks/delivery-queue.ts';
import { eventsOf } from '../../shared/webhooks/events.ts';
import { readPayload } from '../../shared/webhooks/payloads.ts';
import { readEvents } from '../../shared/webhooks/read-events.ts';
import { recordsInOrder } from '../../shared/webhooks/replay.ts';
import { type EndpointName, invoke } from '../support/invoke.ts';
import { useOwnTable } from '../support/own-table.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { makeUser } from '../support/round-trips.ts';
import { newPlace } from './support/deciding-flows.ts';
import { changes, itemAt, type Stored, store } from './support/raw-items.ts';

let organizationId: string;
let userId: string;
let records: UserRecord[];
beforeAll(async () => {
  await useOwnTable('tampered-records');
  ({ organizationId } = await newPlace());
  userId = await makeUser(organizationId, 5);
  const path = { user_id: userId };
  for (const type of ['truck', 'flight']) {
    const body = { amount: 1, type, description: 'One more', idempotency_key: type };
    await invoke('entries/credit', { organizationId, path, body });
  }
  const played = await invoke('debug/play', { organizationId, path, body: { result: 'jackpot' } });
  const token = String(played.body.url).split('/').at(-1)!;
  await invoke('play/spin', { organizationId, path: { token }, body: {} });
  records = [];
  for await (const record of recordsOfDay(organizationId, dayOf(Date.now()))) {
    if (record.kind !== 'operations') records.push(record as unknown as UserRecord);
  }
});

const later = () => Date.now() + 120_000;

async function eventIds(user_id?: string): Promise<string[]> {
  const { events } = await readEvents({ organizationId, user_id }, { limit: 1000 }, later());
  return events.map(({ data }) => String(data.id ?? data.outcome_id ?? data.transaction_id));
}

async function hasPayload(record: UserRecord, otherId?: string): Promise<boolean> {
  const event_type = record.kind === 'outcomes' ? 'cash_won' : 'balance_updated';
  const named = { user_id: userId, list: listOf(record), ulid: timeSortKey(record) };
  const event_id = eventsOf(record as HistoryRecord).find(({ type }) => type === event_type)!.id;
  const ofEvent = { event_id: otherId ?? event_id, event_type, record: named };
  const delivery = { organization_id: organizationId, ...ofEvent };
  return (await readPayload(delivery as Delivery)) !== undefined;
}

async function isIn(batches: AsyncIterable<unknown>, { pk, sk }: Key): Promise<boolean> {
  for await (const batch of batches) {
    for (const found of [batch].flat() as Key[]) if (found.pk === pk && found.sk === sk) return true;
  }
  return false;
}

async function reported(name: EndpointName, user_id?: string): Promise<string> {
  const query = { page_size: '100', ...(user_id ? { user_id } : {}) };
  const { status, body } = await invoke(name, { organizationId, query, now: later() });
  expect(status).toBe(200);
  return JSON.stringify(body);
}

const reportOf = {
  tickets: 'reports/tickets',
  entries: 'reports/entries',
  outcomes: 'reports/outcomes',
} as const;
const historyOf = { tickets: 'tickets/history', entries: undefined, outcomes: 'games/history' } as const;

/** Returns the names of the readers that still return a record. */
async function readersOf(record: UserRecord): Promise<string[]> {
  const kind = record.kind as keyof typeof reportOf;
  const id = record.kind === 'outcomes' ? record.id : (record as { transaction_id: string }).transaction_id;
  const range = { organizationId, from: ulidFloor(0), to: ulidFloor(later()) };
  const history = historyOf[kind];
  const answered = history && (await invoke(history, { organizationId, path: { user_id: userId } }));
  const found = {
    events: (await eventIds()).includes(id),
    'events of the user': (await eventIds(userId)).includes(id),
    webhook: await hasPayload(record),
    backlog: await isIn(recordsInOrder(range), record),
    book: await isIn(recordsOfDay(organizationId, dayOf(Date.now())), record),
    report: (await reported(reportOf[kind])).includes(id),
    'report on the user': (await reported(reportOf[kind], userId)).includes(id),
    ...(answered && { history: answered.status === 200 }),
  };
  return Object.entries(found).flatMap(([name, isFound]) => (isFound ? [name] : []));
}

const added = ['debug', 'external_reference', 'cash_usd', 'unknown'].map(storedName);

test.each(recordLists)('no reader returns a record of %s that somebody has changed', async (list) => {
  const record = records.find((one) => listOf(one) === list)!;
  const item = await itemAt(record);
  const genuine = await readersOf(record);
  expect(genuine).toEqual(
    expect.arrayContaining(['events', 'events of the user', 'webhook', 'backlog', 'book', 'report']),
  );
  const additions = added
    .filter((name) => !(name in item))
    .map((name): [string, Stored] => [`added ${name}`, { ...item, [name]: { S: 'x' } }]);
  const believed: string[] = [];
  for (const [what, tampered] of [...changes(item), ...additions]) {
    await store(tampered);
    for (const reader of await readersOf(record)) believed.push(`${reader}: ${what}`);
  }
  await store(item);
  expect(believed).toEqual([]);
  expect(await readersOf(record)).toEqual(genuine);
});

test('no reader returns a record that somebody has copied from another user', async () => {
  const record = records.find(({ kind }) => kind === 'outcomes')!;
  const item = await itemAt(record);
  const other = await makeUser(organizationId);
  const pk = item.pk!.S.replace(userId.slice(4), other.slice(4));
  await store({ ...item, pk: { S: pk } });
  const { events } = await readEvents({ organizationId, user_id: other }, { limit: 100 }, later());
  expect(events).toEqual([]);
  expect(await isIn(recordsOfDay(organizationId, dayOf(Date.now())), { pk, sk: item.sk!.S })).toBe(false);
});

const unsealedKeys: Record<keyof typeof unsealedKinds, Key> = {
  'prize table': prizeTableKey('org_1', 'truck', 'v'),
  'webhook count': webhooksKey('org_1'),
  'time of deliveries': paceKey('org_1', 'wh_1'),
  'webhook call': webhookCallKey('org_1', '2031-05-06', 'x', 0),
  'row index': activeReportKey('org_1', 'tickets'),
  tile: tileKey('org_1', '2031-05-06', 0, '0'),
};

test.each(Object.entries(unsealedKeys))(
  'no reader returns a record that somebody has added to the index under the key of a %s',
  async (_, key) => {
    const record = records.find(({ kind }) => kind === 'outcomes') as OutcomeRecord;
    const ulid = `${timeSortKey(record).slice(0, -4)}ZZZZ`;
    const added = {
      ...record,
      ...recordTimeKey(organizationId, userId, 'outcomes', ulid),
      ...key,
      id: `out_${ulid}`,
    };
    await store(marshall(packed(added), { removeUndefinedValues: true }));
    expect(await readersOf(added)).toEqual(['history']);
    expect(await findOutcome(organizationId, added.id)).toBeUndefined();
  },
);

test('a delivery with another event id than its record’s has no payload, so that hosts cannot pay a win twice', async () => {
  const win = records.find(({ kind }) => kind === 'outcomes')!;
  expect([await hasPayload(win), await hasPayload(win, 'evt_other')]).toEqual([true, false]);
});

test('a user whose latest record somebody has moved ahead gives no cursor, which would skip later events', async () => {
  const item = await itemAt(userKey(organizationId, userId));
  const name = storedName('last_ulid');
  await store({ ...item, [name]: { S: '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' } });
  await expect(eventIds(userId)).rejects.toThrow(Tampered);
  await store(item);
  expect(await eventIds(userId)).not.toEqual([]);
});

test('a compressed text that somebody has added is not unpacked into hundreds of megabytes', () => {
  const tag = (packText('text '.repeat(100)) as Uint8Array).subarray(0, 1);
  const unpack = (bytes: number) =>
    unpackBinary(Buffer.concat([tag, deflateRawSync(Buffer.alloc(bytes, 'a'))]));
  expect(unpack(32_768)).toHaveLength(32_768);
  expect(() => unpack(1_000_000)).toThrow(RangeError);
});

test('a prize table with a field that its version does not cover is refused', async () => {
  const prizes = [prizeOf('cash_usd', 100, 1), prizeOf('tickets', 1, 999_999)];
  const context = { operator: 'test', now: Date.now() };
  const version = await putPrizeTable(organizationId, 'truck', prizes, context);
  const stored = await itemAt(prizeTableKey(organizationId, 'truck', version));
  stored.prizes!.L[1].M['~__proto__'] = { M: { stock: { N: '0' } } };
  await store(stored);
  await expect(readPrizeTable(organizationId, 'truck', version)).rejects.toThrow(Tampered);
});

test('no book follows from a book that somebody has changed', async () => {
  const [day, hour] = ['2031-05-06', 3_600_000] as const;
  const context = { operator: 'test', now: startOfDay(day) };
  const { organization_id } = await createOrganization('Forged', 'local', context);
  await closeBooks(organization_id, startOfDay(addDays(day, 1)) + 2 * hour);
  const stored = await itemAt(bookKey(organization_id, day));
  await store({ ...stored, pk: { S: `BOOKS#${organization_id}` }, sk: { S: '2099-01-01' } });
  await expect(closeBooks(organization_id, startOfDay(addDays(day, 2)) + 2 * hour)).rejects.toThrow(Tampered);
});

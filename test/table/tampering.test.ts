/**
 * Tests that an attacker who can write to the table, but has no KMS key, cannot change what decides draws,
 * prices and limits, the user of a reference, and the reply to a repeated request.
 */
import { beforeAll, expect, test, vi } from 'vitest';
import type { OrderRecord } from '../../shared/accounts/records.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { dueKeyOf, openOrdersOf } from '../../shared/amoe/open-orders.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { allShards, shardOf } from '../../shared/shards.ts';
import { client } from '../../shared/table/client.ts';
import type { Key } from '../../shared/table/keys.ts';
import { fieldOf, storedName } from '../../shared/table/names.ts';
import { isSealed, unsealedKinds } from '../../shared/table/seals.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { closeAndRun } from '../support/close-and-run.ts';
import { counted } from '../support/counted.ts';
import { useOwnTable } from '../support/own-table.ts';
import { makeUser } from '../support/round-trips.ts';
import { type Attempt, type Flow, flows, newPlace } from './support/deciding-flows.ts';
import { changes, itemAt, type Stored, store, type Value } from './support/raw-items.ts';

let place: Awaited<ReturnType<typeof newPlace>>;
let elsewhere: typeof place;
beforeAll(async () => {
  await useOwnTable('tampering');
  [place, elsewhere] = [await newPlace(), await newPlace()];
});

const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
const kindOf = ({ pk, sk }: Key) => `${pk.split('#')[0]} ${sk.split('#')[0]!.replace(/^(\d|inv_).*/, '')}`;

/**
 * Runs `attempt`, and refuses its writes if `isDry`. Returns the keys of the items that it read, and its
 * number of writes.
 */
async function watched(attempt: () => Promise<unknown>, isDry: boolean) {
  const read = new Map<string, Key>();
  let writes = 0;
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const isWrite = !/^(Get|BatchGet|Query)/.test(String(context.commandName));
      if (isWrite && isDry) throw new Error('no writes now');
      const result = await next(args);
      if (isWrite) writes++;
      const { Item, Items = [], Responses = {} } = result.output as Value;
      for (const { pk, sk } of [
        ...(Item ? [Item] : []),
        ...Items,
        ...Object.values(Responses).flat(),
      ] as Key[])
        read.set(nameOf({ pk, sk }), { pk, sk });
      return result;
    },
    { step: 'initialize', priority: 'high', name: 'watched' },
  );
  const isDone = await attempt().then(
    () => true,
    () => false,
  );
  client.middlewareStack.remove('watched');
  return { isDone, writes, read: [...read.values()] };
}

/** Prize tables have no seal. Instead, readers check the table's version, a digest of only its prizes. */
const isTable = ({ sk }: Key) => sk.startsWith('GAME#');
const isFree = (key: Key, name: string) => isTable(key) && !['version', 'prizes'].includes(fieldOf(name));

/** Fields that influence a draw, price, limit or date. The test adds each to items without it. */
const addable = [
  ...['debug', 'voided', 'played', 'cost', 'expires_at', 'prize_table_version', 'secret_day', 'client_seed'],
  ...[
    'beacon',
    'signature',
    'out',
    'remaining',
    'due_day',
    'result_effective_date',
    'num_of_spins',
    'unknown',
  ],
  ...['frozen', 'wins', 'erased_at', 'revoked_at', 'suspended', 'paused', 'chains_before', 'daily_win_limit'],
  ...['days_ahead', 'alias', 'replaced_by', 'repeatable_until', 'per_second', 'changed_at', 'receiver'],
];
const added = new Set<string>();
function* additions(item: Stored, key: Key): Generator<[string, Stored]> {
  if (added.has(kindOf(key))) return;
  added.add(kindOf(key));
  for (const field of addable) {
    const name = storedName(field);
    if (!(name in item) && !isFree(key, name)) yield [`added ${field}`, { ...item, [name]: { N: '1' } }];
  }
  // The codec must not read these names as the key, by which it decides whether an item has a seal.
  for (const name of isTable(key) ? [] : ['~pk', '~sk'])
    yield [`added ${name}`, { ...item, [name]: { S: 'ROWS#x' } }];
}

const sealedRead = new Set<string>();
const unsealedRead = new Set<string>();
const unsealedKindOf = (key: Key) =>
  Object.entries(unsealedKinds).find(([, pattern]) => pattern.test(nameOf(key)))![0];

async function othersOf(flow: Flow): Promise<Stored[]> {
  const items: Stored[] = [];
  for (const one of [place, elsewhere]) {
    items.push(...(await Promise.all((await readBy(await flow(one))).map(itemAt))));
  }
  return items;
}

/** Advances the clock of retries by five seconds at each look, so that waiting for a missing key ends at once. */
function hurry() {
  let ms = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => {
    ms += 5000;
    return ms;
  });
}

const readBy = async (attempt: Attempt): Promise<Key[]> =>
  attempt.reads ?? (await watched(attempt, true)).read;
const keyOf = ({ pk, sk }: Stored): Key => ({ pk: pk.S, sk: sk.S });

test.each(Object.entries(flows))(
  '%s is refused if any field of an item that it reads was changed',
  async (_, flow) => {
    const attempt = await flow(place);
    const others = await othersOf(flow);
    const read = await readBy(attempt);
    for (const key of read.filter((one) => !isSealed(one))) unsealedRead.add(unsealedKindOf(key));
    const carriedOut: string[] = [];
    hurry();
    for (const key of read.filter((one) => isSealed(one) || isTable(one))) {
      if (isSealed(key)) sealedRead.add(kindOf(key));
      const item = await itemAt(key);
      const similar = others.filter(
        (one) => kindOf(keyOf(one)) === kindOf(key) && nameOf(keyOf(one)) !== nameOf(key),
      );
      for (const [what, tampered] of [
        ...changes(item, (name) => isFree(key, name), similar),
        ...additions(item, key),
      ]) {
        await store(tampered);
        const { isDone, writes } = await watched(attempt, false);
        if (isDone || writes > 0) carriedOut.push(`${kindOf(key)}: ${what}`);
      }
      await store(item);
    }
    vi.restoreAllMocks();
    expect(carriedOut).toEqual([]);
    // Expects success after restoring all items, to show that only the changed items caused the refusals.
    expect(await watched(attempt, false)).toMatchObject({ isDone: true });
  },
  120_000,
);

test('the flows read only these kinds of items', () => {
  expect([...sealedRead].sort()).toEqual([
    'BEACON BEACON',
    'BUDGET BUDGET',
    'DUE ',
    'INVOKED ',
    'KEY KEY',
    'ORG OPERATIONS',
    'ORG ORG',
    'ORG SETTINGS',
    'ORG WEBHOOK',
    'PLAY PLAY',
    'REF REF',
    'USER IDEM',
    'USER ORDERS',
    'USER USER',
  ]);
  expect([...unsealedRead]).toEqual(['prize table']);
});

test('orders that somebody has tampered with wait, raise an alarm, and delay no other orders of their shard', async () => {
  const { organizationId } = await newPlace();
  const users = [await makeUser(organizationId)];
  while (users.length < 3) {
    const user = await makeUser(organizationId);
    if (shardOf(user) === shardOf(users[0]!)) users.push(user);
  }
  const orders = await Promise.all(users.map((userId) => orderOf(organizationId, userId)));
  const [order, due] = [await itemAt(orders[0]!), await itemAt(dueKeyOf(orders[1]!))];
  const more = (item: Stored, field: string) => ({ ...item, [storedName(field)]: { N: '9' } });
  await store(more(order, 'num_of_spins'));
  await store(more(due, 'remaining'));
  const day = addDays(dayOf(Date.now()), 1);
  const clock = { now: () => startOfDay(day), timeIsUp: () => false };
  const alarms = await counted('TamperedItems', async () => {
    for (const shard of allShards) await closeAndRun({ organization_id: organizationId, shard, day }, clock);
  });
  const waiting = users.map(async (user) => (await readUser(organizationId, user)).queued_spins);
  expect(await Promise.all(waiting)).toEqual([1, 1, 0]);
  // Two items cause three alarms, because closing the orders and the worker both read the changed due item.
  expect(alarms).toEqual([1, 1, 1]);
});

test('an order whose spins have run is refused if its due item is restored with its genuine seal', async () => {
  const { organizationId } = await newPlace();
  const order = await orderOf(organizationId, await makeUser(organizationId));
  const [due, day] = [await itemAt(dueKeyOf(order)), addDays(dayOf(Date.now()), 1)];
  const clock = { now: () => startOfDay(day), timeIsUp: () => false };
  const shard = { organization_id: organizationId, shard: shardOf(order.user_id), day };
  expect(await closeAndRun(shard, clock)).toMatchObject({ spins: 1, failed: 0 });
  await store(due);
  expect(await closeAndRun(shard, clock)).toMatchObject({ spins: 0, failed: 1 });
});

async function orderOf(organizationId: string, userId: string): Promise<OrderRecord> {
  const asked = { num_of_spins: 1, idempotency_key: 'a' };
  await queueSpins({ organizationId, userId, asked, now: Date.now() });
  const [open] = await openOrdersOf(await readUser(organizationId, userId));
  return open!.order;
}

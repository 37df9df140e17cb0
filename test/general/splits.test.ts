/** Records that are read from several shards, pages, blocks or tiles add up, with none, one and two non-empty parts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { startSpinRunNow } from '../../shared/amoe/start-spin-run.ts';
import { createTileBuilder, hashesPerTile, type Tile } from '../../shared/books/tiles.ts';
import { readStock } from '../../shared/games/stored-budgets.ts';
import { extendRowIndex } from '../../shared/reports/extend-index.ts';
import { allShards, bucketOf, shardOf } from '../../shared/shards.ts';
import { getItem } from '../../shared/table/client.ts';
import { settingsKey } from '../../shared/table/keys.ts';
import { dayOf } from '../../shared/time.ts';
import { newMerkleTree } from '../../shared/tree.ts';
import { callRecorder } from '../../shared/webhooks/calls.ts';
import { playAt } from '../games/support/plays.ts';
import { newOrganization, times } from '../support/api.ts';
import { type EndpointName, invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { makeUser } from '../support/round-trips.ts';
import { testContext } from '../support/test-context.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
type Any = any;
type World = { organizationId: string; users: string[]; spins: number; stock: number; now: number };

/** Users of an organization in these shards; the numbers stand for different ones. */
async function usersIn(organizationId: string, shards: number[]): Promise<string[]> {
  const found: string[] = [];
  const numberOf = new Map<number, number>();
  while (found.length < shards.length) {
    const user = await makeUser(organizationId);
    const wanted = shards[found.length]!;
    const shard = shardOf(user);
    const isTaken = numberOf.has(shard);
    if (isTaken ? numberOf.get(shard) !== wanted : [...numberOf.values()].includes(wanted)) continue;
    numberOf.set(shard, wanted);
    found.push(user);
  }
  return found;
}

async function worldIn(shards: number[]): Promise<World> {
  const api = await newOrganization();
  const { organizationId } = api;
  const users = await usersIn(organizationId, shards);
  const prizes = [{ ...prizeOf('prize_gift_card', 1, 1), stock: 100 }];
  await putPrizeTable(organizationId, 'prizewheel', prizes, testContext());
  const record = callRecorder();
  const now = Date.now();
  for (const user of users) {
    const act = (name: EndpointName, body: object) =>
      invoke(name, { organizationId, path: { user_id: user }, body, now });
    await act('tickets/credit', { amount: 5, idempotency_key: 'a' });
    await act('entries/credit', { amount: 5, type: 'truck', idempotency_key: 'b' });
    await act('entries/credit', { amount: 5, type: 'flight', idempotency_key: 'c' });
    await playAt(api, user, now);
    await act('amoe/queue', { num_of_spins: 3, idempotency_key: 'd' });
    const call = {
      organization_id: organizationId,
      webhook_id: 'wh_1',
      event_id: user,
      event_type: 'outcome',
    };
    await record({
      ...call,
      timestamp: new Date(now).toISOString(),
      url: 'https://a.example/',
      payload: '{}',
      attempt: 1,
      duration_ms: 1,
      shard: shardOf(user),
    });
  }
  for (const report of ['outcomes', 'tickets', 'entries'] as const)
    await extendRowIndex({ organizationId, report }, now + 120_000, {
      rowsPerBlock: 1,
      minRows: 1,
      hasTime: () => true,
    });
  return { organizationId, users, spins: 3 * users.length, stock: users.length, now };
}

const lists: [endpoint: EndpointName, items: string, query: Record<string, string>][] = [
  ['reports/outcomes', 'items', {}],
  ['reports/tickets', 'transactions', {}],
  ['reports/entries', 'transactions', {}],
  ['reports/entries', 'transactions', { entry_type: 'flight' }],
  ['events/list', 'events', {}],
];
const idOf = (item: Any): string => item.id ?? item.transaction_id;

describe.each([
  ['no user', []],
  ['users in one shard', [0, 0]],
  ['a user in one shard', [0]],
  ['users in two shards', [0, 1]],
  ['a user in each shard', [...allShards]],
])('with %s', (_, shards) => {
  let world: World;
  beforeAll(async () => {
    world = await worldIn(shards);
  });
  const ask = async (endpoint: EndpointName, query: Record<string, string>) =>
    (await invoke(endpoint, { organizationId: world.organizationId, query, now: world.now + 180_000 })).body;

  test.each(lists)('%s of the organization is that of its users (%s, %j)', async (endpoint, items, query) => {
    const parts: string[] = [];
    for (const user_id of world.users)
      parts.push(...(await ask(endpoint, { ...query, user_id }))[items].map(idOf));
    const whole = await ask(endpoint, query);
    expect(whole[items].map(idOf).sort()).toEqual(parts.toSorted());
    expect(parts.length > 0).toBe(world.users.length > 0);
    if (items !== 'events') expect(whole.total_count).toBe(parts.length);
    // The same in pages of one row each.
    const paged: string[] = [];
    let after = {};
    for (let page = 0; page < Math.min(parts.length, 4); page++) {
      const of = items === 'events' ? { limit: '1', ...after } : { page_size: '1', page: String(page) };
      const answer = await ask(endpoint, { ...query, ...of });
      paged.push(...answer[items].map(idOf));
      after = { after: answer.next };
    }
    expect(paged).toEqual(whole[items].map(idOf).slice(0, paged.length));
  });

  test('the history of calls has those of all shards', async () => {
    const [start, end] = [-60_000, 60_000].map((ms) => new Date(world.now + ms).toISOString());
    const { calls } = await ask('webhooks/history', { start: start!, end: end! });
    expect(calls.map(({ event_id }: Any) => event_id).sort()).toEqual(world.users.toSorted());
  });

  test('the stock is the same in all shards, and counts the wins of all', async () => {
    const { organizationId, now, stock } = world;
    const views = await Promise.all(
      allShards.map((shard) => readStock(organizationId, 'prizewheel', dayOf(now), shard)),
    );
    expect(views.map(({ grants }) => grants)).toEqual(allShards.map(() => stock));
  });

  test('the spins that a debug run starts are those of all shards', async () => {
    expect(await startSpinRunNow(world.organizationId, world.now)).toBe(world.spins);
  });

  test('a change of settings reaches the copies of all shards', async () => {
    await changeSettings(world.organizationId, { cost_truck: 7 }, testContext());
    const copies = await Promise.all(
      allShards.map((shard) => getItem<Any>(settingsKey(world.organizationId, shard))),
    );
    expect(copies.map((copy) => copy.cost_truck)).toEqual(allShards.map(() => 7));
  });
});

test.each([
  0,
  1,
  2,
  hashesPerTile - 1,
  hashesPerTile,
  hashesPerTile + 1,
  2 * hashesPerTile,
  2 * hashesPerTile + 1,
])('a tree of %i leaves has the same root in tiles, also if its builder stops in between', (count) => {
  const leaves = times(count, (index) => Buffer.alloc(32, index));
  const tree = newMerkleTree();
  for (const leaf of leaves) tree.add(leaf);
  for (const stop of [0, 1, hashesPerTile - 1, hashesPerTile, hashesPerTile + 1]) {
    let builder = createTileBuilder();
    const tiles: Tile[] = [];
    for (const [index, leaf] of leaves.entries()) {
      if (index === stop) builder = createTileBuilder(JSON.parse(JSON.stringify(builder.state())));
      tiles.push(...builder.add(leaf, String(index)));
    }
    const finished = builder.finish();
    expect(Buffer.from(finished.root)).toEqual(tree.root());
    const lowest = [...tiles, ...finished.tiles].filter(({ level }) => level === 0);
    expect(lowest.map(({ number }) => number)).toEqual(lowest.map((_, index) => index));
    expect(lowest.flatMap(({ hashes }) => hashes)).toEqual(leaves);
  }
});

test.each([1, 4, 16])('each of %i buckets gets some ids, and an id always the same', (buckets) => {
  const of = () => times(400, (index) => bucketOf(`usr_${index}`, buckets));
  expect([...new Set(of())].sort((a, b) => a - b)).toEqual(times(buckets, (index) => index));
  expect(of()).toEqual(of());
});

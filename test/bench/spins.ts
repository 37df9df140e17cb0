import { readUser } from '../../shared/accounts/user.ts';
import { decideBatch, runOrder } from '../../shared/amoe/spin-batches.ts';
import { placeOf, placeOrder } from '../../shared/amoe/spin-orders.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { put, transact } from '../../shared/table/client.ts';
import { promisedOn } from '../support/promised.ts';
import { makeUser } from '../support/round-trips.ts';
import { median, type Row, ratioOf, timedByTurns } from './row.ts';
import { useTable } from './table.ts';

const organizationId = 'org_bench_spins';
const spins = 300;
const turns = { turns: 12, warmUp: 3 };

/** A user with an order of so many spins, as the queue endpoint leaves them. */
async function queued() {
  const userId = await makeUser(organizationId, 0);
  const now = Date.now();
  const asked = { num_of_spins: spins, idempotency_key: 'bench' };
  const request = { organizationId, userId, asked, now };
  const before = await readUser(organizationId, userId);
  const { user, order } = placeOrder(before, request, promisedOn('2026-01-01'));
  await put(user);
  await put(order);
  return { user, order, place: placeOf(order) };
}

async function runByService() {
  const { place } = await queued();
  return async () => {
    const { ran } = await runOrder(place, { now: Date.now, timeIsUp: () => false });
    if (ran !== spins) throw new Error(`${ran} spins ran instead of ${spins}`);
  };
}

/** The same transactions, each decided before the clock runs and sent without a look at anything. */
async function runRaw() {
  let { user, order } = await queued();
  const drawing = {
    table: defaultPrizeTables.prizewheel,
    secret: Buffer.alloc(32),
    // Of a day on which nothing was granted yet.
    budgets: { cash: { day: order.order_id, sequence: 0, grantedUsd: 0, limitUsd: 1e9 } },
    now: Date.now(),
  };
  const transactions: Parameters<typeof transact>[0][] = [];
  while (order.remaining > 0) {
    const decision = decideBatch(user, order, drawing);
    const written = { ...decision.user!, version: user.version + 1 };
    const condition = {
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': user.version },
    };
    const records = (decision.records ?? []).map((record, i) => [`record${i}`, { Put: { Item: record } }]);
    const parts = {
      user: { Put: { Item: written, ...condition } },
      ...Object.fromEntries(records),
      ...decision.writes,
    };
    transactions.push(parts);
    const { ':grants': sequence, ':granted': grantedUsd } =
      decision.writes?.cash?.Update?.ExpressionAttributeValues ?? {};
    if (sequence) drawing.budgets = { cash: { ...drawing.budgets.cash, sequence, grantedUsd } };
    user = written;
    order = { ...order, remaining: decision.reply.remaining };
  }
  return async () => {
    for (const parts of transactions) if (await transact(parts)) throw new Error('a raw transaction failed');
  };
}

async function spinTimes() {
  await useTable();
  return timedByTurns({ ours: runByService, floor: runRaw }, turns);
}

export const rows: Row[] = [
  {
    name: 'spin-rate',
    what: 'queued spins per second ÷ the same transactions sent bare',
    floor: 'raw transactions',
    target: { atLeast: 0.8 },
    measure: async () => {
      const times = await spinTimes();
      const rates = (all: number[]) => all.map((ms) => (spins / ms) * 1000);
      const pairs = { ours: rates(times.ours), floor: rates(times.floor) };
      const { value, spread } = ratioOf(pairs);
      const [ours, floor] = [Math.round(median(pairs.ours)), Math.round(median(pairs.floor))];
      return { value, detail: `${spread}, ${ours} of ${floor} spins/s, ${spins} an order` };
    },
  },
];

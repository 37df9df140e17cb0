import { DeleteCommand, TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { OrderRecord } from '../../shared/accounts/records.ts';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { runOrderSpins } from '../../shared/amoe/spin-batches.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { getItem, type Item, putItem, tableClient, tableName } from '../../shared/table/client.ts';
import { type Key, recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { makeUser } from '../support/round-trips.ts';
import { testContext } from '../support/test-context.ts';
import { median, type Row, ratioOf, scaled, scaledTurns, type Turns, timedByTurns } from './row.ts';
import { useTable } from './table.ts';

/** Queues free spins for a new user. Returns a function that runs the order as the service does. */
async function queued(organizationId: string, spins: number): Promise<() => Promise<void>> {
  const userId = await makeUser(organizationId);
  const asked = { num_of_spins: spins, idempotency_key: 'bench' };
  await queueSpins({ organizationId, userId, asked, now: Date.now() });
  const [order] = await readRange(recordsOfUser(organizationId, userId, 'orders'), { consistent: true });
  return async () => {
    const { outcomes } = await runOrderSpins(order as OrderRecord, { now: Date.now, timeIsUp: () => false });
    if (outcomes.length !== spins) throw new Error(`${outcomes.length} spins ran instead of ${spins}`);
  };
}

/** Runs an order and undoes its changes. Returns the baseline: a function that only sends the same transactions. */
async function bare(organizationId: string, spins: number): Promise<() => Promise<void>> {
  const { sent, before } = await transactionsOf(await queued(organizationId, spins));
  for (const { key, item } of before) {
    if (item) await putItem(item);
    else await tableClient.send(new DeleteCommand({ TableName: tableName(), Key: key }));
  }
  return async () => {
    for (const TransactItems of sent) await tableClient.send(new TransactWriteCommand({ TransactItems }));
  };
}

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>;
/** State of an item before the order's transactions changed it. */
type Before = { key: Key; item: Item | undefined };

async function transactionsOf(run: () => Promise<void>): Promise<{ sent: Writes[]; before: Before[] }> {
  const sent: Writes[] = [];
  const before = new Map<string, Before>();
  tableClient.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (!commandName?.startsWith('TransactWrite')) return next(args);
        const { TransactItems: writes = [] } = args.input as TransactWriteCommandInput;
        sent.push(writes);
        for (const { Put, Update, Delete, ConditionCheck } of writes) {
          const { pk, sk } = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)!.Key!;
          const name = `${pk} ${sk}`;
          if (!before.has(name)) before.set(name, { key: { pk, sk }, item: await getItem({ pk, sk }) });
        }
        return next(args);
      },
    { step: 'initialize', name: 'transactions' },
  );
  try {
    await run();
  } finally {
    tableClient.middlewareStack.remove('transactions');
  }
  return { sent, before: [...before.values()] };
}

/**
 * Measures how long an order of free spins takes in milliseconds: run by the service, or sent as bare transactions (the
 * baseline).
 */
async function spinTimes(spins: number, turns: Turns) {
  const { organization_id } = await createOrganization('Bench of spins', 'local', testContext());
  const [ours, floor] = [queued, bare].map((make) => () => make(organization_id, spins));
  return timedByTurns({ ours: ours!, floor: floor! }, turns);
}

const [ordered, turns] = [150, { turns: 6, warmUp: 1 }];

export const rows: Row[] = [
  {
    name: 'spin-rate',
    what: 'queued spins per second ÷ the same transactions alone',
    floor: 'raw transactions',
    target: { atLeast: 0.88 },
    measure: async (size) => {
      await useTable();
      // The smallest order needs two batches of 30 spins.
      const spins = scaled(ordered, size, 40);
      const times = await spinTimes(spins, scaledTurns(turns, size));
      const rates = (all: number[]) => all.map((ms) => (spins / ms) * 1000);
      const pairs = { ours: rates(times.ours), floor: rates(times.floor) };
      const { value, spread } = ratioOf(pairs);
      const [ours, floor] = [Math.round(median(pairs.ours)), Math.round(median(pairs.floor))];
      return { value, detail: `${spread}, ${ours} of ${floor} spins/s, ${spins} an order` };
    },
  },
];

/** Rules of free spins and their orders. */
import type { StoredItem } from '../journal.ts';
import { beacon } from '../relays.ts';
import type { StepRule } from './rule.ts';
import { clientSeedOf } from './seeds.ts';
import { shardOf, tableVersionOf, watchOrganizations } from './settings.ts';
import { type Change, itemOf, outcomesIn } from './step.ts';
import { outcomeView } from './stored.ts';
import { isSame } from './texts.ts';
import { dayAfter, dayAt, startOf, timeIn, ulidIn } from './true-time.ts';

/** The spins of an order that have not run: those that remain, and those that are cancelled. */
const notRun = ({ remaining, cancelled = 0 }: StoredItem): number => remaining + cancelled;

/** The number of spins of an order that a change ran. */
const ranBy = ({ before, after }: Change): number =>
  (before ? notRun(before) : (after?.num_of_spins ?? 0)) - (after ? notRun(after) : 0);

/** A user's queued spins rise and fall by what remains of its orders. */
export const queuedSpins: StepRule = {
  rule: 'queued spins are what remains of the orders',
  start: (say) => (step) => {
    for (const { pk, user, orders } of step.users) {
      const raised = (user?.after?.queued_spins ?? 0) - (user?.before?.queued_spins ?? 0);
      const remaining = orders.reduce(
        (sum, { before, after }) => sum + (after?.remaining ?? 0) - (before?.remaining ?? 0),
        0,
      );
      if (raised !== remaining) say(`${pk} has ${raised} more queued spins, and orders of ${remaining} more`);
    }
  },
};

/**
 * What remains of an order falls by exactly the spins of it that are recorded with it: the next ones, in their order,
 * free, of the wheel, attributed as the order says, with its seeds. A guest's order keeps their outcomes. Each free
 * spin belongs to such an order.
 */
export const ranOnce: StepRule = {
  rule: 'what remains of an order falls by the spins that ran',
  start: (say) => (step) => {
    for (const { pk, records, orders } of step.users) {
      const spins = outcomesIn(records).filter(({ play_type }) => play_type === 'amoe');
      for (const order of orders) {
        const { sk } = itemOf(order);
        for (const fault of faultsOf(order, spins)) say(`${pk} ${sk}: ${fault}`);
      }
      const ran = orders.reduce((sum, order) => sum + ranBy(order), 0);
      if (ran !== spins.length) say(`${pk}: ${spins.length} free spins, and orders say ${ran}`);
    }
  },
};

function faultsOf(change: Change, spins: StoredItem[]): string[] {
  const { before, after: order } = change;
  if (!order) return ['it is gone'];
  const faults: string[] = [];
  const mine = spins.filter(({ order_id }) => order_id === order.order_id);
  const [ran, done] = [ranBy(change), order.num_of_spins - (before ? notRun(before) : order.num_of_spins)];
  if (order.remaining < 0 || ran < 0) faults.push(`${order.remaining} remain`);
  if (mine.length !== ran) faults.push(`${mine.length} spins of it ran, and it says ${ran}`);
  mine.forEach((spin, index) => {
    const clientSeed = order.client_seed ?? clientSeedOf(order.last_hash, spin.beacon_round);
    const isNext = spin.spin_index === done + index && spin.client_seed === clientSeed;
    const isFree = spin.game === 'prizewheel' && spin.cost === 0 && spin.debug === undefined;
    const isAttributed = spin.result_effective_date === order.result_effective_date;
    if (!isNext || !isFree || !isAttributed)
      faults.push(`spin ${spin.id} is not number ${done + index} of it`);
    if (spin.prize_table_version !== (order.prize_table_version ?? spin.prize_table_version))
      faults.push(`spin ${spin.id} is drawn from ${spin.prize_table_version}`);
    if (!hasItsSeed(order, spin)) faults.push(`spin ${spin.id} has another seed`);
  });
  const outcomes = before ? before.outcomes : order.outcomes && [];
  if (!isSame(order.outcomes, outcomes && [...outcomes, ...mine.map(outcomeView)]))
    faults.push('it does not keep the outcomes of its spins');
  return faults;
}

/** Whether a spin's server seed follows from its order, and from the secret of the day on which that was due. */
function hasItsSeed(order: StoredItem, spin: StoredItem): boolean {
  return spin.secret_day === order.due_day && spin.order_sequence === order.order_sequence;
}

/**
 * A new order is due on the day after the one on which it was asked for, a guest's on that very day (New York's). It
 * tells nothing of its draws, but for the table that they will be made from: the one of its organization at the time.
 */
export const orders: StepRule = {
  rule: 'an order is due on the next day',
  start(say, allowances) {
    const { recent, see } = watchOrganizations(allowances);
    return (step) => {
      for (const { before, after } of step.of('order')) {
        if (before || !after) continue;
        const record = step.users.flatMap(({ records }) => records).find((one) => isRecordOf(after, one));
        if (!record) say(`${after.sk} comes without its record`);
        else for (const fault of faultsOfRecord(after, record)) say(`${after.sk}: ${fault}`);
        const day = dayAt(timeIn(ulidIn(after.order_id)));
        const due = after.outcomes ? day : dayAfter(day);
        if (after.due_day !== due) say(`${after.sk} is due on ${after.due_day}, not ${due}`);
        if (after.num_of_spins < 1 || after.num_of_spins > (after.outcomes ? 100 : 1000))
          say(`${after.sk} has ${after.num_of_spins} spins`);
        const organizations = recent(after.organization_id, step.at);
        if (!organizations.some((one) => after.prize_table_version === tableVersionOf(one, 'prizewheel')))
          say(`${after.sk} is promised ${after.prize_table_version}`);
      }
      see(step);
    };
  },
};

const isRecordOf = (order: StoredItem, { kind, order_id }: StoredItem) =>
  kind === 'orders' && order_id === order.order_id;

/** What of an order is not as its record has promised it for good. */
function faultsOfRecord(order: StoredItem, record: StoredItem): string[] {
  const shared = ['user_id', 'num_of_spins', 'due_day', 'result_effective_date'];
  const holds = {
    'its record says something else': shared.every((field) => order[field] === record[field]),
    'its record says how it runs': record.run === (order.outcomes ? 'at_once' : 'queued'),
    'it has another number than its record': order.order_sequence === record.sequence,
    'it follows from another history than its record': order.last_hash === record.last_hash,
    'it is drawn from another table than its record promises':
      order.prize_table_version === record.prize_table_version,
    'it mixes in something else than its record promises': order.beacon === record.beacon,
    'queued spins mix in the beacon, and others do not':
      record.beacon === (record.run === 'queued' ? beacon.chain : undefined),
  };
  return Object.entries(holds).flatMap(([fault, holdsTrue]) => (holdsTrue ? [] : [fault]));
}

/** The index shows an order as due while spins of it remain, and no longer: in the shard in which its record lies. */
export const inIndex: StepRule = {
  rule: 'an order is in the index while spins of it remain',
  start: (say) => (step) => {
    for (const { after } of step.of('order')) {
      if (!after) continue;
      const ulid = ulidIn(after.order_id);
      const due = `${after.organization_id}#due#${shardOf(after.user_id)}`;
      const key = `${after.byTimePk} ${after.byTimeSk}`;
      const expected = after.remaining > 0 ? `${due} ${after.due_day}#${ulid}` : 'undefined undefined';
      if (key !== expected) say(`${after.sk} with ${after.remaining} to run is in the index as ${key}`);
    }
  },
};

/** No spin runs before its day has begun in New York, but for what a clock may be ahead. */
export const notEarly: StepRule = {
  rule: 'no spin runs before its day',
  start:
    (say, { clockErrorMs }) =>
    (step) => {
      for (const change of step.of('order')) {
        const { due_day, sk } = itemOf(change);
        const early = startOf(due_day) - step.at;
        if (ranBy(change) > 0 && early > clockErrorMs) say(`${sk} of ${due_day} runs ${early} ms before it`);
      }
    },
};

export const spinRules = [queuedSpins, ranOnce, orders, inIndex, notEarly];

/** Rules of free spins, their orders and their due items. */
import type { StoredItem } from '../journal.ts';
import { beacon } from '../relays.ts';
import { dayAfter, dayAt, startOf, timeIn, ulidIn } from './days-and-ulids.ts';
import { organizationOf } from './item-types.ts';
import type { StepRule } from './rule.ts';
import { clientSeedOf } from './server-seeds.ts';
import { chainOf, tableVersionOf, trackOrganizations } from './settings.ts';
import { ordersIn, outcomesIn, trackOrders } from './step.ts';

const remainingIn = (due: StoredItem | undefined): number => due?.remaining ?? 0;
/** Returns the id of the order whose remaining spins a due item counts. */
const orderOf = ({ sk }: StoredItem): string => `ord_${sk.split('#')[1]}`;

/** `queued_spins` of a user changes by the same number as the remaining spins in the user's due items. */
export const queuedSpins: StepRule = {
  rule: 'queued spins equal the remaining spins of orders',
  start: (report) => (step) => {
    for (const { pk, user, due } of step.users) {
      const raised = (user?.after?.queued_spins ?? 0) - (user?.before?.queued_spins ?? 0);
      const remaining = due.reduce(
        (sum, { before, after }) => sum + remainingIn(after) - remainingIn(before),
        0,
      );
      if (raised !== remaining)
        report(`${pk} has ${raised} more queued spins, but its orders ${remaining} more`);
    }
  },
};

/** Spins decrease the due item's remaining spins, match their order, and run on or after the due day. */
export const ranOnce: StepRule = {
  rule: 'remaining spins decrease by the spins that ran',
  start(report, { clockErrorMs }) {
    const { find, see } = trackOrders();
    const ran = new Map<string, number>();
    return (step) => {
      see(step);
      for (const { pk, records, due } of step.users) {
        const fell = new Map(ordersIn(records).map((order) => [order.order_id, order.num_of_spins]));
        for (const { before, after } of due) {
          const id = orderOf((after ?? before)!);
          fell.set(id, (fell.get(id) ?? remainingIn(before)) - remainingIn(after));
        }
        const spins = Map.groupBy(
          outcomesIn(records).filter(({ play_type }) => play_type === 'amoe'),
          ({ order_id }) => order_id,
        );
        for (const id of new Set([...fell.keys(), ...spins.keys()])) {
          const order = find(id);
          const mine = spins.get(id) ?? [];
          const expected = step.writer.includes('/') ? (fell.get(id) ?? 0) : 0;
          if (mine.length !== expected) report(`${pk}: ${mine.length} spins of ${id} ran, not ${expected}`);
          if (!order) {
            report(`${pk}: the order ${id} does not exist`);
            continue;
          }
          for (const spin of mine) {
            const index = ran.get(id) ?? 0;
            ran.set(id, index + 1);
            for (const fault of faultsOf(order, spin, index)) report(`${pk} ${spin.id}: ${fault}`);
          }
          const early = startOf(order.due_day) - step.at;
          if (mine.length > 0 && early > clockErrorMs) report(`${pk} ${id} runs ${early} ms before its day`);
        }
      }
    };
  },
};

/** Returns how a spin contradicts its order, in which it must have the number `index`. */
function faultsOf(order: StoredItem, spin: StoredItem, index: number): string[] {
  const holds = {
    'it has a wrong index': spin.spin_index === index,
    'it has a wrong client seed': spin.client_seed === clientSeedOf(order.last_hash, spin.beacon_round),
    'it is not a free spin of the prize wheel':
      spin.game === 'prizewheel' && spin.cost === 0 && spin.debug === undefined,
    'it has a wrong effective date': spin.result_effective_date === order.result_effective_date,
    'it has a wrong prize table': spin.prize_table_version === order.prize_table_version,
    'it has a wrong server seed': spin.secret_day === order.due_day && spin.order_sequence === order.sequence,
  };
  return Object.entries(holds).flatMap(([fault, holdsTrue]) => (holdsTrue ? [] : [fault]));
}

/** A host's order is due on the next New York day, a guest's order on the same day. */
export const orders: StepRule = {
  rule: 'an order is due on the next day',
  start(report, allowances) {
    const { recent, see } = trackOrganizations(allowances);
    return (step) => {
      for (const { user, records } of step.users) {
        for (const order of ordersIn(records)) {
          const isGuests = step.writer === 'amoe/guest-play';
          const day = dayAt(timeIn(ulidIn(order.order_id)));
          const organizations = recent(order.organization_id, step.at);
          const holds = {
            'it has a wrong due day': order.due_day === (isGuests ? day : dayAfter(day)),
            'it has a wrong time to run': order.run === (isGuests ? 'at_once' : 'queued'),
            'it has an invalid number of spins':
              order.num_of_spins >= 1 && order.num_of_spins <= (isGuests ? 100 : 1000),
            'it has a wrong last hash': order.last_hash === (user?.before?.last_hash ?? ''),
            'it has a wrong beacon': order.beacon === (isGuests ? undefined : beacon.chain),
            'it has a wrong prize table': organizations.some(
              (one) => order.prize_table_version === tableVersionOf(one, 'prizewheel'),
            ),
          };
          for (const [fault, isTrue] of Object.entries(holds))
            if (!isTrue) report(`${order.order_id}: ${fault}`);
        }
      }
      see(step);
    };
  },
};

/** A due item has remaining spins. Its key contains the due day and one of 32 worker shards. */
export const dueItems: StepRule = {
  rule: 'a due item is in its worker’s shard while spins remain',
  start(report) {
    const { find, see } = trackOrders();
    return (step) => {
      see(step);
      for (const { after } of step.of('due')) {
        if (!after) continue;
        const { pk, sk, user_id, remaining } = after;
        const id = orderOf(after);
        const expected = `DUE#${organizationOf(after)}#${chainOf(user_id, 32)} ${find(id)?.due_day}#${ulidIn(id)}`;
        if (`${pk} ${sk}` !== expected || !(remaining > 0))
          report(`${pk} ${sk} has ${remaining} spins, and should be at ${expected}`);
      }
    };
  },
};

export const spinRules = [queuedSpins, ranOnce, orders, dueItems];

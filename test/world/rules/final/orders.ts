/** Rules that all ordered free spins ran, and that budgets granted the cash that users won. */

import { startOf, ulidIn } from '../days-and-ulids.ts';
import { isSame } from '../hashes.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule } from './final-state.ts';
import { cancelledSpins, holdsOfOrder } from './holds.ts';

/**
 * Maximum delay of a free spin without faults, in milliseconds: enough for two sweeps, one every 15 minutes.
 */
const drainedMs = 45 * 60_000;

/** Maximum delay of a free spin during faults, in milliseconds. */
const maxLateMs = 12 * 3_600_000;

/** Each ordered spin ran exactly once, soon after midnight or a hold, was cancelled, or is not due yet. */
const ranOnce: EndRule = {
  rule: 'each ordered spin ran once',
  check(world, report) {
    const free = [...world.of('record')].filter(({ play_type }) => play_type === 'amoe');
    const spins = groupBy(free, ({ user_id, order_id }) => `${user_id} ${order_id}`);
    const due = new Map(world.of('due').map(({ sk, user_id, remaining }) => [`${user_id} ${sk}`, remaining]));
    const cancelled = cancelledSpins(world);
    for (const order of [...world.of('record')].filter(({ kind }) => kind === 'orders')) {
      const { pk, sk, user_id, order_id, due_day, num_of_spins, run } = order;
      const item = `${user_id} ${due_day}#${ulidIn(order_id)}`;
      const remaining = due.get(item) ?? 0;
      due.delete(item);
      if (remaining > 0 && startOf(due_day) + drainedMs < world.now)
        report(`${pk} ${sk} has ${remaining} of ${due_day} to run`);
      const mine = (spins.get(`${user_id} ${order_id}`) ?? []).sort((a, b) => a.spin_index - b.spin_index);
      spins.delete(`${user_id} ${order_id}`);
      const indices = mine.map(({ spin_index }) => spin_index);
      const ran = num_of_spins - remaining - (cancelled.get(order_id) ?? 0);
      if (
        !isSame(
          indices,
          Array.from({ length: ran }, (_, index) => index),
        )
      )
        report(`${pk} ${sk} ran ${indices}`);
      const holds = holdsOfOrder(world, order);
      const late = mine.find(({ date_created }) => {
        const at = Date.parse(date_created);
        const ends = holds.flatMap(({ until }) => (until <= at + world.clockErrorMs ? [until] : []));
        const due = Math.max(startOf(due_day), ...ends);
        return at > due + (due >= world.faultFreeFrom ? drainedMs : maxLateMs);
      });
      // Only queued spins can be late. Guests' spins run during the host's request.
      if (late && run === 'queued') report(`${pk} ${sk} of ${due_day} ran at ${late.date_created}`);
    }
    for (const name of [...spins.keys(), ...due.keys()]) report(`${name} is an unknown order`);
  },
};

/**
 * Each organization's budgets granted the cash that its users won, except debug jackpots, which use no
 * budget.
 */
const grantedCash: EndRule = {
  rule: 'granted cash equals won cash',
  check(world, report) {
    const usd = new Map<string, number>();
    const add = (name: string, amount: number) => usd.set(name, (usd.get(name) ?? 0) + amount);
    for (const { pk, granted } of world.of('budget'))
      if (pk.includes('#cash#')) add(pk.split('#')[1]!, granted.usd);
    for (const { organization_id, prize, debug } of world.of('record'))
      if (prize?.cash_usd && debug !== 'jackpot') add(organization_id, -prize.cash_usd);
    for (const [name, amount] of usd)
      if (amount !== 0) report(`${name} was granted ${amount} USD more than were won`);
  },
};

export const orderRules = [ranOnce, grantedCash];

/** Rules: all ordered free spins ran, and the wins that budgets count equal the wins of users. */

import { dayAt, startOf, ulidIn } from '../days-and-ulids.ts';
import { isSame } from '../hashes.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule } from './final-state.ts';
import { cancelledSpins, holdsOfOrder } from './holds.ts';

/** Maximum delay of a free spin without faults, in milliseconds: enough for two sweeps, which run every 15 minutes. */
const maxDelayMs = 45 * 60_000;

/** Maximum delay of a free spin during faults, in milliseconds. */
const maxDelayDuringFaultsMs = 12 * 3_600_000;

/** Each ordered spin ran exactly once (soon after midnight or after a hold), was cancelled, or is not due yet. */
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
      const isDue = startOf(due_day) + maxDelayMs < world.now;
      if (remaining > 0 && isDue) report(`${pk} ${sk} has ${remaining} of ${due_day} to run`);
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
        return at > due + (due >= world.faultFreeFrom ? maxDelayMs : maxDelayDuringFaultsMs);
      });
      // Only queued spins can be late. Guests' spins run during the host's request.
      if (late && run === 'queued') report(`${pk} ${sk} of ${due_day} ran at ${late.date_created}`);
    }
    for (const name of [...spins.keys(), ...due.keys()]) report(`${name} is an unknown order`);
  },
};

/** Budgets granted exactly the cash won on each day and in each promotion, and the stocked prizes that were won. */
const grantedWins: EndRule = {
  rule: 'budgets granted exactly what was won',
  check(world, report) {
    const sums = new Map<string, number>();
    const add = (name: string, amount: number) => sums.set(name, (sums.get(name) ?? 0) + amount);
    for (const { pk, granted } of world.of('budget')) {
      const [, organizationId, budget, dayOrGame, part] = pk.split('#');
      // Counts only the first shard's stock, because another rule checks that all shards have equal stock.
      if (budget === 'stock' && part !== '0') continue;
      for (const [counted, amount] of Object.entries<number>(granted))
        add(`${organizationId} ${budget} ${dayOrGame} ${counted}`, amount);
    }
    for (const { organization_id, game, prize, prize_id, budgets, timestamp } of world.of('record')) {
      if (!budgets) continue;
      const day = budgets.day ?? dayAt(Date.parse(timestamp));
      if (prize.cash_usd) add(`${organization_id} cash ${day} usd`, -prize.cash_usd);
      if (prize.cash_usd && budgets.promotion)
        add(`${organization_id} cash promotion ${budgets.promotion.first_day}`, -prize.cash_usd);
      if (budgets.stock?.number) add(`${organization_id} stock ${game} ${prize_id}`, -1);
    }
    for (const [name, amount] of sums)
      if (amount !== 0) report(`${name}: ${amount} more were granted than were won`);
  },
};

export const orderRules = [ranOnce, grantedWins];

/** Attacks: forged cash limits while the limit grows every hour (pacing), and forged limits on users' wins. */
import { describe, expect, test } from 'vitest';
import { times } from '../../support/api.ts';
import { foundIn, outcomesIn } from '../support/attacks.ts';
import { booksOf, budgetsOf } from '../support/books.ts';
import { order, play, runSpins } from '../support/plays.ts';
import { change, credit, type Draw, newUser, newWorld, type User, type World } from '../support/world.ts';

const minute = 60_000;
const limits = { daily_spin_limit_on: false, daily_cash_limit_usd: 48 };

/** Returns a world in which a user plays for two hours and has free spins the next day. */
function worldOf(settings: object): { world: World; user: User } {
  const world = newWorld({ settings: { ...limits, ...settings } });
  const user = newUser(world);
  credit(world, user, 500);
  for (const _ of times(60, () => 0)) {
    world.wait(2 * minute);
    play(world, user);
  }
  const ordered = order(world, user, 40);
  world.wait(15 * 60 * minute);
  runSpins(world, ordered);
  return { world, user };
}
function lieOnce({ world, user }: ReturnType<typeof worldOf>, lie: (draw: Draw) => Draw) {
  world.wait(minute);
  world.lie = lie;
  play(world, user);
  world.lie = (draw) => draw;
}
const outcomesOf = (world: World) => outcomesIn(booksOf(world));

describe('pacing of the day’s cash', () => {
  test('is good if each draw uses the limit of the hours begun', async () => {
    const { world } = worldOf({ daily_cash_paced: true });
    expect(await foundIn(world)).toEqual({});
    const said = new Set(outcomesOf(world).map((rec) => budgetsOf(rec).cash.limit));
    expect([...said]).toEqual([20, 22, 24, 6]);
  });

  test('with a higher or lower limit than the hours begun is a finding', async () => {
    for (const limit of [47, 1, 48]) {
      const paces = worldOf({ daily_cash_paced: true });
      lieOnce(paces, (draw) => ({ ...draw, cash: { ...draw.cash, limit } }));
      expect(await foundIn(paces.world)).toEqual({ limit_not_in_force: 1 });
    }
  });

  test('while pacing is off is a finding', async () => {
    const off = worldOf({});
    lieOnce(off, (draw) => ({ ...draw, cash: { ...draw.cash, limit: 6 } }));
    expect(await foundIn(off.world)).toEqual({ limit_not_in_force: 1 });
  });
});

describe('a limit of a user’s wins', () => {
  const limited = () => worldOf({ daily_win_limit: 2 });

  test('is good if kept, and the number of wins restarts each day', async () => {
    const { world } = limited();
    expect(await foundIn(world)).toEqual({});
    const said = outcomesOf(world).map((rec) => budgetsOf(rec).wins!.granted);
    expect(said[0]).toBe(0);
    expect(said[59]).toBe(2);
    expect(said[60]).toBe(0);
  });

  test('applies with its new value after a change', async () => {
    const { world, user } = limited();
    change(world, { daily_win_limit: 3 });
    for (const _ of times(20, () => 0)) {
      world.wait(2 * minute);
      play(world, user);
    }
    change(world, { daily_win_limit: 0 });
    world.wait(2 * minute);
    play(world, user);
    expect(await foundIn(world)).toEqual({});
  });

  test('that was never in force, or is left out, is a finding', async () => {
    const never = limited();
    lieOnce(never, (draw) => ({ ...draw, wins: { limit: 3, count: draw.wins!.count } }));
    expect(await foundIn(never.world)).toEqual({ limit_not_in_force: 1 });
    const without = limited();
    lieOnce(without, ({ wins, ...draw }) => draw);
    expect(await foundIn(without.world)).toMatchObject({ limit_not_in_force: 1 });
  });

  test('is a finding if a draw ignores wins or exceeds the limit', async () => {
    const forgotten = limited();
    expect(forgotten.user.wins.count).toBe(2);
    const forget = (draw: Draw) => ({ ...draw, wins: { limit: 2, count: 0 } });
    for (const _ of times(40, () => 0)) lieOnce(forgotten, forget);
    const codes = await foundIn(forgotten.world);
    expect(Object.keys(codes)).toContain('budget_view_differs');
  });
});

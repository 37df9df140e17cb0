/** Attacks: free spins that run late without a hold, and false cancellations of spins. */
import { describe, expect, test } from 'vitest';
import { foundIn } from '../support/attacks.ts';
import { booksOf, filesOf } from '../support/books.ts';
import { midnightOf } from '../support/plain.ts';
import { order, runSpins } from '../support/plays.ts';
import { codesIn } from '../support/verified.ts';
import {
  act,
  change,
  credit,
  newUser,
  newWorld,
  type Order,
  type User,
  type World,
} from '../support/world.ts';

const minute = 60_000;
const at = (day: string, minutes: number) => midnightOf(day) + minutes * minute;

/** Returns a world in which a user ordered free spins on March 6, due on March 7. */
function worldOfSpins(spins = 4): { world: World; user: User; made: Order } {
  const world = newWorld({ settings: { suspended: false, paused: '' } });
  const user = newUser(world);
  credit(world, user, 5);
  return { world, user, made: order(world, user, spins) };
}
const check = (world: World) => codesIn(filesOf(booksOf(world)));

describe('spins that ran days late are no finding if', () => {
  test.each([
    ['the organization was suspended', { suspended: true }, { suspended: false }],
    ['AMOE was paused', { paused: 'amoe flight' }, { paused: 'flight' }],
    ['the wheel was paused', { paused: 'prizewheel' }, { paused: '' }],
  ] as const)('%s', async (_, before, after) => {
    const { world, made } = worldOfSpins();
    world.now = at('2026-03-07', -10);
    change(world, before);
    world.now = at('2026-03-12', 5);
    change(world, after);
    world.now = at('2026-03-12', 10);
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({});
  });

  test('the user was frozen', async () => {
    const { world, user, made } = worldOfSpins();
    act(world, 'user_frozen', { user_id: user.id });
    world.now = at('2026-03-12', 5);
    act(world, 'user_unfrozen', { user_id: user.id });
    runSpins(world, made);
    const { found, noticed } = await check(world);
    expect(found).toEqual({});
    expect(noticed).toMatchObject({ operator_acted: 2 });
  });

  test('they were cancelled after some had run, and restored later', async () => {
    const { world, user, made } = worldOfSpins();
    world.now = at('2026-03-07', 1);
    runSpins(world, made, { spins: 1 });
    const about = { user_id: user.id, spins: { [String(made.rec.order_id)]: 3 } };
    act(world, 'spins_cancelled', about);
    world.now = at('2026-03-12', 5);
    act(world, 'spins_restored', about);
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({});
  });
});

describe('spins that ran days late are a finding if', () => {
  test('a different game was paused', async () => {
    const { world, made } = worldOfSpins();
    change(world, { paused: 'truck' });
    world.now = at('2026-03-12', 5);
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spins_overdue: 4 });
  });

  test('a different user was frozen', async () => {
    const { world, made } = worldOfSpins();
    act(world, 'user_frozen', { user_id: newUser(world).id });
    world.now = at('2026-03-12', 5);
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spins_overdue: 4 });
  });

  test('the hold ended days before', async () => {
    const { world, made } = worldOfSpins();
    change(world, { suspended: true });
    world.now = at('2026-03-08', 0);
    change(world, { suspended: false });
    world.now = at('2026-03-12', 5);
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spins_overdue: 4 });
  });
});

test('late spins are a notice in a single day’s book, because they may have been on hold', async () => {
  const { world, made } = worldOfSpins();
  change(world, { suspended: true });
  world.now = at('2026-03-12', -5);
  change(world, { suspended: false });
  world.now = at('2026-03-12', 5);
  runSpins(world, made);
  const days = [...filesOf(booksOf(world))].filter(([name]) => name.includes('2026-03-12'));
  const { found, noticed } = await codesIn(new Map(days));
  expect(found).not.toHaveProperty('spins_overdue');
  expect(noticed).toMatchObject({ settings_unknown: expect.any(Number) });
});

describe('spins that have not run', () => {
  test('are not overdue while the user is frozen', async () => {
    const { world, user } = worldOfSpins();
    act(world, 'user_frozen', { user_id: user.id });
    world.now = at('2026-03-12', 5);
    change(world, { cost_truck: 6 });
    const { found, noticed } = await check(world);
    expect(found).toEqual({});
    expect(noticed).toMatchObject({ orders_open: 1 });
  });

  test('are not open if all of them were cancelled', async () => {
    const { world, user, made } = worldOfSpins();
    world.now = at('2026-03-07', 1);
    runSpins(world, made, { spins: 1 });
    act(world, 'spins_cancelled', { user_id: user.id, spins: { [String(made.rec.order_id)]: 3 } });
    world.now = at('2026-03-12', 5);
    credit(world, user, 1);
    const { found, noticed } = await check(world);
    expect(found).toEqual({});
    expect(noticed).not.toHaveProperty('orders_open');
  });
});

describe('verify reports a cancellation', () => {
  /**
   * Runs `ran` spins of an order of four, records `cancelled` spins as cancelled, and calls `after`. Returns
   * the findings.
   */
  async function foundAfter(ran: number, cancelled: number, after: (world: World, made: Order) => void) {
    const { world, user, made } = worldOfSpins();
    world.now = at('2026-03-07', 1);
    runSpins(world, made, { spins: ran });
    world.now = at('2026-03-07', 10);
    const about = { user_id: user.id, spins: { [String(made.rec.order_id)]: cancelled } };
    act(world, 'spins_cancelled', about);
    world.now = at('2026-03-07', 20);
    after(world, made);
    world.now = at('2026-03-07', 30);
    credit(world, user, 1);
    return foundIn(world);
  }
  const nothing = () => {};

  test('of fewer spins than remained', async () => {
    expect(await foundAfter(1, 2, nothing)).toEqual({ cancelled_spins_differ: 1 });
  });

  test('of more spins than remained', async () => {
    expect(await foundAfter(2, 3, nothing)).toEqual({ cancelled_spins_differ: 1 });
  });

  test('after which a spin ran', async () => {
    const run = (world: World, made: Order) => runSpins(world, made, { spins: 1 });
    expect(await foundAfter(1, 3, run)).toEqual({ cancelled_spin_drawn: 1 });
  });

  test('of which a different number of spins was restored', async () => {
    const restore = (spins: number) => (world: World, made: Order) => {
      const order = String(made.rec.order_id);
      act(world, 'spins_restored', { user_id: made.user.id, spins: { [order]: spins } });
      runSpins(world, made);
    };
    expect(await foundAfter(1, 3, restore(3))).toEqual({});
    expect(await foundAfter(1, 3, restore(2))).toEqual({ cancelled_spins_differ: 1 });
  });

  test('that is repeated, or restored twice', async () => {
    const again = (action: string) => (world: World, made: Order) =>
      act(world, action, { user_id: made.user.id, spins: { [String(made.rec.order_id)]: 3 } });
    expect(await foundAfter(1, 3, again('spins_cancelled'))).toEqual({ cancelled_spins_differ: 1 });
    const twice = (world: World, made: Order) => {
      again('spins_restored')(world, made);
      again('spins_restored')(world, made);
      runSpins(world, made);
    };
    expect(await foundAfter(1, 3, twice)).toEqual({ cancelled_spins_differ: 1 });
  });
});

/** Attacks: free spins that run late although no hold delayed them, and cancellations that other records contradict. */
import { describe, expect, test } from 'vitest';
import { foundIn } from '../support/attacks.ts';
import { booksOf, filesOf } from '../support/books.ts';
import { midnightOf } from '../support/plain.ts';
import { makeUrl, order, playUrl, runSpins } from '../support/plays.ts';
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
    expect(noticed).toMatchObject({ operator_acted: 3 });
  });

  test.each([
    ['days later', '2026-03-12', 5],
    ['in the last hour of their day', '2026-03-07', 23 * 60 + 30],
  ])('they were cancelled before they were due, and restored %s', async (_, day, minutes) => {
    const { world, user, made } = worldOfSpins();
    const about = { user_id: user.id, spins: { [String(made.rec.order_id)]: 4 } };
    act(world, 'spins_cancelled', about);
    world.now = at(day, minutes);
    act(world, 'spins_restored', about);
    world.late.set(String(made.rec.order_id), at(day, minutes + 11));
    world.now = at(day, minutes + 11);
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

  test('their round was fixed when their secret was public, because it could have been repeated', async () => {
    const { world, made } = worldOfSpins();
    change(world, { paused: 'amoe' });
    world.now = at('2026-03-12', 5);
    change(world, { paused: '' });
    world.now = at('2026-03-12', 6);
    world.late.set(String(made.rec.order_id), world.now);
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spins_overdue: 5 });
  });

  test('their round was fixed half an hour after they were restored', async () => {
    const drawnAfter = async (minutes: number) => {
      const { world, user, made } = worldOfSpins();
      const about = { user_id: user.id, spins: { [String(made.rec.order_id)]: 4 } };
      act(world, 'spins_cancelled', about);
      world.now = at('2026-03-12', 5);
      act(world, 'spins_restored', about);
      world.now = at('2026-03-12', 5 + minutes);
      world.late.set(String(made.rec.order_id), world.now);
      runSpins(world, made);
      return foundIn(world);
    };
    expect(await drawnAfter(29)).toEqual({});
    expect(await drawnAfter(45)).toEqual({ spins_overdue: 4 });
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
    act(world, 'spins_cancelled', { user_id: user.id, spins: { [String(made.rec.order_id)]: 4 } });
    world.now = at('2026-03-12', 5);
    credit(world, user, 1);
    const { found, noticed } = await check(world);
    expect(found).toEqual({});
    expect(noticed).not.toHaveProperty('orders_open');
  });
});

describe('verify reports a cancellation', () => {
  /** Cancels `cancelled` of an order's four spins, and calls `after` on the due day. Returns the findings. */
  async function foundAfter(
    cancelled: number,
    after: (world: World, made: Order) => void,
    cancelledAt = at('2026-03-06', 20 * 60),
  ) {
    const { world, user, made } = worldOfSpins();
    world.now = cancelledAt;
    act(world, 'spins_cancelled', aboutSpins(made, cancelled));
    world.now = Math.max(cancelledAt, at('2026-03-07', 20));
    after(world, made);
    world.now = at('2026-03-07', 90);
    credit(world, user, 1);
    return foundIn(world);
  }
  const aboutSpins = ({ user, rec }: Order, spins: number) => ({
    user_id: user.id,
    spins: { [String(rec.order_id)]: spins },
  });
  const nothing = () => {};

  test('of fewer or more spins than the order has', async () => {
    expect(await foundAfter(3, nothing)).toEqual({ cancelled_spins_differ: 1 });
    expect(await foundAfter(5, nothing)).toEqual({ cancelled_spins_differ: 1 });
  });

  test('after which a spin ran', async () => {
    const run = (world: World, made: Order) => runSpins(world, made, { spins: 1 });
    expect(await foundAfter(4, run)).toEqual({ cancelled_spin_drawn: 1, order_not_closed: 1 });
  });

  test('of a loser’s spins after midnight, when their draws can be known', async () => {
    expect(await foundAfter(4, nothing, at('2026-03-07', 10))).toEqual({ cancelled_when_due: 1 });
    expect(await foundAfter(4, nothing, at('2026-03-07', 0))).toEqual({ cancelled_when_due: 1 });
    expect(await foundAfter(4, nothing, at('2026-03-07', -0.9))).toEqual({ cancelled_when_due: 1 });
    expect(await foundAfter(4, nothing, at('2026-03-07', -1.1))).toEqual({});
    const { world, made } = worldOfSpins();
    world.now = at('2026-03-07', 10);
    runSpins(world, made, { spins: 1 });
    act(world, 'spins_cancelled', aboutSpins(made, 3));
    expect(await foundIn(world)).toEqual({
      cancelled_when_due: 1,
      cancelled_spins_differ: 1,
      cancelled_spin_drawn: 1,
    });
  });

  test('of which a different number of spins was restored', async () => {
    const restore = (spins: number) => (world: World, made: Order) => {
      act(world, 'spins_restored', aboutSpins(made, spins));
      world.late.set(String(made.rec.order_id), at('2026-03-07', 31));
      world.now = at('2026-03-07', 31);
      runSpins(world, made);
    };
    expect(await foundAfter(4, restore(4))).toEqual({});
    expect(await foundAfter(4, restore(3))).toEqual({ cancelled_spins_differ: 1 });
  });

  test('that is repeated, or restored twice', async () => {
    const again = (action: string) => (world: World, made: Order) => act(world, action, aboutSpins(made, 4));
    expect(await foundAfter(4, again('spins_cancelled'))).toEqual({ cancelled_spins_differ: 1 });
    const twice = (world: World, made: Order) => {
      again('spins_restored')(world, made);
      again('spins_restored')(world, made);
      world.late.set(String(made.rec.order_id), at('2026-03-07', 31));
      world.now = at('2026-03-07', 31);
      runSpins(world, made);
    };
    expect(await foundAfter(4, twice)).toEqual({ cancelled_spins_differ: 1 });
  });
});

describe('verify reports an operator’s action that changes nothing', () => {
  test.each(['user_frozen', 'user_unfrozen', 'user_erased'])('%s twice', async (action) => {
    const { world, user } = worldOfSpins();
    if (action === 'user_unfrozen') act(world, 'user_frozen', { user_id: user.id });
    for (const _ of [1, 2]) act(world, action, { user_id: user.id });
    expect(await foundIn(world)).toEqual({ record_not_by_rules: 1 });
  });
});

describe('a voided play URL', () => {
  /**
   * Voids a play URL, and restores the URL if `isRestored`. The user plays before the voiding if `isPlayedBefore`,
   * otherwise at the end. Returns the findings.
   */
  async function foundInPlay(isRestored: boolean, isPlayedBefore = false) {
    const { world, user } = worldOfSpins();
    const url = makeUrl(world, user, 'prizewheel');
    const about = { user_id: user.id, token_hash: url.token };
    if (isPlayedBefore) playUrl(world, url);
    world.wait(2 * minute);
    act(world, 'play_voided', about);
    world.wait(2 * minute);
    if (isRestored) act(world, 'play_restored', about);
    if (!isPlayedBefore) playUrl(world, url);
    return foundIn(world);
  }

  test('that is played is a finding, unless it was restored', async () => {
    expect(await foundInPlay(false)).toEqual({ record_on_hold: 1 });
    expect(await foundInPlay(true)).toEqual({});
  });

  test('that had been played is a finding', async () => {
    expect(await foundInPlay(false, true)).toEqual({ record_not_by_rules: 1 });
  });
});

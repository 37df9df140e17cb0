/** Attacks: records with forged cash limits, or with a forged state of the day's cash. */
import { describe, expect, test } from 'vitest';
import { times } from '../../support/api.ts';
import { prizeOf } from '../../support/prize.ts';
import { foundIn, lieOnce, outcomesIn, takeOutOutcome } from '../support/attacks.ts';
import { type Books, booksOf, budgetsOf, filesOf, recompute, rehash } from '../support/books.ts';
import { midnightOf } from '../support/plain.ts';
import { makeUrl, play, playUrl, requestedOn } from '../support/plays.ts';
import { codesIn, verified } from '../support/verified.ts';
import {
  change,
  credit,
  type Draw,
  newUser,
  newWorld,
  putTable,
  reopen,
  type World,
} from '../support/world.ts';

const minute = 60_000;

/** Returns a world of 60 plays. Some of them won cash prizes, which count toward the daily cash limit. */
function worldOfCash(limit = 500): World {
  const world = newWorld({ settings: { daily_spin_limit_on: false, daily_cash_limit_usd: limit } });
  const users = [1, 2, 3, 4].map(() => {
    world.wait(3);
    return newUser(world);
  });
  for (const user of users) credit(world, user, 500);
  world.wait(40 * minute);
  for (let i = 0; i < 60; i++) {
    world.wait(2 * minute);
    play(world, users[i % 4]!);
  }
  return world;
}
const withCash = (cash: Partial<Draw['cash']>) => (draw: Draw) => ({
  ...draw,
  cash: { ...draw.cash, ...cash },
});
const wins = (books: Books) => outcomesIn(books).filter(({ game_status }) => game_status === 'Cash');

test('the world of these tests wins cash and has no findings', async () => {
  const world = worldOfCash();
  expect(await foundIn(world)).toEqual({});
  expect(wins(booksOf(world)).length).toBeGreaterThan(3);
});

test('cash won after the limit from a table that has no other prize is a finding', async () => {
  const world = newWorld({ settings: { daily_spin_limit_on: false, daily_cash_limit_usd: 300 } });
  putTable(world, 'prizewheel', [prizeOf('cash_usd', 100, 1)]);
  world.wait(40 * minute);
  const user = newUser(world);
  credit(world, user, 500);
  for (let plays = 0; plays < 5; plays++) {
    world.wait(minute);
    if (plays > 2) world.lie = withCash({ limit: 1_000_000 });
    play(world, user);
  }
  expect(await foundIn(world)).toMatchObject({ limits_differ: 2 });
});

test('cash won in the first minute of a day by the limit of the day before is a finding', async () => {
  const world = newWorld({ settings: { daily_cash_paced: true } });
  putTable(world, 'truck', [prizeOf('cash_usd', 100, 1_000_000), prizeOf('tickets', 1, 1)]);
  world.wait(40 * minute);
  const user = newUser(world);
  credit(world, user, 50);
  world.now = midnightOf('2026-03-07') - 5 * minute;
  const url = makeUrl(world, user, 'truck');
  world.now = midnightOf('2026-03-07') + minute / 2;
  const dayBefore = new Date(midnightOf('2026-03-06')).toISOString();
  world.lie = (draw) => ({
    ...withCash({ limit: 500 })(draw),
    said: { ...draw.said, result_effective_date: dayBefore },
  });
  playUrl(world, url);
  expect(await foundIn(world)).toEqual({ effective_date_differs: 1, limit_not_in_force: 1 });
});

describe('a cash limit', () => {
  test('that was never in force is a finding', async () => {
    const world = worldOfCash();
    lieOnce(world, withCash({ limit: 100_000 }));
    lieOnce(world, withCash({ limit: 0 }));
    expect(await foundIn(world)).toEqual({ limit_not_in_force: 2 });
  });

  test('that was replaced minutes before is a finding', async () => {
    const world = worldOfCash();
    change(world, { daily_cash_limit_usd: 1000 });
    world.wait(5 * minute);
    lieOnce(world, withCash({ limit: 500 }));
    expect(await foundIn(world)).toEqual({ limit_not_in_force: 1 });
  });

  test('that was replaced less than a minute before is no finding', async () => {
    const world = worldOfCash();
    world.wait(minute);
    const { daily_cash_limit_usd: limit } = world.settings;
    change(world, { daily_cash_limit_usd: 1000 });
    const user = newUser(world);
    credit(world, user, 10);
    world.wait(50_000);
    world.lie = withCash({ limit: Number(limit) });
    play(world, user);
    expect(await foundIn(world)).toEqual({});
  });

  test('that a win exceeds is a finding', async () => {
    const world = worldOfCash(4);
    // Lets the user win more than the day's 4 USD. The records are forged below to state the limit of 4 USD.
    world.lie = (draw) => ({ ...draw, cash: { ...draw.cash, limit: draw.cash.sum + 200 } });
    const user = newUser(world);
    credit(world, user, 100);
    for (let i = 0; i < 60; i++) {
      world.wait(minute);
      play(world, user);
    }
    const found = await foundIn(world, (books) => {
      for (const rec of outcomesIn(books)) budgetsOf(rec).cash.limit = 4;
      rehash(books);
    });
    expect(found).toEqual({ budget_exceeded: expect.any(Number), prize_not_drawn: expect.any(Number) });
  });
});

describe('a day’s cash in several chains', () => {
  /** Returns a world whose daily cash of 500 USD is split into three cash chains from the second day on. */
  const worldWithCashChains = () => {
    const world = newWorld({ settings: { daily_spin_limit_on: false } });
    const users = times(12, () => {
      world.wait(3);
      return newUser(world);
    });
    for (const user of users) credit(world, user, 500);
    world.wait(minute);
    change(world, { cash_chains: 3 });
    for (let i = 0; i < 240; i++) {
      world.wait(6 * minute);
      play(world, users[i % 12]!);
    }
    return { world, user: users[0]! };
  };

  test('is good, and each chain has its share of the limit', async () => {
    const { world } = worldWithCashChains();
    expect(await foundIn(world)).toEqual({});
    const { organizations } = await verified(filesOf(booksOf(world)));
    expect(organizations[0]!.budgets.map(({ budget, limit }) => [budget, limit])).toEqual([
      ['cash of 2026-03-06', 500],
      ['cash of 2026-03-07, 1 of 3', 167],
      ['cash of 2026-03-07, 2 of 3', 167],
      ['cash of 2026-03-07, 3 of 3', 166],
    ]);
  });

  test('is a finding if a draw uses a single chain with the whole limit', async () => {
    const { world } = worldWithCashChains();
    lieOnce(world, withCash({ sequence: 0, sum: 0, limit: 500 }));
    expect(await foundIn(world)).toMatchObject({ limit_not_in_force: 1 });
  });

  test('is a finding if the chains start in the middle of a day', async () => {
    const world = worldOfCash();
    change(world, { cash_chains: 3 });
    world.chainsBefore.day = '';
    lieOnce(world, (draw) => draw);
    expect(await foundIn(world)).toMatchObject({ limit_not_in_force: 1 });
  });

  test('is a finding if a draw uses the chain of other users', async () => {
    const { world, user } = worldWithCashChains();
    world.lie = withCash({ sequence: 999, sum: 1 });
    play(world, user);
    expect(await foundIn(world)).toEqual({ budget_chain_broken: 1 });
  });
});

describe('verify reports a state of the day’s cash that', () => {
  test('has a wrong sum', async () => {
    const world = worldOfCash();
    lieOnce(world, withCash({ sum: 450 }));
    expect(await foundIn(world)).toEqual({ budget_view_differs: 1 });
  });

  test('began only after the draw', async () => {
    const world = worldOfCash();
    const books = booksOf(world);
    const [, , third] = wins(books);
    const found = await foundIn(world, (forged) => {
      const [early] = outcomesIn(forged);
      budgetsOf(early!).cash = budgetsOf(third!).cash;
      rehash(forged);
    });
    expect(found).toMatchObject({ budget_view_from_the_future: 1 });
  });

  test('belongs to another day', async () => {
    const world = worldOfCash();
    lieOnce(world, (draw) => ({ ...draw, cash: { ...draw.cash, day: '2026-03-07' } }));
    expect(await foundIn(world)).toEqual({ budget_of_another_day: 1 });
  });

  test('no win leads to, because the win was removed and the history rebuilt', async () => {
    const found = await foundIn(worldOfCash(), (books) => {
      takeOutOutcome(books, wins(books)[2]!);
      recompute(books);
    });
    expect(found).toEqual({ budget_chain_broken: 1 });
  });

  test('no win leads to, because the last win was removed and the history rebuilt', async () => {
    const world = worldOfCash();
    lieOnce(world, (draw) => draw);
    const found = await foundIn(world, (books) => {
      takeOutOutcome(books, wins(books).at(-1)!);
      recompute(books);
    });
    expect(found).toEqual({ budget_chain_broken: 1 });
  });

  test('no win leads to, in the last minute, with less cash than earlier wins add up to', async () => {
    const world = newWorld();
    putTable(world, 'prizewheel', [prizeOf('cash_usd', 200, 1)]);
    world.now = midnightOf('2026-03-07') - minute / 2;
    // The next day's book could have the wins in between, so only the sum shows that more than 500 USD were won.
    for (const [sequence, sum] of [
      [0, 0],
      [10, 200],
      [20, 300],
    ])
      lieOnce(world, withCash({ sequence: sequence!, sum: sum! }));
    expect(await foundIn(world)).toEqual({ budget_view_differs: 1 });
  });

  test('two wins started from', async () => {
    const world = worldOfCash();
    const before = [...world.cash.values()][0]!;
    const user = newUser(world);
    credit(world, user, 200);
    // Every play states the cash state before the last earlier win, as if this win were missing. At least one play wins
    // cash.
    world.lie = withCash({ sequence: before.sequence - 1, sum: before.sum - 1 });
    for (let i = 0; i < 40; i++) play(world, user);
    expect(await foundIn(world)).toMatchObject({ budget_chain_broken: expect.any(Number) });
  });
});

test('a draw on a state that was replaced long before is a finding', async () => {
  const world = worldOfCash();
  lieOnce(world, withCash({ sequence: 0, sum: 0 }));
  expect(await foundIn(world)).toEqual({ budget_view_stale: 1 });
});

test('wins whose times go back by less than a minute each are findings, because cash would be used up at any time that suits', async () => {
  const world = newWorld();
  putTable(world, 'truck', [prizeOf('cash_usd', 1, 1_000_000), prizeOf('tickets', 1, 1)]);
  const users = times(4, () => newUser(world));
  for (const user of users) credit(world, user, 10);
  world.wait(40 * minute);
  for (const user of users) {
    play(world, user, 'truck');
    world.wait(-59_000);
  }
  expect(await foundIn(world)).toEqual({ budget_view_from_the_future: 2 });
});

test('a draw without its cash state is not a valid record', async () => {
  const books = booksOf(worldOfCash());
  const rec = outcomesIn(books).at(-1)!;
  rec.budgets = { ...budgetsOf(rec), cash: undefined };
  rehash(books);
  expect((await codesIn(filesOf(books))).found).toMatchObject({ not_a_record: 1 });
});

describe('near midnight', () => {
  test('a draw may use the cash of the day before, but only if a fast clock moved its record past midnight', async () => {
    const world = worldOfCash();
    const cash = world.cash.get('2026-03-06')!;
    world.now = midnightOf('2026-03-07') + 20_000;
    lieOnce(world, (draw) => draw);
    world.now = midnightOf('2026-03-07') + 90_000;
    const user = newUser(world);
    credit(world, user, 10);
    world.lie = withCash({ day: '2026-03-06', ...cash, limit: 500 });
    world.now = midnightOf('2026-03-07') + 100_000;
    play(world, user);
    expect(await foundIn(world)).toEqual({ budget_of_another_day: 1 });
    const playedEarly = (sincePreviousMs: number) => {
      const early = worldOfCash();
      early.now = midnightOf('2026-03-07') + 20_000;
      const other = newUser(early);
      credit(early, other, 10);
      early.wait(sincePreviousMs - 1);
      early.lie = requestedOn('2026-03-06', cash);
      play(early, other);
      return early;
    };
    const findings = { budget_of_another_day: 1, effective_date_differs: 1 };
    expect(await foundIn(playedEarly(1))).toEqual(findings);
    const early = playedEarly(0);
    const { found, noticed } = await codesIn(filesOf(booksOf(early)));
    expect(found).toEqual({});
    expect(noticed).toMatchObject({ counted_on_another_day: 1 });
    const second = [...filesOf(booksOf(early))].filter(([name]) => name.includes('2026-03-07'));
    expect(await codesIn(new Map(second))).toMatchObject({ found: {}, noticed: { budget_unknown: 1 } });
  });
});

test('a draw that counts on the day before the organization’s first day, which has no limit, is a finding', async () => {
  const world = newWorld();
  world.now = midnightOf('2026-03-06') + 5000;
  reopen(world, world.settings);
  const user = newUser(world);
  credit(world, user, 10);
  world.wait(-1);
  world.lie = requestedOn('2026-03-05', { sequence: 0, sum: 0 });
  play(world, user);
  expect(await foundIn(world)).toEqual({ budget_of_another_day: 1, effective_date_differs: 1 });
});

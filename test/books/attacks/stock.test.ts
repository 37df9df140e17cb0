/** Attacks: forged stock of prizes. Verify counts the wins from each stock over all days. */
import { describe, expect, test, vi } from 'vitest';
import { type BudgetCheck, checkBudget } from '../../../shared/books/check/budgets.ts';
import { prizeOf } from '../../support/prize.ts';
import { foundIn, lieOnce, outcomesIn, takeOutOutcome } from '../support/attacks.ts';
import { type Books, booksOf, budgetsOf, filesOf, recompute, rehash } from '../support/books.ts';
import { midnightOf } from '../support/plain.ts';
import { play, requestedOn } from '../support/plays.ts';
import { codesIn, verified } from '../support/verified.ts';
import {
  change,
  credit,
  type Draw,
  newUser,
  newWorld,
  putTable,
  type Rec,
  type World,
} from '../support/world.ts';

const minute = 60_000;
const table = (stock: number) => [
  { ...prizeOf('prize_merchandise', 1, 20), id: 'car', stock },
  { ...prizeOf('prize_imt', 1, 60), id: 'call', stock_per_day: 5 },
  prizeOf('tickets', 1, 20),
];

/** Returns a world with two days of plays. They use up two prizes: one with a stock of three, one with five a day. */
function worldOfStock(): World {
  const world = newWorld({ settings: { daily_spin_limit_on: false } });
  putTable(world, 'prizewheel', table(3));
  world.wait(40 * minute);
  playOn(world, 40);
  world.wait(24 * 60 * minute);
  playOn(world, 40);
  return world;
}
function playOn(world: World, plays: number) {
  const user = newUser(world);
  credit(world, user, 500);
  for (let i = 0; i < plays; i++) {
    world.wait(2 * minute);
    play(world, user);
  }
}
const withStock = (stock: Partial<Draw['stock']>) => (draw: Draw) => ({
  ...draw,
  stock: { ...draw.stock!, ...stock },
});
const cars = (books: Books) => outcomesIn(books).filter(({ prize_id }) => prize_id === 'car');
const drop = (books: Books, gone: Rec) => {
  takeOutOutcome(books, gone);
  recompute(books);
};

test('stocks that are kept are good, and the verdict counts their wins', async () => {
  const world = worldOfStock();
  expect(await foundIn(world)).toEqual({});
  const { organizations } = await verified(filesOf(booksOf(world)));
  expect(organizations[0]!.budgets).toContainEqual({
    budget: 'stock of prizewheel',
    granted: { car: 3, call: 10 },
    grants: 13,
  });
});

test('a stock that is raised later is good', async () => {
  const world = worldOfStock();
  putTable(world, 'prizewheel', table(4));
  world.wait(minute);
  playOn(world, 20);
  expect(await foundIn(world)).toEqual({});
  expect(cars(booksOf(world))).toHaveLength(4);
});

test('a stock is checked from the second day alone, but not if a day in between is missing', async () => {
  const [, second, ...more] = booksOf(worldOfStock()).days;
  const alone = await codesIn(onlyDays([second!, ...more]));
  expect(alone.found).toEqual({});
  const world = worldOfStock();
  world.wait(24 * 60 * minute);
  playOn(world, 5);
  const books = booksOf(world);
  const missing = await codesIn(
    onlyDays(
      books.days.filter((_, i) => i !== 1),
      world,
    ),
  );
  expect(missing).toMatchObject({ found: { day_missing: 1 }, noticed: { budget_unknown: 1 } });
});
const onlyDays = (days: Books['days'], world = worldOfStock()) => {
  const names = days.map(({ day }) => day);
  return new Map([...filesOf(booksOf(world))].filter(([name]) => names.some((day) => name.includes(day))));
};

test('a removed win is a finding, because later draws depend on it', async () => {
  const found = await foundIn(worldOfStock(), (books) => drop(books, cars(books)[1]!));
  expect(found).toMatchObject({ budget_chain_broken: expect.any(Number) });
});

test('two wins from the same state are a finding', async () => {
  const found = await foundIn(worldOfStock(), (books) => {
    const [first, second] = cars(books);
    budgetsOf(second!).stock!.grants = budgetsOf(first!).stock!.grants;
    rehash(books);
  });
  expect(found).toMatchObject({ budget_chain_broken: expect.any(Number) });
});

test('a prize number that is not the next one is a finding', async () => {
  const found = await foundIn(worldOfStock(), (books) => {
    budgetsOf(cars(books)[1]!).stock!.number = 3;
    rehash(books);
  });
  expect(found).toEqual({ budget_view_differs: 1 });
});

test('a win beyond the total or the daily stock is a finding', async () => {
  for (const prize of ['car', 'call']) {
    const world = worldOfStock();
    const isWon = () => outcomesIn(booksOf(world)).at(-1)!.prize_id === prize;
    const isIn = withStock({ out: prize === 'car' ? ['call'] : ['car'] });
    for (let tries = 0; tries < 40 && (tries === 0 || !isWon()); tries++) lieOnce(world, isIn);
    const found = await foundIn(world);
    expect(found).toMatchObject({ budget_exceeded: 1, budget_view_differs: expect.any(Number) });
  }
});

test('excluding a prize that is in stock is a finding', async () => {
  const world = worldOfStock();
  change(world, { daily_spin_limit: 7 });
  world.wait(24 * 60 * minute);
  lieOnce(world, withStock({ out: ['car', 'call'] }));
  expect(await foundIn(world)).toEqual({ budget_view_differs: 1 });
});

test('a state that was replaced long before, or never existed, is a finding', async () => {
  const world = worldOfStock();
  const { sequence } = world.stock.get('prizewheel')!;
  lieOnce(world, withStock({ sequence: sequence + 5 }));
  expect(await foundIn(world)).toEqual({ budget_chain_broken: 1 });
  const stale = worldOfStock();
  lieOnce(stale, withStock({ sequence: 0, out: [] }));
  expect(await foundIn(stale)).toMatchObject({ budget_view_stale: 1 });
});

test('a request from before midnight uses the stock of the day that other draws have begun', async () => {
  for (const [out, found] of [
    [['car', 'call'], {}],
    [['car'], { budget_exceeded: 1, budget_view_differs: 1, prize_not_drawn: 1 }],
  ] as const) {
    const world = worldOfStock();
    world.now = midnightOf('2026-03-08') + 20_000;
    const user = newUser(world);
    credit(world, user, 100);
    for (let plays = 0; plays < 30; plays++) play(world, user);
    world.wait(-1);
    world.lie = (draw) => ({
      ...requestedOn('2026-03-07')(draw),
      stock: { ...draw.stock!, out: [...out] },
    });
    play(world, user);
    expect(budgetsOf(outcomesIn(booksOf(world)).at(-1)!)).toMatchObject({ day: '2026-03-07' });
    expect(await foundIn(world)).toEqual(found);
  }
});

test('a missing stock state, or one that the table does not have, is a finding', async () => {
  const silent = worldOfStock();
  lieOnce(silent, ({ stock, ...draw }) => draw);
  expect(await foundIn(silent)).toMatchObject({ limits_differ: 1 });
  const made = newWorld();
  lieOnce(made, (draw) => ({
    ...draw,
    stock: { day: '2026-03-06', sequence: 0, won: {}, ofDay: {}, out: ['cash-100'] },
  }));
  expect(await foundIn(made)).toMatchObject({ limits_differ: 1, budget_view_differs: 1 });
});

describe('without the books of earlier days', () => {
  /** Returns the findings in the books of the second day alone, if `lie` changes that day's draws. */
  async function foundAlone(lie: (draw: Draw, index: number) => Draw) {
    const world = newWorld({ settings: { daily_spin_limit_on: false } });
    putTable(world, 'prizewheel', table(9));
    world.wait(40 * minute);
    playOn(world, 1);
    world.wait(24 * 60 * minute);
    let index = 0;
    world.lie = (draw) => lie(draw, index++);
    playOn(world, 4);
    const files = [...filesOf(booksOf(world))].filter(([name]) => name.includes('2026-03-07'));
    return (await codesIn(new Map(files))).found;
  }

  test('honest draws are good', async () => {
    expect(await foundAlone((draw) => draw)).toEqual({});
  });

  test('a prize that is used up in one draw and available in the next is a finding', async () => {
    const found = await foundAlone((draw, index) => (index === 1 ? withStock({ out: ['car'] })(draw) : draw));
    expect(found).toMatchObject({ budget_view_differs: expect.any(Number) });
  });

  test('a number of the day that cannot be its first is a finding', async () => {
    const found = await foundAlone(withStock({ ofDay: { call: 3 } }));
    expect(found).toMatchObject({ budget_view_differs: expect.any(Number) });
  });
});

test.each([
  ['2026-03-06', '2026-03-07'],
  ['2026-03-07', '2026-03-06'],
])('draws of %s and %s from one state agree about a stock per day, without the earlier book', (...days) => {
  const prizes = [{ ...prizeOf('prize_imt', 1, 1), stock_per_day: 2 }, prizeOf('tickets', 1, 1)];
  const { id } = prizes[0]!;
  // A clock that is behind at midnight counts a draw of the 7th for the 6th, whose stock is used up.
  const views = days.map((day, at) => {
    const out = day === '2026-03-06' ? [id] : [];
    const seen = { grants: 18, day, granted: {}, grantedOnDay: {}, version: 'v', out, at, last: at };
    return [day, { ...seen, place: {} as never }] as const;
  });
  const finding = vi.fn();
  checkBudget(
    'stock',
    { views: new Map(views), grants: [] },
    {
      tables: { v: prizes },
      whole: false,
      isGiven: (day) => day === '2026-03-07',
      until: Number.POSITIVE_INFINITY,
      report: () => ({ finding, notice: finding }) as unknown as ReturnType<BudgetCheck['report']>,
    },
  );
  expect(finding.mock.calls).toEqual([]);
});

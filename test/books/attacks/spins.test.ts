/** Attacks: a dishonest service manipulates free spins. */
import { describe, expect, test } from 'vitest';
import { quicknet } from '../../../shared/amoe/drand.ts';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { foundIn, outcomesIn, says, setting, takeOut, takeOutOutcome } from '../support/attacks.ts';
import { booksOf, type Day, filesOf, type Head, recompute } from '../support/books.ts';
import { digest, hexDigest, midnightOf, roundOf, signatureOf, testBeacon } from '../support/plain.ts';
import { order, runSpins } from '../support/plays.ts';
import { codesIn, verified } from '../support/verified.ts';
import {
  act,
  change,
  credit,
  type Draw,
  newUser,
  newWorld,
  type Order,
  putTable,
  type Rec,
  type User,
  versionFor,
  type World,
} from '../support/world.ts';

const minute = 60_000;
const nextDay = midnightOf('2026-03-07');

/** Returns a world in which a user ordered free spins that are now due. */
function worldOfSpins(
  spins = 4,
  options?: Parameters<typeof newWorld>[0],
): { world: World; user: User; made: Order } {
  const world = newWorld(options);
  const user = newUser(world);
  credit(world, user, 5);
  const made = order(world, user, spins);
  world.now = nextDay + minute;
  return { world, user, made };
}
const isOrder = ({ kind }: Rec) => kind === 'orders';
/** Returns the findings in the books if `lie` manipulates all draws of an order. */
async function foundInRun(lie: (draw: Draw) => Draw, options?: Parameters<typeof newWorld>[0]) {
  const { world, made } = worldOfSpins(4, options);
  world.lie = lie;
  runSpins(world, made);
  return foundIn(world);
}
test('spins that an operator runs when the day’s cash suits are noticed after two hours, also if a hold delayed them', async () => {
  const noticedAfter = async (minutes: number, hold?: (world: World) => void) => {
    const { world, made } = worldOfSpins();
    hold?.(world);
    world.now = nextDay + minutes * minute;
    if (hold) change(world, { paused: '' });
    runSpins(world, made);
    const { found, noticed } = await codesIn(filesOf(booksOf(world)));
    expect(found).toEqual({});
    return noticed.spins_run_late;
  };
  expect(await noticedAfter(120)).toBeUndefined();
  expect(await noticedAfter(122)).toBe(4);
  expect(await noticedAfter(122, (world) => change(world, { paused: 'amoe' }))).toBe(4);
});

test('an order of spins that count on an earlier day, whose book is closed, is noticed', async () => {
  const world = newWorld();
  for (let i = 0; i < 3; i++)
    order(world, newUser(world), 5, 'at_once', new Date(midnightOf('2025-12-31')).toISOString());
  const { findings, noticed } = await verified(filesOf(booksOf(world)));
  expect(findings).toEqual([]);
  const { count, first } = noticed.find(({ code }) => code === 'counted_on_another_day')!;
  expect([count, first.map(({ sentence }) => sentence)]).toEqual([
    3,
    ['Orders counted on 2025-12-31 (UTC).'],
  ]);
});

test('orders that count after the day of their spins are noticed, unlike those that count up to its end', async () => {
  const effective = async (run: 'queued' | 'at_once', ...dates: string[]) => {
    const world = newWorld();
    for (const date of dates) order(world, newUser(world), 5, run, date);
    const { noticed } = await verified(filesOf(booksOf(world)));
    const { count = 0, first = [] } = noticed.find(({ code }) => code === 'counted_on_another_day') ?? {};
    return [count, ...first.map(({ sentence }) => sentence)];
  };
  const later = ['2099-01-01T05:00:00.000Z', '2099-12-31T05:00:00.000Z'];
  const [endOfToday, endOfSpins] = [nextDay - 1, midnightOf('2026-03-08') - 1].map((at) =>
    new Date(at).toISOString(),
  );
  const sentence = 'Orders counted in 2099, after their spins’ day.';
  expect(await effective('queued', endOfSpins!, ...later)).toEqual([2, sentence]);
  expect(await effective('at_once', endOfToday!, ...later)).toEqual([2, sentence]);
});

test('a spin that ran 20 hours late is listed, although many spins ran 2 hours late', async () => {
  const world = newWorld();
  const [many, one] = [order(world, newUser(world), 25), order(world, newUser(world), 1)];
  world.now = nextDay + 125 * minute;
  runSpins(world, many);
  world.now = nextDay + 20 * 60 * minute;
  runSpins(world, one);
  const { noticed } = await verified(filesOf(booksOf(world)));
  const { count, first } = noticed.find(({ code }) => code === 'spins_run_late')!;
  const hours = first.map(({ sentence }) => sentence.split(' after ')[0]);
  expect([count, hours]).toEqual([26, ['Spins ran 2 hours', 'Spins ran 19 hours']]);
});

test('spins of a user who was frozen and then erased, so that they never run, are a finding', async () => {
  const { world, user } = worldOfSpins();
  world.now = nextDay - 60 * minute;
  const about = { user_id: user.id };
  for (const action of ['user_frozen', 'user_erased'])
    act(world, action, about, { texts: `${'x'.repeat(42)}A` });
  world.now = nextDay + 60 * minute;
  credit(world, newUser(world), 1);
  expect(await foundIn(world)).toEqual({ spins_overdue: 1 });
});

test('spins without a beacon that run hours after they were due are noticed', async () => {
  const { world, made } = worldOfSpins(4, { settings: { beacon: '' } });
  world.now = nextDay + 3 * 60 * minute;
  runSpins(world, made);
  const files = filesOf(booksOf(world));
  const { found, noticed } = await codesIn(files);
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ spins_run_late: 4 });
  // Without the order's book, verify reports no delay: the order may have been placed after the due day began.
  const later = await codesIn(new Map([...files].filter(([name]) => !name.includes('2026-03-06'))));
  expect(later.found).toEqual({});
  expect(later.noticed).toMatchObject({ order_not_given: 4 });
  expect(later.noticed).not.toHaveProperty('spins_run_late');
});

describe('verify reports a free spin that', () => {
  test('nobody ordered', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const found = await foundIn(world, (books) => {
      takeOut(books, ({ kind }) => kind === 'orders');
      recompute(books);
    });
    expect(found).toEqual({ spin_without_order: 4 });
  });

  test('was ordered for another user', async () => {
    const { world, made } = worldOfSpins();
    const friend = newUser(world);
    credit(world, friend, 5);
    runSpins(world, { ...made, user: friend });
    expect(await foundIn(world)).toEqual({ spin_of_another_user: 4, spins_overdue: 1 });
  });

  test('ran twice', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    runSpins(world, { ...made, next: 1 }, { spins: 1 });
    expect(await foundIn(world)).toEqual({ spin_twice: 1 });
  });

  test('was removed from the books', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const found = await foundIn(world, (books) => {
      takeOutOutcome(books, outcomesIn(books)[1]!);
      recompute(books);
    });
    expect(found).toEqual({ spin_missing: 1 });
  });

  test('exceeds the number of spins ordered', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    expect(
      await foundIn(
        world,
        setting(isOrder, () => ({ num_of_spins: 3 })),
      ),
    ).toEqual({
      more_spins_than_ordered: 1,
    });
  });

  test('ran before it was due', async () => {
    const { world, made } = worldOfSpins();
    world.now = nextDay - 2 * minute;
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spin_early: 4 });
  });

  test('without a beacon ran a second before it was due, so that this day’s book would publish the next day’s secret', async () => {
    const { world, made } = worldOfSpins(4, { beacon: false });
    world.now = nextDay - 1000;
    runSpins(world, made, { spins: 1 });
    world.now = nextDay;
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spin_early: 1 });
  });

  test('ran before it was due, although its order is in a book that was not given', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, { ...made, rec: { ...made.rec, due_day: '2026-03-09' } });
    const second = [...filesOf(booksOf(world))].filter(([name]) => name.includes('2026-03-07'));
    const { found, noticed } = await codesIn(new Map(second));
    expect(found).toEqual({ spin_early: 4 });
    expect(noticed).toMatchObject({ order_not_given: 4 });
  });

  test('uses the secret of the day when it ran', async () => {
    const { world, made } = worldOfSpins();
    world.now = midnightOf('2026-03-08') + minute;
    runSpins(world, { ...made, rec: { ...made.rec, due_day: '2026-03-08' } });
    expect(await foundIn(world)).toMatchObject({ secret_of_another_day: 4, beacon_round_wrong: 4 });
  });

  test('uses a client seed chosen after many tries', async () => {
    expect(await foundInRun(says({ client_seed: digest('the best of a thousand') }))).toEqual({
      client_seed_differs: 4,
    });
  });

  test('uses a round other than the first of the day', async () => {
    const round = roundOf('2026-03-07') + 1;
    const found = await foundInRun(says({ beacon_round: round }));
    expect(found).toEqual({ beacon_round_wrong: 4, client_seed_differs: 4 });
  });

  test('lacks the promised randomness', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, { ...made, rec: { ...made.rec, beacon: undefined } });
    expect(await foundIn(world)).toEqual({ beacon_not_mixed_in: 4 });
  });

  test('ran without the beacon less than an hour after it was due', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made, { spins: 2, out: true });
    world.wait(60 * minute);
    runSpins(world, made, { out: true });
    expect(await foundIn(world)).toEqual({ beacon_not_mixed_in: 2 });
  });

  test('uses a different prize table than its order promised', async () => {
    const { world, made } = worldOfSpins();
    const table = putTable(world, 'prizewheel', defaultPrizeTables.flight.prizes);
    runSpins(world, { ...made, rec: { ...made.rec, prize_table_version: table } });
    expect(await foundIn(world)).toEqual({ table_not_in_force: 4 });
  });

  test('has a different effective date than its order', async () => {
    expect(await foundInRun(says({ result_effective_date: '2026-03-09T04:00:00.000Z' }))).toEqual({
      effective_date_differs: 4,
    });
  });

  test.each(['cash', 'wins'] as const)(
    'is drawn with the %s of the day before, after midnight',
    async (used) => {
      const { world, user, made } = worldOfSpins(4, {
        settings: { daily_cash_limit_usd: 100, daily_win_limit: 1 },
      });
      world.now = nextDay + minute / 2;
      const cash = { day: '2026-03-06', sum: 100, sequence: 1, limit: 100 };
      const wins = used === 'wins' ? { wins: { limit: 1, count: 1 } } : {};
      world.lie = (draw) => ({
        ...draw,
        cash: { ...draw.cash, ...(used === 'cash' ? cash : { day: '2026-03-06' }) },
        ...wins,
      });
      runSpins(world, made);
      expect(user.sequence).toBeGreaterThan(4);
      expect(await foundIn(world)).toMatchObject({ budget_of_another_day: 4 });
    },
  );

  test('is drawn with settings that were replaced at midnight, before its round', async () => {
    const { world, made } = worldOfSpins();
    world.now = nextDay;
    change(world, { daily_cash_limit_usd: 0 });
    world.now = nextDay + minute / 2;
    world.lie = (draw) => ({ ...draw, cash: { ...draw.cash, limit: 500 } });
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ limit_not_in_force: 4 });
  });

  test.each([
    ['the first round of its day', 0],
    ['the last round of its day', 1],
    ['the round of a later day', 2],
  ])('ran without %s, which other spins mixed in', async (_, cheated) => {
    const { world, user, made } = worldOfSpins();
    world.now = nextDay - minute;
    const late = order(world, newUser(world), 4);
    world.late.set(String(late.rec.order_id), nextDay + 15 * minute);
    world.now = nextDay + 20 * minute;
    const ofNextDay = order(world, user, 4);
    const run = (days: number, orders: Order[]) => {
      world.now = nextDay + (days * 24 * 60 + 20) * minute;
      for (const one of orders) runSpins(world, one, { spins: 2 });
      world.wait(60 * minute);
      for (const one of orders) runSpins(world, one, { out: one === [made, late, ofNextDay][cheated] });
    };
    run(0, [made, late]);
    run(1, [ofNextDay]);
    expect(await foundIn(world)).toEqual({ beacon_not_mixed_in: 2 });
  });

  test('ran without a round that other spins mixed in hours later', async () => {
    const { world, made } = worldOfSpins();
    world.now = nextDay + 70 * minute;
    runSpins(world, made, { spins: 2, out: true });
    world.now = nextDay + 20 * 60 * minute;
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ beacon_not_mixed_in: 2 });
  });

  test('ran a day after it was due, when its draw could be known, and repeated by whoever hid it and deleted checkpoints', async () => {
    const ranAfter = async (ms: number) => {
      const { world, made } = worldOfSpins();
      world.now = nextDay + ms;
      runSpins(world, made, { spins: 1 });
      runSpins(world, made);
      return foundIn(world);
    };
    const dayMs = 24 * 60 * minute;
    expect(await ranAfter(dayMs - 10)).toEqual({});
    expect(await ranAfter(dayMs)).toEqual({ spins_overdue: 4 });
  });

  test('names an order that is missing in the given books', async () => {
    const { world, user, made } = worldOfSpins();
    runSpins(world, made);
    for (const day of ['2026-03-08', '2026-03-09', '2026-03-10']) {
      world.now = midnightOf(day) + 60 * minute;
      credit(world, user, 1);
    }
    // Forges an order whose `last_hash` was chosen to win. With its low sequence number, the order seems to be in an
    // earlier book, which verify does not get.
    const rec = { ...made.rec, sequence: 1, due_day: '2026-03-10', last_hash: digest('the best of many') };
    runSpins(world, { user, rec, next: 0 });
    const last = [...filesOf(booksOf(world))].filter(([name]) => !/2026-03-0[67]/.test(name));
    expect((await codesIn(new Map(last))).found).toEqual({ spin_without_order: 4 });
  });

  test('is a guest’s and did not run at once, but when the cash of another day suited', async () => {
    const world = newWorld();
    const user = newUser(world);
    world.now = nextDay - 5 * minute;
    const made = order(world, user, 0, 'at_once');
    world.now = nextDay + 50 * minute;
    runSpins(world, { ...made, rec: { ...made.rec, num_of_spins: 30 } });
    const found = await foundIn(
      world,
      setting(isOrder, () => ({ num_of_spins: 30 })),
    );
    expect(found).toEqual({ record_not_by_rules: 25 });
  });

  test('is a guest’s and never ran, because the guest was frozen a minute later', async () => {
    const world = newWorld();
    const user = newUser(world);
    order(world, user, 0, 'at_once');
    world.wait(minute);
    act(world, 'user_frozen', { user_id: user.id });
    const found = await foundIn(
      world,
      setting(isOrder, () => ({ num_of_spins: 30 })),
    );
    expect(found).toEqual({ record_not_by_rules: 1 });
  });

  test('was cancelled before its order was placed', async () => {
    const world = newWorld();
    const user = newUser(world);
    world.now = nextDay - 60 * minute;
    const { rec } = order(world, user, 2);
    world.now = nextDay - 90 * minute;
    act(world, 'spins_cancelled', { user_id: user.id, spins: { [String(rec.order_id)]: 2 } });
    world.now = nextDay + minute;
    credit(world, user, 1);
    expect(await foundIn(world)).toEqual({ cancelled_spins_differ: 1 });
  });

  test('is a guest’s and counts on the day before its order', async () => {
    const world = newWorld();
    const user = newUser(world);
    world.now = nextDay + minute / 2;
    world.lie = (draw) => ({ ...draw, cash: { ...draw.cash, day: '2026-03-06' } });
    order(world, user, 4, 'at_once');
    expect(await foundIn(world)).toEqual({ budget_of_another_day: 4 });
  });

  test('mixes in randomness that its order did not promise', async () => {
    const { world, user } = worldOfSpins();
    const made = order(world, user, 0, 'at_once');
    world.wait(-2);
    runSpins(world, { ...made, rec: { ...made.rec, num_of_spins: 1, beacon: testBeacon.chain } });
    expect(
      await foundIn(
        world,
        setting(isOrder, () => ({ num_of_spins: 1 })),
      ),
    ).toEqual({
      beacon_not_promised: 1,
      spins_overdue: 1,
    });
  });
});

test.each<[string, object, object]>([
  ['is due on the day of the order', { due_day: '2026-03-06' }, { due_day_differs: 1 }],
  ['is due two days later', { due_day: '2026-03-08' }, { due_day_differs: 1 }],
  [
    'is a guest’s and due on a day whose secret is already revealed',
    { run: 'at_once', beacon: undefined, due_day: '2026-03-05' },
    { due_day_differs: 1, record_not_by_rules: 1 },
  ],
  ['promises no beacon', { beacon: undefined }, { beacon_not_mixed_in: 1 }],
  ['promises another beacon', { beacon: hexDigest('another') }, { beacon_not_mixed_in: 1 }],
  [
    'promises a table that is not in force',
    { prize_table_version: versionFor('prizewheel', 'another') },
    { table_not_in_force: 1 },
  ],
  [
    'is a guest’s and promises a beacon',
    { run: 'at_once', due_day: '2026-03-06' },
    { beacon_not_promised: 1, record_not_by_rules: 1 },
  ],
  [
    'states a wrong hash of the previous record',
    { last_hash: digest('the best of a thousand') },
    { last_hash_differs: 1 },
  ],
])('verify reports an order that %s', async (_, changes, found) => {
  expect(
    await foundIn(
      worldOfSpins().world,
      setting(isOrder, () => changes),
    ),
  ).toEqual(found);
});

test('an order without a prize table is not a valid record', async () => {
  const forge = setting(isOrder, () => ({ prize_table_version: undefined }));
  expect(await foundIn(worldOfSpins().world, forge)).toMatchObject({ not_a_record: 1 });
});

test('an order that has not run by the end of its due day is a finding, and a notice if it was on hold', async () => {
  const foundAfter = async (paused: string) => {
    const { world, made } = worldOfSpins();
    runSpins(world, made, { spins: 1 });
    change(world, { paused });
    return codesIn(filesOf(booksOf(world)));
  };
  expect(await foundAfter('truck')).toMatchObject({
    found: { spins_overdue: 1 },
    noticed: { orders_open: 1 },
  });
  expect(await foundAfter('amoe')).toMatchObject({ found: {}, noticed: { orders_open: 1 } });
});

test.each([1000, 15 * minute, 59 * minute])(
  'a guest’s last spins may run %d ms after the end of its order’s day',
  async (after) => {
    const world = newWorld();
    const user = newUser(world);
    world.now = nextDay - 2000;
    const made = order(world, user, 0, 'at_once');
    world.now = nextDay - 2000;
    const all = { ...made, rec: { ...made.rec, num_of_spins: 40 } };
    runSpins(world, all, { spins: 30 });
    world.now = nextDay + after;
    runSpins(world, all);
    const books = booksOf(world);
    setting(isOrder, () => ({ num_of_spins: 40 }))(books);
    const files = filesOf(books);
    expect((await codesIn(files)).found).toEqual({});
    const second = [...files].filter(([name]) => name.includes('2026-03-07'));
    expect((await codesIn(new Map(second))).found).toEqual({});
  },
);

test('an order keeps its promised beacon after the setting changes', async () => {
  const { world, made } = worldOfSpins();
  change(world, { beacon: '' });
  runSpins(world, made);
  const unpromised = order(world, made.user, 2);
  world.now = midnightOf('2026-03-08') + minute;
  runSpins(world, unpromised);
  const { found, noticed } = await codesIn(filesOf(booksOf(world)));
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ no_beacon: 1, settings_changed: 1 });
});

test('free spins in a single day’s book name their beacon, or a notice says that they do not', async () => {
  const { world, made } = worldOfSpins();
  runSpins(world, made, { spins: 1 });
  runSpins(world, { ...made, rec: { ...made.rec, beacon: undefined } });
  const second = [...filesOf(booksOf(world))].filter(([name]) => name.includes('2026-03-07'));
  const { found, noticed } = await codesIn(new Map(second));
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ order_not_given: 4, no_beacon: 3 });
});

describe('verify reports unused data in a records file:', () => {
  const { chain, ...description } = testBeacon;
  const round = roundOf('2026-03-08');
  const truck = defaultPrizeTables.truck.prizes;
  const ofDay =
    (day: string) =>
    (_: Head, { secretOf }: Day) => ({ secrets: { [day]: secretOf(day) } });
  test.each<[string, (head: Head, day: Day) => Partial<Head>, object?]>([
    ['the secret of its own day', ofDay('2026-03-07')],
    ['the secret of the day before', ofDay('2026-03-06')],
    ['a prize table', ({ tables }) => ({ tables: { ...tables, [versionFor('truck', truck)]: truck } })],
    [
      'a round',
      ({ beacons }) => {
        const rounds = { ...beacons[chain]!.rounds, [round]: signatureOf(round) };
        return { beacons: { [chain]: { ...description, rounds } } };
      },
    ],
    [
      'a beacon',
      ({ beacons }) => ({ beacons: { ...beacons, [hexDigest('another')]: { ...description, rounds: {} } } }),
      { beacon_differs: 1 },
    ],
  ])('%s', async (_, added, more) => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const found = await foundIn(world, ({ days }) => {
      const day = days[1]!;
      day.head = (head) => ({ ...head, ...added(head, day) });
    });
    expect(found).toEqual({ unused_data: 1, ...more });
  });
});

describe('verify reports public randomness that', () => {
  const { chain, ...description } = testBeacon;
  const round = roundOf('2026-03-07');
  const signed = { [round]: signatureOf(round) };
  /** Returns the findings in the books if the records file contains `beacons` instead of the beacon that was used. */
  const foundWith = (beacons: object) => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    return foundIn(world, (books) => {
      books.days[1]!.head = (head) => ({ ...head, beacons }) as typeof head;
    });
  };

  test('is not signed', async () => {
    const wrong = { [round]: signatureOf(round + 1) };
    const unsigned = { beacon_signature_invalid: 1 };
    expect(await foundWith({ [chain]: { ...description, rounds: wrong } })).toEqual(unsigned);
    expect(await foundWith({ [chain]: { ...description, rounds: {} } })).toEqual({
      ...unsigned,
      unused_data: 1,
    });
  });

  test('is from a different beacon than the book names', async () => {
    const other = { ...description, rounds: signed };
    expect(await foundWith({ [hexDigest('another')]: other })).toEqual({
      beacon_differs: 1,
      beacon_round_wrong: 4,
    });
    expect(await foundWith({})).toEqual({ beacon_differs: 1, beacon_signature_invalid: 1 });
  });

  test('has a different description than before', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const later = order(world, made.user, 2);
    world.now = midnightOf('2026-03-08') + minute;
    runSpins(world, later);
    const found = await foundIn(world, ({ days }) => {
      const genesis_time = testBeacon.genesis_time - 3;
      days[2]!.head = (head) => ({
        ...head,
        beacons: { [chain]: { ...head.beacons[chain]!, genesis_time } },
      });
    });
    expect(found).toEqual({ beacon_differs: 1, beacon_round_wrong: 2 });
  });

  test('has a later time than any date', async () => {
    const last = Number.MAX_SAFE_INTEGER;
    const beacon = { ...description, genesis_time: last, rounds: signed };
    expect(await foundWith({ [chain]: beacon })).toMatchObject({ beacon_signature_invalid: 1 });
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const ofLast = setting(
      ({ kind }) => kind === 'outcomes',
      () => ({ beacon_round: last }),
    );
    expect(await foundIn(world, ofLast)).toMatchObject({ beacon_signature_invalid: 1 });
  });

  test('claims to be from quicknet', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const books = booksOf(world);
    books.days[1]!.head = (head) => ({
      ...head,
      beacons: { [quicknet.chain]: { ...description, rounds: signed } },
    });
    const { found, noticed } = await codesIn(filesOf(books));
    // Two findings: the description of the beacon differs from quicknet's, and the header names another beacon.
    expect(found).toMatchObject({ beacon_differs: 2 });
    expect(noticed).not.toHaveProperty('beacon_not_quicknet');
  });
});

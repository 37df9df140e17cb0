/** Free spins of a service that is not honest. */
import { describe, expect, test } from 'vitest';
import { quicknet } from '../../../shared/amoe/drand.ts';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { type Books, booksOf, filesOf, rechain, rehash } from '../support/books.ts';
import { digest, hexDigest, midnightOf, roundOf, signatureOf, testBeacon } from '../support/plain.ts';
import { order, runSpins } from '../support/plays.ts';
import { codesIn } from '../support/verified.ts';
import {
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

/** A world in which a user has ordered spins; they are due when it goes on. */
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
async function foundIn(world: World, forge: (books: Books) => void = () => {}) {
  const books = booksOf(world);
  forge(books);
  return (await codesIn(filesOf(books))).found;
}
const says = (said: Record<string, unknown>) => (draw: Draw) => ({
  ...draw,
  said: { ...draw.said, ...said },
});
/** What is found if all spins of an order are drawn by a lie. */
async function foundInRun(lie: (draw: Draw) => Draw, options?: Parameters<typeof newWorld>[0]) {
  const { world, made } = worldOfSpins(4, options);
  world.lie = lie;
  runSpins(world, made);
  return foundIn(world);
}
const outcomesIn = ({ days }: Books) =>
  days.flatMap(({ records }) => records).filter(({ kind }) => kind === 'outcomes');
const takeOut = (books: Books, gone: (rec: Rec) => boolean) => {
  for (const day of books.days) day.records = day.records.filter((rec) => !gone(rec));
};

describe('a free spin is found that', () => {
  test('was ordered by nobody', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const found = await foundIn(world, (books) => {
      takeOut(books, ({ kind }) => kind === 'orders');
      rechain(books);
    });
    expect(found).toEqual({ spin_without_order: 4 });
  });

  test('was ordered for another user', async () => {
    const { world, made } = worldOfSpins();
    const friend = newUser(world);
    credit(world, friend, 5);
    runSpins(world, { ...made, user: friend });
    expect(await foundIn(world)).toEqual({ spin_of_another_user: 4 });
  });

  test('ran twice', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    runSpins(world, { ...made, next: 1 }, { spins: 1 });
    expect(await foundIn(world)).toEqual({ spin_twice: 1 });
  });

  test('was left out: a loss that nobody was to have, or a win', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const found = await foundIn(world, (books) => {
      const spin = outcomesIn(books)[1]!;
      takeOut(books, ({ id, outcome_id }) => id === spin.id || outcome_id === spin.id);
      rechain(books);
    });
    expect(found).toEqual({ spin_missing: 1 });
  });

  test('was never ordered, of an order of fewer', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const found = await foundIn(world, (books) => {
      books.days[0]!.records.find(({ kind }) => kind === 'orders')!.num_of_spins = 3;
      rehash(books);
    });
    expect(found).toEqual({ order_too_long: 1 });
  });

  test('ran before it was due', async () => {
    const { world, made } = worldOfSpins();
    world.now = nextDay - 2 * minute;
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spin_early: 4 });
  });

  test('ran before it was due, and its order is in a book that is not there', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, { ...made, rec: { ...made.rec, due_day: '2026-03-09' } });
    const second = [...filesOf(booksOf(world))].filter(([name]) => name.includes('2026-03-07'));
    const { found, noticed } = await codesIn(new Map(second));
    expect(found).toEqual({ spin_early: 4 });
    expect(noticed).toMatchObject({ order_not_given: 4 });
  });

  test('has the secret of the day on which it ran', async () => {
    const { world, made } = worldOfSpins();
    world.now = midnightOf('2026-03-08') + minute;
    runSpins(world, { ...made, rec: { ...made.rec, due_day: '2026-03-08' } });
    expect(await foundIn(world)).toMatchObject({ secret_of_another_day: 4, beacon_round_wrong: 4 });
  });

  test('has an input that was picked', async () => {
    expect(await foundInRun(says({ client_seed: digest('the best of a thousand') }))).toEqual({
      client_seed_differs: 4,
    });
  });

  test('has another round than the first of its day', async () => {
    const round = roundOf('2026-03-07') + 1;
    const found = await foundInRun(says({ beacon_round: round }));
    expect(found).toEqual({ beacon_round_wrong: 4, client_seed_differs: 4 });
  });

  test('leaves the randomness out that was promised', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, { ...made, rec: { ...made.rec, beacon: undefined } });
    expect(await foundIn(world)).toEqual({ beacon_not_mixed_in: 4 });
  });

  test('gives the beacon up before an hour is over', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made, { spins: 2, out: true });
    world.wait(60 * minute);
    runSpins(world, made, { out: true });
    expect(await foundIn(world)).toEqual({ beacon_not_mixed_in: 2 });
  });

  test('is drawn from another table than its order promised', async () => {
    const { world, made } = worldOfSpins();
    const table = putTable(world, 'prizewheel', defaultPrizeTables.flight.prizes);
    runSpins(world, { ...made, rec: { ...made.rec, prize_table_version: table } });
    expect(await foundIn(world)).toEqual({ table_not_in_force: 4 });
  });

  test('is effective on another date than its order said', async () => {
    expect(await foundInRun(says({ result_effective_date: '2026-03-09T04:00:00.000Z' }))).toEqual({
      effective_date_differs: 4,
    });
  });

  test('leaves the round out that others have mixed in', async () => {
    const { world, made } = worldOfSpins(8);
    runSpins(world, made, { spins: 3 });
    world.wait(60 * minute);
    runSpins(world, made, { out: true });
    expect(await foundIn(world)).toEqual({ beacon_not_mixed_in: 1 });
  });

  test('ran three days after it was due', async () => {
    const { world, made } = worldOfSpins();
    world.now = midnightOf('2026-03-10') + minute;
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spins_overdue: 4 });
  });

  test('names an order that would have to be in the books that are there', async () => {
    const { world, user, made } = worldOfSpins();
    runSpins(world, made);
    for (const day of ['2026-03-08', '2026-03-09', '2026-03-10']) {
      world.now = midnightOf(day) + 60 * minute;
      credit(world, user, 1);
    }
    // With a number before the first one that is known of the user, and an input that was searched for.
    const rec = { ...made.rec, sequence: 1, due_day: '2026-03-10', last_hash: digest('the best of many') };
    runSpins(world, { user, rec, next: 0 });
    const last = [...filesOf(booksOf(world))].filter(([name]) => !/2026-03-0[67]/.test(name));
    expect((await codesIn(new Map(last))).found).toEqual({ spin_without_order: 4 });
  });

  test('mixes randomness in that nobody had promised', async () => {
    const { world, user } = worldOfSpins();
    const made = order(world, user, 0, 'at_once');
    runSpins(world, { ...made, rec: { ...made.rec, num_of_spins: 1, beacon: testBeacon.chain } });
    const found = await foundIn(world, (books) => {
      const asked = books.days[1]!.records.find(({ order_id }) => order_id === made.rec.order_id)!;
      asked.num_of_spins = 1;
      rehash(books);
    });
    expect(found).toEqual({ beacon_unasked: 1 });
  });
});

describe('an order is found that', () => {
  const forged = async (changes: Record<string, unknown>) => {
    const { world } = worldOfSpins();
    return foundIn(world, (books) => {
      Object.assign(books.days[0]!.records.find(({ kind }) => kind === 'orders')!, changes);
      rehash(books);
    });
  };

  test('is due on a day whose randomness is known', async () => {
    expect(await forged({ due_day: '2026-03-06' })).toEqual({ due_day_differs: 1 });
    expect(await forged({ due_day: '2026-03-08' })).toEqual({ due_day_differs: 1 });
  });

  test('of a guest is due on a day whose secret is known', async () => {
    const guest = { run: 'at_once', beacon: undefined };
    expect(await forged({ ...guest, due_day: '2026-03-05' })).toEqual({ due_day_differs: 1 });
  });

  test('promises no randomness when others do', async () => {
    expect(await forged({ beacon: undefined })).toEqual({ beacon_not_mixed_in: 1 });
    expect(await forged({ beacon: hexDigest('another') })).toEqual({ beacon_not_mixed_in: 1 });
  });

  test('promises a table that is not in force', async () => {
    const prize_table_version = versionFor('prizewheel', 'another');
    expect(await forged({ prize_table_version })).toEqual({ table_not_in_force: 1 });
    expect(await forged({ prize_table_version: undefined })).toMatchObject({ not_a_record: 1 });
  });

  test('of a guest promises some', async () => {
    expect(await forged({ run: 'at_once', due_day: '2026-03-06' })).toEqual({ beacon_unasked: 1 });
  });

  test('says another hash than that of the record before it', async () => {
    expect(await forged({ last_hash: digest('the best of a thousand') })).toEqual({ last_hash_differs: 1 });
  });
});

test('an order that has not run is noticed once it was due, and found two days later', async () => {
  const { world, made, user } = worldOfSpins();
  runSpins(world, made, { spins: 1 });
  order(world, user, 7);
  for (const day of ['2026-03-07', '2026-03-08']) {
    const { found, noticed } = await codesIn(filesOf(booksOf(world)));
    expect([day, found]).toEqual([day, {}]);
    expect(noticed).toMatchObject({ orders_open: 1 });
    world.now = midnightOf(day) + 25 * 60 * minute;
    credit(world, user, 1);
  }
  const { found, noticed } = await codesIn(filesOf(booksOf(world)));
  expect(found).toEqual({ spins_overdue: 1 });
  expect(noticed).toMatchObject({ orders_open: 1 });
});

test('what was promised before the beacon was changed mixes in the one that was promised', async () => {
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

test('free spins of a day alone name their beacon, or it is noticed that they do not', async () => {
  const { world, made } = worldOfSpins();
  runSpins(world, made, { spins: 1 });
  runSpins(world, { ...made, rec: { ...made.rec, beacon: undefined } });
  const second = [...filesOf(booksOf(world))].filter(([name]) => name.includes('2026-03-07'));
  const { found, noticed } = await codesIn(new Map(second));
  expect(found).toEqual({});
  expect(noticed).toMatchObject({ order_not_given: 4, no_beacon: 3 });
});

describe('public randomness is found that', () => {
  const { chain, ...description } = testBeacon;
  const round = roundOf('2026-03-07');
  const signed = { [round]: signatureOf(round) };
  /** What is found if the records of a run come with other beacons. */
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
      named_by_nothing: 1,
    });
  });

  test('nobody asked for', async () => {
    const rounds = { ...signed, [round + 1]: signatureOf(round + 1) };
    const found = await foundWith({ [chain]: { ...description, rounds } });
    expect(found).toEqual({ named_by_nothing: 1 });
  });

  test('is of another beacon than the book says', async () => {
    const other = { ...description, rounds: signed };
    expect(await foundWith({ [hexDigest('another')]: other })).toEqual({
      beacon_differs: 1,
      beacon_round_wrong: 4,
    });
    expect(await foundWith({})).toEqual({ beacon_differs: 1, beacon_signature_invalid: 1 });
  });

  test('is described in another way than before', async () => {
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

  test('is said to be quicknet’s, and is not', async () => {
    const { world, made } = worldOfSpins();
    runSpins(world, made);
    const books = booksOf(world);
    books.days[1]!.head = (head) => ({
      ...head,
      beacons: { [quicknet.chain]: { ...description, rounds: signed } },
    });
    const { found, noticed } = await codesIn(filesOf(books));
    // Neither is it described as quicknet is, nor does the book name it.
    expect(found).toMatchObject({ beacon_differs: 2 });
    expect(noticed).not.toHaveProperty('beacon_not_quicknet');
  });
});

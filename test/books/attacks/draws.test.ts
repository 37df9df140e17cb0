/**
 * Attacks: a dishonest service manipulates draws, and makes all values that depend on the manipulated value
 * consistent.
 */
import { describe, expect, test } from 'vitest';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { times } from '../../support/api.ts';
import { prizeOf } from '../../support/prize.ts';
import { foundIn, recordsIn, says, setting, worldOfOne } from '../support/attacks.ts';
import { type Books, booksOf, filesOf, rehash } from '../support/books.ts';
import { hexDigest, midnightOf, ulidOf } from '../support/plain.ts';
import { makeUrl, order, play, playUrl } from '../support/plays.ts';
import { codesIn } from '../support/verified.ts';
import {
  change,
  credit,
  type Draw,
  newUser,
  newWorld,
  putTable,
  type Rec,
  reopen,
} from '../support/world.ts';

const minute = 60_000;

/** Makes three plays, the second with a draw that `lie` manipulates. Returns the findings. */
async function foundInPlay(lie: (draw: Draw) => Draw) {
  const { world, user } = worldOfOne();
  play(world, user);
  world.lie = lie;
  play(world, user);
  world.lie = (draw) => draw;
  play(world, user);
  return foundIn(world);
}
const isOutcome = ({ kind }: Rec) => kind === 'outcomes';

describe('verify reports a draw that', () => {
  test('uses a server seed chosen after many tries', async () => {
    const lie = (draw: Draw) => ({ ...draw, serverSeed: hexDigest('the best of a million') });
    expect(await foundInPlay(lie)).toEqual({ prize_not_drawn: 1 });
  });

  test('uses a secret chosen by the operator', async () => {
    const { world, user } = worldOfOne();
    const honest = world.secretOf;
    world.secretOf = (day) => hexDigest(`picked ${day}`);
    play(world, user);
    expect(await foundIn(world)).toEqual({ secret_not_as_published: 1 });
    const books = booksOf(world);
    for (const day of books.days) day.secretOf = honest;
    expect((await codesIn(filesOf(books))).found).toEqual({ prize_not_drawn: 1 });
  });

  test('uses a secret that is not revealed', async () => {
    const { world, user } = worldOfOne();
    world.now = midnightOf('2026-03-07') - minute;
    const url = makeUrl(world, user, 'flight');
    world.wait(3 * minute);
    playUrl(world, url);
    expect(await foundIn(world)).toEqual({});
    const found = await foundIn(world, (books) => {
      books.days[1]!.head = (head) => ({ ...head, secrets: {} });
    });
    expect(found).toEqual({ secret_missing: 1 });
  });

  test('uses the secret of an earlier day', async () => {
    const { world, user } = worldOfOne();
    const url = makeUrl(world, user, 'flight');
    world.now = midnightOf('2026-03-08') + 60 * minute;
    playUrl(world, url);
    expect(await foundIn(world)).toEqual({ secret_of_another_day: 1 });
  });

  test('uses the secret of the next day, which this day’s book would publish in the next day’s first hours', async () => {
    const { world, user } = worldOfOne();
    world.now = midnightOf('2026-03-07') - 1000;
    playUrl(world, { ...makeUrl(world, user, 'flight'), secretDay: '2026-03-07' });
    world.wait(2000);
    play(world, user);
    expect(await foundIn(world)).toEqual({ secret_of_another_day: 1 });
  });

  test('uses the secret of the day before the organization’s first day, which no book can fix', async () => {
    const world = newWorld();
    world.now = midnightOf('2026-03-06') + 20_000;
    reopen(world, world.settings);
    const user = newUser(world);
    credit(world, user, 50);
    playUrl(world, { ...makeUrl(world, user, 'flight'), secretDay: '2026-03-05' });
    expect(await foundIn(world)).toEqual({ secret_of_another_day: 1 });
  });

  test('gives a different prize than its seeds', async () => {
    const { world, user } = worldOfOne();
    world.lie = says({
      prize: { cash_usd: 100 },
      prize_id: 'cash-100',
      game_status: 'Cash',
    });
    play(world, user);
    const { found } = await codesIn(filesOf(booksOf(world)));
    expect(found).toMatchObject({ prize_not_drawn: 1 });
  });

  test('excludes cash prizes without a reason', async () => {
    const { world, user } = worldOfOne();
    world.lie = (draw) => ({ ...draw, ticketsOnly: true });
    for (const _ of times(5, () => 0)) play(world, user);
    expect(await foundIn(world)).toEqual({ prize_not_drawn: expect.any(Number) });
  });

  test('has no prize available', async () => {
    const { world, user } = worldOfOne();
    const table = world.tables.get(String(world.settings.prize_table_truck))!;
    putTable(
      world,
      'truck',
      table.filter(({ id }) => id === 'cash-100'),
    );
    play(world, user, 'truck');
    const budgets = { cash: { grants: 0, granted: 450, limit: 500 } };
    const found = await foundIn(
      world,
      setting(isOutcome, () => ({ budgets })),
    );
    // Verify reports two findings: one for the rules, and one for the limits in the record.
    expect(found).toMatchObject({ limits_differ: 2 });
  });

  test.each<[string, object, (rec: Rec) => object]>([
    ['states no budgets', { limits_differ: 1 }, () => ({ budgets: undefined })],
    [
      'has the game status of another prize',
      { game_status_differs: 1 },
      ({ game_status }) => ({ game_status: game_status === 'Cash' ? 'Ticket-only' : 'Cash' }),
    ],
    [
      'gives a larger amount than the prize table',
      { prize_not_as_in_table: 1, prize_not_credited: 1 },
      () => ({ prize: { tickets: 50 } }),
    ],
  ])('%s', async (_, found, fields) => {
    const { world, user } = worldOfOne();
    for (let i = 0; i < 5; i++) play(world, user);
    const ofTickets = ({ prize_id }: Rec) => String(prize_id).startsWith('tickets-');
    expect(await foundIn(world, setting(ofTickets, fields))).toEqual(found);
  });

  test('repeats the draw of a play URL', async () => {
    const { world, user } = worldOfOne();
    const url = makeUrl(world, user, 'prizewheel');
    playUrl(world, url, 'one');
    playUrl(world, url, 'two');
    expect(await foundIn(world)).toEqual({ play_twice: 1 });
  });

  test('exceeds the daily limit of plays', async () => {
    const { world, user } = worldOfOne();
    for (let i = 0; i < 7; i++) play(world, user);
    expect(await foundIn(world)).toEqual({ plays_over_limit: 2 });
  });

  test('is not followed by a posting of its cost', async () => {
    const { world, user } = worldOfOne();
    world.lie = says({ cost: 0 });
    play(world, user);
    expect(
      await foundIn(
        world,
        setting(isOutcome, () => ({ cost: 1 })),
      ),
    ).toEqual({ cost_not_taken: 1 });
  });

  test('is followed by a posting of its cost only hours later', async () => {
    const { world, user } = worldOfOne();
    play(world, user);
    const books = booksOf(world);
    const cost = recordsIn(books).find(({ amount }) => Number(amount) < 0)!;
    const at = world.now + 3_600_000;
    Object.assign(cost, {
      transaction_id: `txn_${ulidOf(at, 'later')}`,
      date_created: new Date(at).toISOString(),
    });
    rehash(books);
    expect((await codesIn(filesOf(books))).found).toMatchObject({ cost_not_taken: 1 });
  });

  test('is missing although its prize is credited', async () => {
    const { world, user } = worldOfOne();
    credit(world, user, 50);
    const prize = { texts: undefined, outcome_id: 'out_01KK0000000000000000000000', description: 'a prize' };
    const found = await foundIn(
      world,
      setting(
        ({ amount }) => amount === 50,
        () => prize,
      ),
    );
    expect(found).toEqual({ credited_without_outcome: 1 });
  });
});

describe('the secret of a first day', () => {
  test('without a published fingerprint is a finding once the next book exists', async () => {
    const { world, user } = worldOfOne();
    world.now = midnightOf('2026-03-08') + minute;
    play(world, user);
    const found = await foundIn(world, (books) => {
      for (const day of books.days) day.header = (header) => ({ ...header, fingerprints: {} });
    });
    expect(found).toEqual({ fingerprint_missing: 3 });
  });

  test('that is the secret of another day is a finding', async () => {
    const { world, user } = worldOfOne();
    const of = world.secretOf;
    world.secretOf = (day) => of(day === '2026-03-08' ? '2026-03-06' : day);
    world.now = midnightOf('2026-03-08') + minute;
    play(world, user);
    expect(await foundIn(world)).toEqual({ secret_not_as_published: 1 });
  });

  test('that does not match its published fingerprint is a finding', async () => {
    const { world, user } = worldOfOne();
    world.now = midnightOf('2026-03-08') + minute;
    play(world, user);
    const found = await foundIn(world, (books) => {
      books.days[0]!.header = (header) => ({
        ...header,
        fingerprints: { '2026-03-08': hexDigest('another') },
      });
    });
    expect(found).toEqual({ secret_not_as_published: 1 });
  });
});

describe('verify reports a secret that', () => {
  /** Returns a world where a play URL is created before midnight and played after it, with the first day's secret. */
  function worldOfMidnight() {
    const { world, user } = worldOfOne();
    world.now = midnightOf('2026-03-07') - minute;
    const url = makeUrl(world, user, 'flight');
    world.wait(3 * minute);
    playUrl(world, url);
    return world;
  }
  const first = '2026-03-06';
  const withHeader =
    (day: number, part: 'secrets' | 'fingerprints', said: Record<string, string>) => (books: Books) => {
      books.days[day]!.header = (header) => ({ ...header, [part]: { ...(header[part] as object), ...said } });
    };

  test('is missing in the book of its day', async () => {
    const found = await foundIn(worldOfMidnight(), (books) => {
      books.days[0]!.header = (header) => ({ ...header, secrets: {} });
    });
    expect(found).toEqual({ secret_missing: 1 });
  });

  test('differs in the book of the next day', async () => {
    const found = await foundIn(
      worldOfMidnight(),
      withHeader(1, 'secrets', { [first]: hexDigest('another') }),
    );
    expect(found).toEqual({ secret_not_as_published: 1, prize_not_drawn: 1, unused_data: 1 });
  });

  test('has two different fingerprints', async () => {
    const third = { '2026-03-08': hexDigest('another') };
    const found = await foundIn(worldOfMidnight(), withHeader(1, 'fingerprints', third));
    expect(found).toEqual({ secret_not_as_published: 1, unused_data: 1 });
  });
});

describe('verify reports a prize table that', () => {
  const doubled = (prizes: Prize[]) => prizes.map((prize) => ({ ...prize, weight: 2 * prize.weight }));
  const generous = (prizes: Prize[]) =>
    prizes.map((prize) => (prize.kind === 'tickets' ? { ...prize, amount: 2 * prize.amount } : prize));

  test('has changed amounts under the same version', async () => {
    const { world, user } = worldOfOne();
    const version = String(world.settings.prize_table_prizewheel);
    world.tables.set(version, generous(world.tables.get(version)!));
    for (let i = 0; i < 5; i++) play(world, user);
    expect(await foundIn(world)).toEqual({ table_altered: 1 });
  });

  test('is missing', async () => {
    const { world, user } = worldOfOne();
    play(world, user);
    const found = await foundIn(world, (books) => {
      books.days[0]!.head = (head) => ({ ...head, tables: {} });
    });
    expect(found).toEqual({ table_missing: 1 });
  });

  test('was put in force with different prizes than its version', async () => {
    const { world } = worldOfOne();
    const version = putTable(
      world,
      'truck',
      doubled(world.tables.get(String(world.settings.prize_table_truck))!),
    );
    const found = await foundIn(world, (books) => {
      const { table } = books.days[0]!.records.find((rec) => rec.table) as unknown as {
        table: { prizes: Prize[] };
      };
      table.prizes = generous(table.prizes);
      rehash(books);
    });
    expect(version).toMatch(/^truck-/);
    expect(found).toEqual({ table_altered: 1 });
  });

  test('has a version without a digest', async () => {
    const { world } = worldOfOne();
    change(world, { prize_table_truck: 'truck-of-mine' });
    expect(await foundIn(world)).toEqual({ table_altered: 1 });
  });

  test('changes from day to day under a version without a digest', async () => {
    const { world, user } = worldOfOne();
    const wheel = String(world.settings.prize_table_prizewheel);
    const prizes = world.tables.get(wheel)!;
    world.tables.set('wheel-of-mine', prizes);
    world.settings.prize_table_prizewheel = 'wheel-of-mine';
    play(world, user);
    world.now = midnightOf('2026-03-07') + minute;
    world.tables.set('wheel-of-mine', doubled(prizes));
    play(world, user);
    const books = booksOf(world);
    books.days[0]!.head = (head) => ({ ...head, tables: { 'wheel-of-mine': prizes } });
    const { found } = await codesIn(filesOf(books));
    expect(found).toEqual({ table_altered: 2, table_not_in_force: 2 });
  });

  test('was replaced before the play page can have been opened', async () => {
    const { world, user } = worldOfOne();
    const [stale, good] = [makeUrl(world, user, 'truck'), makeUrl(world, user, 'truck')];
    putTable(world, 'truck', doubled(world.tables.get(String(world.settings.prize_table_truck))!));
    world.wait(30 * minute);
    playUrl(world, good);
    expect(await foundIn(world)).toEqual({});
    world.wait(2 * minute);
    playUrl(world, stale);
    expect(await foundIn(world)).toEqual({ table_not_in_force: 1 });
  });

  test('was in force only on the day before, or only on the day after, the day of the play’s secret', async () => {
    for (const secretDay of ['2026-03-06', '2026-03-07']) {
      const { world, user } = worldOfOne();
      const midnight = midnightOf('2026-03-07');
      world.now = midnight - 20 * minute;
      const early = makeUrl(world, user, 'truck');
      world.now = midnight + (secretDay === '2026-03-06' ? 3 : -3) * minute;
      putTable(world, 'truck', doubled(world.tables.get(early.table)!));
      world.now = midnight + 9 * minute;
      const { table } = secretDay === '2026-03-06' ? makeUrl(world, user, 'truck') : early;
      playUrl(world, { ...early, secretDay, table });
      expect(await foundIn(world)).toEqual({ table_not_in_force: 1 });
    }
  });

  test('was never in force together with the play’s cost', async () => {
    const { world, user } = worldOfOne();
    const url = makeUrl(world, user, 'truck');
    change(world, { cost_truck: 6 });
    const version = putTable(world, 'truck', doubled(world.tables.get(url.table)!));
    playUrl(world, { ...url, table: version });
    expect(await foundIn(world)).toEqual({ table_not_in_force: 1 });
  });

  test('belongs to another game', async () => {
    const { world, user } = worldOfOne();
    const table = String(world.settings.prize_table_flight);
    world.lie = says({ prize_table_version: table });
    order(world, user, 1, 'at_once');
    expect(await foundIn(world)).toEqual({ table_not_in_force: 1 });
  });
});

test('a play whose game was on hold for as long as its URL can have been made is a finding', async () => {
  const { world, user } = worldOfOne();
  change(world, { paused: 'truck' });
  world.now = midnightOf('2026-03-07') - 20 * minute;
  const url = makeUrl(world, user, 'truck');
  world.now = midnightOf('2026-03-07') + 3 * minute;
  change(world, { paused: '' });
  world.wait(2 * minute);
  playUrl(world, url);
  expect(await foundIn(world)).toEqual({ record_on_hold: 1 });
});

test('a cost that was not in force is a finding', async () => {
  expect(await foundInPlay(says({ cost: 0 }))).toMatchObject({ cost_not_in_force: 1 });
  expect(await foundInPlay(says({ cost: 2 }))).toMatchObject({ cost_not_in_force: 1 });
});

test('a free spin with a cost is a finding', async () => {
  const { world, user } = worldOfOne();
  world.lie = says({ cost: 1 });
  order(world, user, 1, 'at_once');
  expect(await foundIn(world)).toEqual({ cost_not_in_force: 1 });
});

test('settings from before the first book or after the last book are unknown, which is a notice', async () => {
  const { world, user } = worldOfOne();
  world.now = midnightOf('2026-03-07') - 2 * minute;
  const url = makeUrl(world, user, 'truck');
  change(world, { cost_truck: 6 });
  world.wait(10 * minute);
  playUrl(world, url);
  const files = filesOf(booksOf(world));
  const second = new Map([...files].filter(([name]) => name.includes('2026-03-07')));
  expect(await codesIn(second)).toMatchObject({
    verdict: 'good',
    found: {},
    noticed: { settings_unknown: 1 },
  });
  expect((await codesIn(files)).found).toEqual({});
});

test('a prize table in force for several games, each of which would have its stock, is found', async () => {
  const { world, user } = worldOfOne();
  const version = putTable(world, 'prizewheel', [prizeOf('cash_usd', 1, 1), prizeOf('tickets', 1, 1)]);
  change(world, { prize_table_truck: version });
  world.wait(40 * minute);
  play(world, user, 'truck');
  expect(await foundIn(world)).toEqual({ table_altered: 1 });
});

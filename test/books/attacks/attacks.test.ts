/** One attack for each way in which a sentence of the README can fail, made by a forger with the operator's keys. */
import { describe, expect, test } from 'vitest';
import { localAuthority } from '../../../infra/develop/local/authority.ts';
import { signRound } from '../../../infra/develop/local/beacon.ts';
import { findingMeanings } from '../../../shared/books/check/findings.ts';
import type { Prize } from '../../../shared/games/prize-tables.ts';
import { inBase64 } from '../../../shared/timestamps/timestamp.ts';
import { authorityOf, tokenForDigest } from '../../support/authority.ts';
import { prizeOf } from '../../support/prize.ts';
import {
  foundIn,
  outcomesIn,
  recordsIn,
  says,
  setting,
  takeOut,
  takeOutOutcome,
  worldOfOne,
} from '../support/attacks.ts';
import {
  type Books,
  booksOf,
  budgetsOf,
  type Files,
  filesOf,
  keptLine,
  recompute,
  rehash,
} from '../support/books.ts';
import {
  announce,
  close,
  forfeit,
  type Line,
  listOf,
  orderOf,
  type Terms,
  useUp,
  win,
} from '../support/drawings.ts';
import { canonical, digest, hexDigest, midnightOf } from '../support/plain.ts';
import { makeUrl, order, play, playUrl, requestedOn, runSpins } from '../support/plays.ts';
import { timestamped } from '../support/timestamps.ts';
import { codesIn } from '../support/verified.ts';
import {
  act,
  adjust,
  change,
  credit,
  type Draw,
  deliver,
  newUser,
  newWorld,
  post,
  putTable,
  type Rec,
  type World,
} from '../support/world.ts';

const minute = 60_000;
const [first, second, third] = ['2026-03-06', '2026-03-07', '2026-03-08'] as const;

/** Two days with a play each, and two queued spins that run on the second. */
function twoDays(): { world: World; books: Books; files: Files } {
  const { world, user } = worldOfOne();
  play(world, user, 'truck');
  const made = order(world, user, 2);
  world.now = midnightOf(second) + minute;
  runSpins(world, made);
  play(world, user, 'flight');
  const books = booksOf(world);
  return { world, books, files: filesOf(books) };
}
const name = (world: World, day: string, kind: string) => `${world.organizationId}.${day}.${kind}`;
const found = async (files: Files, options = {}) => (await codesIn(files, options)).found;

/** The codes for which a test below has seen a finding. */
const seen = new Set<string>();
const expectFound = (codes: Record<string, number>, ...expected: string[]) => {
  expect(Object.keys(codes).sort()).toEqual(expected.sort());
  for (const code of expected) seen.add(code);
};

describe('files', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['that are empty', '', 'not_a_book'],
    ['of another kind', 'nothing of a book', 'not_a_book'],
    ['that end in the middle', twoDays().files.values().next().value!.slice(0, 500), 'not_a_book'],
    ['of another encoding', Uint8Array.from([255, 254, 0, 1]), 'not_a_book'],
  ])('%s are a finding', async (_, content, code) => {
    const { world, files } = twoDays();
    const forged = new Map<string, string | Uint8Array>(files).set(name(world, second, 'book'), content);
    const { found } = await codesIn(forged);
    expect(found).toMatchObject({ [code]: 1, file_missing: 1 });
    seen.add(code);
  });

  test('of which one cannot be read are a finding', async () => {
    const { verifyBookFiles } = await import('../../../shared/books/check/verify.ts');
    const { findings } = verifyBookFiles(['/nowhere.book'], { kept: [] });
    expect(findings).toMatchObject([{ code: 'unreadable_file', count: 1 }]);
    seen.add('unreadable_file');
  });

  test.each(['book', 'records'])('without a day’s %s are a finding', async (kind) => {
    const { world, files } = twoDays();
    files.delete(name(world, second, kind));
    expectFound(await found(files), 'file_missing');
  });

  test('without a day in between, or without the book of a kept line, are a finding', async () => {
    const { world, user } = worldOfOne();
    world.now = midnightOf(third) + minute;
    credit(world, user, 1);
    const files = filesOf(booksOf(world));
    const line = keptLine(files, name(world, second, 'book'));
    for (const kind of ['book', 'records']) files.delete(name(world, second, kind));
    expect(await found(files)).toEqual({ file_missing: 1 });
    expect(await found(files, { kept: [line] })).toEqual({ file_missing: 2 });
    expect(await found(new Map(), { kept: [line] })).toEqual({ file_missing: 1 });
  });
});

describe('1. a book is not genuine if it', () => {
  test('is signed by another key', async () => {
    const { files, world } = twoDays();
    const others = filesOf(booksOf(world, 'somebody else'));
    const key = booksOf(world).key.line;
    expect(await found(others)).toEqual({});
    expectFound(await found(others, { key }), 'signature_invalid');
    const book = name(world, second, 'book');
    expect(await found(new Map(files).set(book, others.get(book)!))).toEqual({ signature_invalid: 1 });
  });

  test('differs from the kept line', async () => {
    const { world, books } = twoDays();
    const kept = [keptLine(filesOf(books), name(world, first, 'book'))];
    const user = newUser(world);
    world.now = midnightOf(first) + 20 * 60 * minute;
    credit(world, user, 5);
    expectFound(await found(filesOf(booksOf(world)), { kept }), 'not_the_kept_book');
  });

  test('does not follow from the day before, or is one of two books of a day', async () => {
    const { world, books, files } = twoDays();
    const replaced = booksOf(world);
    replaced.days[0]!.records.pop();
    const others = filesOf(replaced);
    for (const kind of ['book', 'records']) {
      const of = name(world, second, kind);
      others.set(of, files.get(of)!);
    }
    expect(await found(others)).toMatchObject({ book_replaced: 1 });
    const copy = `copy.${name(world, first, 'book')}`;
    const forked = filesOf(replaced).get(name(world, first, 'book'))!;
    expect(await found(new Map(files).set(copy, forked))).toHaveProperty('book_replaced');
    for (const day of books.days.slice(1)) day.header = (header) => ({ ...header, stage: 'local' });
    expectFound(await found(filesOf(books)), 'book_replaced');
  });

  test('has a timestamp of another text, of a stranger, or of a time that cannot be', async () => {
    const { world, files } = twoDays();
    const stamped = timestamped(files);
    expect(await found(stamped)).toEqual({});
    const records = name(world, second, 'records');
    const early = timestamped(files, { lateMs: { [second]: -3 * 60 * minute } });
    expectFound(await found(early), 'timestamp_invalid');
    const outOfOrder = timestamped(files, { lateMs: { [first]: 26 * 60 * minute } });
    expect(await found(outOfOrder)).toEqual({ timestamp_invalid: 1 });
    const [head = '', ...lines] = stamped.get(records)!.split('\n');
    const [other = ''] = stamped.get(name(world, first, 'records'))!.split('\n');
    const moved = canonical({ ...JSON.parse(head), timestamp: JSON.parse(other).timestamp });
    expect(await found(new Map(stamped).set(records, [moved, ...lines].join('\n')))).toEqual({
      timestamp_invalid: 1,
    });
    const stranger = timestamped(files, { authority: authorityOf('a stranger') });
    expect(await found(stranger)).toEqual({});
    expect(await found(stranger, { authorities: ['ab'.repeat(32)] })).toEqual({ timestamp_invalid: 2 });
  });
});

describe('2. a book is not complete if', () => {
  test.each<[string, (lines: string[]) => string[]]>([
    ['a record is left out', (lines) => lines.slice(0, -1)],
    ['a record is added', (lines) => [...lines, lines.at(-1)!]],
    ['records are in another order', (lines) => [lines[1]!, lines[0]!, ...lines.slice(2)]],
    ['a record is replaced', (lines) => [...lines.slice(0, -1), lines[0]!]],
  ])('%s after it was signed', async (_, forge) => {
    const { world, files } = twoDays();
    const records = name(world, second, 'records');
    const [head = '', ...lines] = files.get(records)!.trimEnd().split('\n');
    const forged = new Map(files).set(records, [head, ...forge(lines), ''].join('\n'));
    expect(await found(forged)).toHaveProperty('records_differ');
    seen.add('records_differ');
  });

  test('it has a record of another day or organization', async () => {
    const { books } = twoDays();
    const [, day] = books.days;
    day!.records.unshift(...books.days[0]!.records.splice(-1));
    expect(await found(filesOf(books))).toHaveProperty('records_differ');
    const other = { organization_id: newWorld({ name: 'other' }).organizationId };
    expect(
      await foundIn(
        twoDays().world,
        setting(
          ({ kind }) => kind === 'tickets',
          () => other,
        ),
      ),
    ).toHaveProperty('records_differ');
  });

  test('it states other totals than its records have', async () => {
    const { books } = twoDays();
    books.days[0]!.header = (header) => ({ ...header, counts: { ...(header.counts as object), tickets: 9 } });
    expectFound(await found(filesOf(books)), 'sums_differ');
  });

  test.each<[string, (line: string) => string]>([
    ['has an unknown field', (line) => line.replace('{', '{"a":1,')],
    ['is no JSON', () => 'nothing'],
    ['has another encoding of the same record', (line) => line.replace(':', ': ')],
    ['has another time than its id', (line) => line.replace(/"date_created":"2026/, '"date_created":"2027')],
  ])('a line %s', async (_, forge) => {
    const { books } = twoDays();
    books.days[1]!.lines = (lines) => lines.map((line, i) => (i === lines.length - 1 ? forge(line) : line));
    expect(await found(filesOf(books))).toHaveProperty('not_a_record');
    seen.add('not_a_record');
  });

  test.each<[string, (books: Books) => void]>([
    ['removed', (books) => takeOut(books, ({ kind, texts }) => kind === 'tickets' && texts)],
    [
      'changed',
      (books) =>
        Object.assign(recordsIn(books).find(({ kind }) => kind === 'outcomes')!, {
          spin_index: 0,
          client_seed: 'x',
        }),
    ],
    [
      'removed from the operators’ actions',
      (books) => takeOut(books, ({ after }) => (after as Record<string, unknown>)?.cost_truck === 6),
    ],
  ])('a record is %s, and the hashes of later ones stay', async (_, forge) => {
    const { world, user } = worldOfOne();
    change(world, { cost_truck: 6 });
    credit(world, user, 3);
    change(world, { cost_truck: 5 });
    world.wait(40 * minute);
    play(world, user, 'truck');
    expect(await foundIn(world, forge)).toHaveProperty('history_broken');
    seen.add('history_broken');
  });

  test('two records claim one place in a user’s history', async () => {
    const { world, user } = worldOfOne();
    const { sequence, hash } = user;
    credit(world, user, 1);
    Object.assign(user, { sequence, hash });
    user.balances.tickets = 500;
    credit(world, user, 2);
    expect(await foundIn(world)).toHaveProperty('history_broken');
  });
});

describe('3. balances are wrong if', () => {
  test('a balance does not follow from the one before', async () => {
    const { world, user } = worldOfOne();
    user.balances.tickets = 900;
    credit(world, user, 1);
    expectFound(await foundIn(world), 'balance_differs');
  });

  test.each<[string, (books: Books) => void]>([
    [
      'a play’s cost was not taken',
      (books) => takeOut(books, ({ outcome_id, amount }) => outcome_id && Number(amount) < 0),
    ],
    [
      'a prize was not credited',
      (books) => takeOut(books, ({ outcome_id, amount }) => outcome_id && Number(amount) > 0),
    ],
    [
      'a credit claims an outcome that another user has',
      (books) => {
        const outcome = recordsIn(books).find(({ kind }) => kind === 'outcomes')!;
        const own = { outcome_id: outcome.id, description: 'Truck prize' };
        const rec = recordsIn(books).find(({ texts, kind }) => texts && kind === 'tickets')!;
        delete rec.texts;
        Object.assign(rec, own);
      },
    ],
  ])('%s', async (_, forge) => {
    const world = newWorld();
    const user = newUser(world);
    credit(world, user, 100);
    while (!recordsIn(booksOf(world)).some(({ outcome_id, amount }) => outcome_id && Number(amount) > 0))
      play(world, user, 'truck');
    expectFound(
      await foundIn(world, (books) => {
        forge(books);
        recompute(books);
      }),
      'cost_or_prize_differs',
    );
  });
});

describe('4. a draw is wrong if it', () => {
  const foundInPlay = (lie: World['lie']) => {
    const { world, user } = worldOfOne();
    world.lie = lie;
    play(world, user);
    return foundIn(world);
  };

  test('uses another seed, or records another prize than the seeds give', async () => {
    expectFound(
      await foundInPlay((draw) => ({ ...draw, serverSeed: hexDigest('the best of a million') })),
      'prize_not_drawn',
    );
    const won = { prize: { cash_usd: 100 }, prize_id: 'cash-100', game_status: 'Cash' };
    expect(await foundInPlay(says(won))).toHaveProperty('prize_not_drawn');
    const { world, user } = worldOfOne();
    world.lie = (draw) => ({ ...draw, ticketsOnly: true });
    for (let i = 0; i < 5; i++) play(world, user);
    expectFound(await foundIn(world), 'prize_not_drawn');
  });

  test('promised another cost, expiry or user than its record has', async () => {
    const { world, user } = worldOfOne();
    const later = new Date(world.now + 40 * minute).toISOString();
    for (let i = 0; i < 5; i++) {
      const url = makeUrl(world, user, 'truck');
      world.lie = says({ expires_at: later });
      playUrl(world, url);
    }
    expect(await foundIn(world)).toHaveProperty('prize_not_drawn');
  });

  test('uses a secret that the operator chose later, or hides it', async () => {
    const { world, user } = worldOfOne();
    const honest = world.secretOf;
    world.secretOf = (day) => hexDigest(`picked ${day}`);
    play(world, user);
    expectFound(await foundIn(world), 'secret_not_as_published');
    const books = booksOf(world);
    for (const day of books.days) day.secretOf = honest;
    expectFound(await found(filesOf(books)), 'prize_not_drawn');
    for (const day of books.days) day.header = (header) => ({ ...header, secrets: {} });
    expect(await found(filesOf(books))).toHaveProperty('secret_not_as_published');
  });

  test('uses the secret of the next day, which this day’s book would publish too early, or of an old day', async () => {
    const { world, user } = worldOfOne();
    world.now = midnightOf(second) - 1000;
    playUrl(world, { ...makeUrl(world, user, 'flight'), secretDay: second });
    world.now = midnightOf(third) + minute;
    playUrl(world, { ...makeUrl(world, user, 'flight'), secretDay: first });
    world.wait(minute);
    playUrl(world, { ...makeUrl(world, user, 'flight'), secretDay: second });
    expect(await foundIn(world)).toEqual({ secret_not_as_published: 3 });
  });

  test('uses a prize table that is not its version, or hides it', async () => {
    const { books } = twoDays();
    const [version] = [...books.tables.keys()];
    const prizes = books.tables.get(version!) as Prize[];
    books.tables.set(version!, [{ ...prizes[0], weight: 1_000_000 }, ...prizes.slice(1)]);
    expect(await found(filesOf(books))).toHaveProperty('table_altered');
    const without = twoDays().books;
    without.days[0]!.head = (head) => ({ ...head, tables: {} });
    expectFound(await found(filesOf(without)), 'table_altered');
  });

  test.each([0, 1])('plays a URL twice, %d days apart', async (days) => {
    const { world, user } = worldOfOne();
    world.now = midnightOf(second) - 10 * minute;
    const url = makeUrl(world, user, 'truck');
    playUrl(world, url);
    world.wait(days ? 12 * minute : minute);
    playUrl(world, { ...url, user: newUserWith(world, 50) });
    expect(await foundIn(world)).toHaveProperty('play_twice');
    seen.add('play_twice');
  });

  test('runs a free spin twice, before it is due, of another user, or more often than ordered', async () => {
    const { world, user } = worldOfOne();
    const made = order(world, user, 2);
    world.now = midnightOf(second) + minute;
    runSpins(world, made);
    made.next = 1;
    runSpins(world, made);
    expectFound(await foundIn(world), 'spin_twice');
    made.rec = { ...made.rec, num_of_spins: 3 };
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ spin_twice: 1, spin_not_ordered: 1 });
    const chosen = order(world, user, 100);
    world.now = midnightOf(third) + minute;
    for (chosen.next of [42, 77]) runSpins(world, chosen, { spins: 1 });
    expect(await foundIn(world)).toEqual({ spin_twice: 1, spin_not_ordered: 3 });
    seen.add('spin_not_ordered');
    const stolen = worldOfOne();
    const other = newUserWith(stolen.world, 1);
    const theirs = order(stolen.world, stolen.user, 1);
    stolen.world.now = midnightOf(second) + minute;
    runSpins(stolen.world, { ...theirs, user: other });
    expectFound(await foundIn(stolen.world), 'spin_not_ordered');
    const early = worldOfOne();
    runSpins(early.world, order(early.world, early.user, 1));
    expect(await foundIn(early.world)).toEqual({});
    const inProduction = (books: Books) => {
      for (const day of books.days) day.header = (header) => ({ ...header, stage: 'production' });
    };
    expectFound(await foundIn(early.world, inProduction), 'spin_not_ordered');
  });

  test('uses another client seed for a free spin than its order fixes', async () => {
    const { world, user } = worldOfOne();
    const made = order(world, user, 1);
    world.now = midnightOf(second) + minute;
    world.lie = says({ client_seed: 'found by trial' });
    runSpins(world, made);
    expectFound(await foundIn(world), 'client_seed_differs');
  });
});

const newUserWith = (world: World, tickets: number) => {
  const user = newUser(world);
  credit(world, user, tickets);
  return user;
};

describe('5. a limit did not hold if', () => {
  const cashOnly = [prizeOf('cash_usd', 20, 1), prizeOf('tickets', 1, 1)];
  /** Returns a world in which half of the plays win 20 USD, of which a day has 60. */
  function worldOfCash(options = {}) {
    const { world, user } = worldOfOne({ settings: { daily_spin_limit_on: false, ...options } });
    putTable(world, 'prizewheel', cashOnly);
    change(world, { daily_cash_limit_usd: 60 });
    world.wait(40 * minute);
    return { world, user };
  }
  const winsIn = (world: World) =>
    recordsIn(booksOf(world)).filter(({ prize }) => (prize as { cash_usd?: number })?.cash_usd);
  const playUntilWins = (world: World, wins: number) => {
    while (winsIn(world).length < wins) play(world, newUserWith(world, 1));
  };

  test('more cash was won than a day has', async () => {
    const { world } = worldOfCash();
    playUntilWins(world, 3);
    for (let i = 0; i < 5; i++) play(world, newUserWith(world, 1));
    expect(await foundIn(world)).toEqual({});
    // Every win claims to be the first.
    const { world: lying } = worldOfCash();
    lying.lie = (draw) => ({ ...draw, cash: { ...draw.cash, sum: 0 } });
    playUntilWins(lying, 5);
    expectFound(await foundIn(lying), 'grants_differ', 'limit_exceeded');
  });

  test('a win was taken out, with its user’s history rebuilt', async () => {
    const { world } = worldOfCash();
    playUntilWins(world, 3);
    const [, win] = winsIn(world);
    expectFound(
      await foundIn(world, (books) => {
        takeOutOutcome(books, win!);
        recompute(books);
      }),
      'grants_differ',
    );
  });

  test('a draw assumed that the cash was used up', async () => {
    const { world } = worldOfCash();
    playUntilWins(world, 1);
    world.lie = (draw) => ({ ...draw, cash: { ...draw.cash, sum: 60 } });
    play(world, newUserWith(world, 1));
    expectFound(await foundIn(world), 'grants_differ');
  });

  const spring = { name: 'Spring', first_day: first, last_day: first, cash_limit_usd: 20, rules: {} };

  test('more than the cash of a promotion was won, or a draw miscounts it', async () => {
    const worldWith = (lie: World['lie']) => {
      const { world } = worldOfCash();
      change(world, { promotion: { ...spring, last_day: second } });
      world.wait(40 * minute);
      world.lie = lie;
      for (const day of [first, second]) {
        world.now = Math.max(world.now, midnightOf(day) + minute);
        for (let i = 0; i < 8; i++) play(world, newUserWith(world, 1));
      }
      return world;
    };
    expect(await foundIn(worldWith((draw) => draw))).toEqual({});
    const unlimited = (draw: Draw): Draw => ({
      ...draw,
      period: { promotion: { ...draw.period.promotion!, granted: 0 } },
    });
    expectFound(await foundIn(worldWith(unlimited)), 'grants_differ', 'limit_exceeded');
    const usedUp = (draw: Draw): Draw => ({
      ...draw,
      period: { promotion: { ...draw.period.promotion!, granted: 20 } },
    });
    expectFound(await foundIn(worldWith(usedUp)), 'grants_differ');
  });

  test('two wins have the same number', async () => {
    const { world } = worldOfCash();
    playUntilWins(world, 2);
    const books = booksOf(world);
    const wins = recordsIn(books).filter(({ prize }) => (prize as { cash_usd?: number })?.cash_usd);
    Object.assign(budgetsOf(wins[1]!).cash, budgetsOf(wins[0]!).cash);
    expect(await found(filesOf(rehash(books)))).toHaveProperty('grants_differ');
  });

  test('a draw counts for the day before though it is not of the first minute', async () => {
    const { world } = worldOfCash();
    world.now = midnightOf(second) + 30_000;
    const user = newUserWith(world, 5);
    const url = makeUrl(world, user, 'prizewheel');
    world.lie = requestedOn(first, { sequence: 0, sum: 0, limit: 60 });
    playUrl(world, url);
    expect(await foundIn(world)).toEqual({});
    world.now = midnightOf(second) + 10 * minute;
    playUrl(world, makeUrl(world, user, 'prizewheel'));
    expect(await foundIn(world)).toHaveProperty('grants_differ');
  });

  const stocked: Prize[] = [
    { ...prizeOf('prize_merchandise', 1, 40), id: 'car', stock: 2 },
    { ...prizeOf('prize_imt', 1, 40), id: 'call', stock_per_day: 2 },
    prizeOf('tickets', 1, 20),
  ];
  function worldOfStock() {
    const { world } = worldOfOne();
    putTable(world, 'truck', stocked);
    world.wait(40 * minute);
    return world;
  }

  test('more of a stock was won than there is, in total or on a day', async () => {
    const world = worldOfStock();
    for (const day of [first, second]) {
      world.now = Math.max(world.now, midnightOf(day) + minute);
      for (let i = 0; i < 8; i++) play(world, newUserWith(world, 50), 'truck');
    }
    expect(await foundIn(world)).toEqual({});
    const lying = worldOfStock();
    lying.lie = (draw) => ({ ...draw, ...(draw.stock && { stock: { ...draw.stock, out: [] } }) });
    for (let i = 0; i < 8; i++) play(lying, newUserWith(lying, 50), 'truck');
    expectFound(await foundIn(lying), 'grants_differ', 'limit_exceeded');
    const again = worldOfStock();
    again.lie = (draw) => ({
      ...draw,
      ...(draw.stock && { stock: { ...draw.stock, won: {}, ofDay: {}, out: [] } }),
    });
    for (let i = 0; i < 8; i++) play(again, newUserWith(again, 50), 'truck');
    expectFound(await foundIn(again), 'grants_differ');
    const books = booksOf(world);
    for (const { budgets } of outcomesIn(books) as unknown as { budgets: { stock: object } }[])
      budgets.stock = { ...budgets.stock, number: undefined, number_of_day: undefined };
    rehash(books);
    expect(await found(filesOf(books))).toHaveProperty('grants_differ');
  });

  test('but not if a request of the day before was late, and that day was not given', async () => {
    const { world, user } = worldOfOne();
    putTable(world, 'prizewheel', [prizeOf('cash_usd', 10, 1)]);
    play(world, user);
    world.now = midnightOf(second) + 1000;
    const cash = { ...world.cash.get(first)! };
    const url = {
      ...makeUrl(world, user, 'prizewheel'),
      secretDay: first,
      expires: new Date(world.now + 29 * minute).toISOString(),
    };
    credit(world, user, 1);
    world.lie = requestedOn(first, cash);
    playUrl(world, url);
    world.lie = (draw) => draw;
    world.now = midnightOf(third) + minute;
    credit(world, user, 1);
    const files = filesOf(booksOf(world));
    expect(await found(files)).toEqual({});
    expect(await found(new Map([...files].filter(([file]) => !file.includes(first))))).toEqual({});
  });

  test('a user won more often than a day allows, or a draw miscounts the user’s wins', async () => {
    const cash = [prizeOf('cash_usd', 1, 1)];
    const worldWith = (lie: World['lie']) => {
      const { world, user } = worldOfOne({ settings: { daily_win_limit: 2, daily_spin_limit_on: false } });
      putTable(world, 'prizewheel', [...cash, prizeOf('tickets', 1, 1)]);
      world.wait(40 * minute);
      world.lie = lie;
      for (let i = 0; i < 12; i++) play(world, user);
      return world;
    };
    expect(await foundIn(worldWith((draw) => draw))).toEqual({});
    expectFound(
      await foundIn(worldWith((draw) => ({ ...draw, wins: { limit: 2, count: 0 } }))),
      'grants_differ',
    );
  });
});

describe('6. what was in force is wrong if', () => {
  test('a change was not recorded, or not as it was made', async () => {
    const { books } = twoDays();
    books.days[0]!.settings = { ...books.days[0]!.settings, cost_truck: 1 };
    expect(await found(filesOf(books))).toHaveProperty('settings_differ');
    const { world } = worldOfOne();
    change(world, { cost_truck: 6 });
    const forge = setting(
      ({ action }) => action === 'changed',
      () => ({ before: { cost_truck: 4 } }),
    );
    expectFound(await foundIn(world, forge), 'settings_differ');
  });

  test.each<[string, (world: World) => void]>([
    [
      'cost',
      (world) => {
        world.lie = says({ cost: 0 });
      },
    ],
    [
      'cash limit',
      (world) => {
        world.lie = (draw) => ({ ...draw, cash: { ...draw.cash, limit: 5000 } });
      },
    ],
    [
      'win limit',
      (world) => {
        world.lie = (draw) => ({ ...draw, wins: { limit: 9, count: 0 } });
      },
    ],
  ])('a play used another %s', async (_, forge) => {
    const { world, user } = worldOfOne();
    forge(world);
    play(world, user);
    expect(await foundIn(world)).toHaveProperty('terms_not_in_force');
    seen.add('terms_not_in_force');
  });

  test('a prize was won outside a promotion, but not if the free spin was ordered inside', async () => {
    const { world, user } = worldOfOne();
    change(world, { promotion: { name: 'One day', first_day: first, last_day: first, rules: {} } });
    world.wait(40 * minute);
    const ordered = order(world, user, 20);
    world.now = midnightOf(second) + minute;
    runSpins(world, ordered);
    play(world, user);
    expect(await foundIn(world)).toEqual({});
    world.lie = (draw) => ({ ...draw, period: {} });
    play(world, user);
    expectFound(await foundIn(world), 'terms_not_in_force');
  });

  test('a play used the prize table of another time, but not if its URL was made then', async () => {
    const { world, user } = worldOfOne();
    const url = makeUrl(world, user, 'truck');
    world.wait(5 * minute);
    putTable(world, 'truck', [prizeOf('tickets', 7, 1)]);
    world.wait(20 * minute);
    playUrl(world, url);
    expect(await foundIn(world)).toEqual({});
    world.wait(90 * minute);
    playUrl(world, {
      ...url,
      token: makeUrl(world, user, 'truck').token,
      expires: new Date(world.now + 30 * minute).toISOString(),
    });
    expectFound(await foundIn(world), 'terms_not_in_force');
  });

  test('a play had the cost of a time at which its URL was not made', async () => {
    const { world, user } = worldOfOne();
    change(world, { cost_prizewheel: 0 });
    world.wait(10 * minute);
    change(world, { cost_prizewheel: 1 });
    const cheap = { cost: 0, expires: new Date(world.now + 25 * minute).toISOString() };
    world.wait(2 * 60 * minute);
    playUrl(world, { ...makeUrl(world, user, 'prizewheel'), ...cheap });
    expect(await foundIn(world)).toEqual({ terms_not_in_force: 1 });
  });

  test('a change of the last or next minute by another clock is no finding', async () => {
    const { world, user } = worldOfOne();
    const url = makeUrl(world, user, 'truck');
    world.wait(40_000);
    change(world, { cost_truck: 7, daily_cash_limit_usd: 300 });
    const late = makeUrl(world, user, 'truck');
    world.wait(10_000);
    playUrl(world, { ...url, cost: 7 });
    world.lie = (draw) => ({ ...draw, cash: { ...draw.cash, limit: 500 } });
    playUrl(world, { ...late, cost: 5 });
    expect(await foundIn(world)).toEqual({});
  });

  test('a queued spin used another table than that of its order’s time', async () => {
    const { world, user } = worldOfOne();
    const made = order(world, user, 1);
    putTable(world, 'prizewheel', [prizeOf('tickets', 7, 1)]);
    world.now = midnightOf(second) + minute;
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({});
    const forged = order(world, user, 1);
    forged.rec.prize_table_version = made.rec.prize_table_version;
    world.now = midnightOf(third) + minute;
    runSpins(world, forged);
    expect(await foundIn(world)).toHaveProperty('terms_not_in_force');
  });

  test('the pacing of the day’s cash was ignored', async () => {
    const { world, user } = worldOfOne({ settings: { daily_cash_paced: true } });
    play(world, user);
    expect(await foundIn(world)).toEqual({});
    world.lie = (draw) => ({ ...draw, cash: { ...draw.cash, limit: 500 } });
    play(world, user);
    expectFound(await foundIn(world), 'terms_not_in_force');
  });
});

test('7. a result was forced in production', async () => {
  const { world, user } = worldOfOne();
  play(world, user, 'truck', 'jackpot');
  expect(await foundIn(world)).toEqual({});
  const inProduction = (books: Books) => {
    for (const day of books.days) day.header = (header) => ({ ...header, stage: 'production' });
  };
  expectFound(await foundIn(world, inProduction), 'result_forced');
});

test('an operator’s adjustment is no finding, and stands among the actions of the verdict', async () => {
  const { world, user } = worldOfOne();
  adjust(world, user, 7);
  expect(await foundIn(world)).toEqual({});
});

describe('8. a drawing is not fair if', () => {
  /** Three users and an erased one with entries, and a drawing announced on the first day that closes on the second. */
  function announced(terms: Record<string, unknown> = {}) {
    const { world } = worldOfOne();
    const users = [3, 5, 9].map((entries) => {
      const user = newUser(world);
      credit(world, user, entries, 'truck');
      return user;
    });
    const erased = newUser(world);
    credit(world, erased, 7, 'truck');
    act(world, 'user_erased', { user_id: erased.id }, { texts: digest('why') });
    return { world, users, terms: announce(world, terms) };
  }
  function drawn(
    attack: (of: ReturnType<typeof announced> & { lines: Line[]; order: string[] }) => void = () => {},
  ) {
    const of = announced();
    const lines = close(of.world, of.terms, of.users);
    const order = orderOf(of.terms, lines);
    win(of.world, of.terms, order[0]!);
    attack({ ...of, lines, order });
    return of;
  }
  const wonIn = ({ drawing_id, prize }: Terms, number: number) =>
    ({ id: `${drawing_id}:1${number === 1 ? '' : `:${number}`}`, prize }) as unknown as Rec;
  const kept = ({ world, terms }: { world: World; terms: Terms }, root: string) => [
    `${world.organizationId} ${terms.drawing_id} ${root}`,
  ];

  const listIn = ({ users }: ReturnType<typeof announced>) =>
    listOf(users.map((user, i): Line => [user.id, [3, 5, 9][i]!]));
  /** The books, and a drawing's public file. */
  const withDrawing = (of: ReturnType<typeof announced>, changed: object = {}) => {
    const { world, terms } = of;
    const list = { ...listIn(of), closed_at: 'then' };
    const file = { format: 1, organization_id: world.organizationId, terms, list, drawn: [], ...changed };
    return new Map(filesOf(booksOf(world))).set('of.drawing', JSON.stringify(file));
  };

  test('nothing below happened: then it is, and a kept root or line confirms its list', async () => {
    let root = '';
    const of = drawn(({ world, users, terms, lines, order }) => {
      const [one, two] = users;
      root = listOf(lines).root;
      forfeit(world, terms, order[0]!, 1, 'not claimed');
      act(world, 'user_erased', { user_id: order[1]! }, { texts: digest('why') });
      forfeit(world, terms, order[1]!, 2, 'erased');
      win(world, terms, order[2]!, 3);
      deliver(world, users.find(({ id }) => id === order[2])!, wonIn(terms, 3));
      credit(world, one!, 2, 'truck');
      credit(world, two!, 2, 'truck');
    });
    const files = filesOf(booksOf(of.world));
    const { found, noticed } = await codesIn(files);
    expect([found, noticed.list_unconfirmed]).toEqual([{}, 1]);
    const line = keptLine(files, name(of.world, third, 'book'));
    for (const one of [kept(of, root), [line]]) {
      const confirmed = await codesIn(files, { kept: one });
      expect([confirmed.found, confirmed.noticed.list_unconfirmed]).toEqual([{}, undefined]);
    }
    const early = keptLine(files, name(of.world, second, 'book'));
    expect((await codesIn(files, { kept: [early] })).noticed.list_unconfirmed).toBe(1);
  });

  test('nothing below happened, although users got and spent entries after midnight', async () => {
    const { world, users, terms } = announced();
    const [gains, returns, spends] = users;
    const late = newUser(world);
    world.now = midnightOf(third) + minute;
    credit(world, gains!, 4, 'truck');
    credit(world, late, 4, 'truck');
    for (const user of [returns, spends]) credit(world, user!, -user!.balances.truck!, 'truck');
    credit(world, returns!, 8, 'truck');
    world.wait(4 * minute);
    const lines: Line[] = [
      [gains!.id, 3],
      [returns!.id, 5],
    ];
    useUp(world, terms, gains!, 3);
    useUp(world, terms, returns!, 5);
    world.wait(1000);
    act(world, 'drawing_closed', { drawing: terms, list: listOf(lines) });
    const files = filesOf(booksOf(world));
    for (const from of ['', second, third]) {
      const given = [...files].filter(([file]) => file.split('.')[1]! >= from);
      expect(await found(new Map(given))).toEqual({});
    }
  });

  test('nothing below happened, although a test began before a midnight, and ended after it', async () => {
    const { world, users } = announced();
    const [early, late] = users;
    world.now = midnightOf(third) - 1000;
    const drawsAt = midnightOf(third) + 12_000;
    const times = { draws_at: new Date(drawsAt).toISOString(), round: drawsAt / 3000 + 1 };
    const terms = announce(world, { is_test: true, closes: second, ...times });
    const lines = users.map((user): Line => [user.id, user.balances.truck!]);
    useUp(world, terms, early!);
    world.wait(2000);
    for (const user of [late!, users[2]!]) useUp(world, terms, user);
    act(world, 'drawing_closed', { drawing: terms, list: listOf(lines) });
    win(world, terms, orderOf(terms, lines)[0]!);
    const files = [...filesOf(booksOf(world))];
    for (const from of ['', third])
      expect(await found(new Map(files.filter(([file]) => file.split('.')[1]! >= from)))).toEqual({});
  });

  test.each([
    [1, { entrant_differs: 1 }],
    [2, {}],
  ])('a drawing that is called off gives entries back to only %i of 2 users', async (returned, expected) => {
    const { world, users, terms } = announced();
    world.now = midnightOf(third) + 5 * minute;
    for (const user of users.slice(0, 2)) useUp(world, terms, user);
    act(world, 'drawing_called_off', { drawing: terms }, { why: 'A misprint' });
    world.wait(8 * minute);
    act(world, 'drawing_returned', { drawing: terms });
    // By the clock of another worker.
    world.wait(minute / 2);
    for (const [index, user] of users.slice(0, returned).entries())
      post(world, user, 'truck', [3, 5][index]!, { description: '', drawing_id: terms.drawing_id });
    expect(await found(filesOf(booksOf(world)))).toEqual(expected);
  });

  test('an entrant was left out, or added, or weighed otherwise', async () => {
    const leftOut = announced();
    close(leftOut.world, leftOut.terms, leftOut.users.slice(1));
    expectFound(await found(filesOf(booksOf(leftOut.world))), 'entrant_differs');

    const added = announced();
    const accomplice = newUser(added.world);
    added.world.now = midnightOf(third) + minute;
    credit(added.world, accomplice, 90, 'truck');
    close(added.world, added.terms, [...added.users, accomplice]);
    expectFound(await found(filesOf(booksOf(added.world))), 'entrant_differs');

    const weighted = announced();
    weighted.world.now = midnightOf(third) + minute;
    credit(weighted.world, weighted.users[0]!, 90, 'truck');
    close(weighted.world, weighted.terms, weighted.users);
    expectFound(await found(filesOf(booksOf(weighted.world))), 'entrant_differs');
  });

  test('the list was swapped, or changed after it was published', async () => {
    const swapped = announced();
    const [a, b] = swapped.users;
    close(swapped.world, swapped.terms, swapped.users, [
      [a!.id, 5],
      [b!.id, 3],
      [swapped.users[2]!.id, 9],
    ]);
    expectFound(await found(filesOf(booksOf(swapped.world))), 'list_differs');
    const replaced = drawn();
    const options = { kept: kept(replaced, 'ab'.repeat(32)) };
    expectFound(await found(filesOf(booksOf(replaced.world)), options), 'list_differs');
    const later = announced();
    close(later.world, later.terms, later.users.slice(0, 2));
    later.world.wait(10 * minute);
    useUp(later.world, later.terms, later.users[2]!);
    expect(await found(filesOf(booksOf(later.world)))).toEqual({ list_differs: 2 });
  });

  test('the list was made after its round, by the records or by its timestamp', async () => {
    const late = announced();
    late.world.now = Date.parse(late.terms.draws_at) + minute;
    close(late.world, late.terms, late.users);
    expectFound(await found(filesOf(booksOf(late.world))), 'list_late');
    const of = drawn();
    const list = listIn(of);
    const withFile = (at: number, changed: object = {}) => {
      const token = tokenForDigest(Buffer.from(list.root, 'hex'), at);
      const timestamp = inBase64({ token, root: localAuthority.root.certificate.raw });
      return withDrawing(of, { timestamp, ...changed });
    };
    const drawsAt = Date.parse(of.terms.draws_at);
    expect(await found(withFile(drawsAt - minute))).toEqual({});
    expectFound(await found(withFile(drawsAt + minute)), 'list_late');
    expectFound(
      await found(withFile(drawsAt - minute, { list: { ...list, root: 'ab'.repeat(32), closed_at: '' } })),
      'list_differs',
      'timestamp_invalid',
    );
  });

  test('its file has another winner, round, number or forfeit than the books', async () => {
    let order: string[] = [];
    const of = drawn((given) => {
      const { world, terms } = given;
      order = given.order;
      forfeit(world, terms, order[0]!, 1, 'not claimed');
      win(world, terms, order[1]!, 2);
    });
    const at = new Date(of.world.now).toISOString();
    const won = (number: number) => ({ place: 1, user_id: order[number - 1], won_at: at });
    const lost = { ...won(1), forfeited: 'not claimed', forfeited_at: at };
    const signature = signRound(of.terms.round);
    const fileFinds = async (changed: object, until = 'z') => {
      const files = [...withDrawing(of, { signature, ...changed })];
      return found(
        new Map(files.filter(([file]) => file.includes('drawing') || file.split('.')[1]! < until)),
      );
    };
    for (const drawn of [[], [won(1)], [lost], [lost, won(2)]])
      for (const until of ['z', at.slice(0, 10)]) expect(await fileFinds({ drawn }, until)).toEqual({});
    const others: object[][] = [
      [won(2)],
      [{ ...won(1), place: 2 }],
      [{ ...lost, forfeited: 'under 18' }, won(2)],
      [lost, { ...won(2), forfeited: 'not claimed', forfeited_at: at }],
      [lost, won(3)],
      [lost, won(2), won(3)],
      [won(1), won(2)],
    ];
    for (const drawn of others) expectFound(await fileFinds({ drawn }), 'winner_differs');
    for (const drawn of [[won(2)], [lost, won(3)]])
      expectFound(await fileFinds({ drawn }, at.slice(0, 10)), 'winner_differs');
    for (const forged of [signRound(5), undefined])
      expectFound(await fileFinds({ drawn: [lost], signature: forged }), 'announcement_differs');
    for (const forged of [{ entrants: 4 }, { total_entries: '18' }])
      expectFound(await fileFinds({ list: { ...listIn(of), ...forged } }), 'list_differs');
  });

  test('the round or the terms were chosen', async () => {
    const of = announced();
    const lines = close(of.world, of.terms, of.users);
    const round = of.terms.round + 1;
    win(of.world, of.terms, orderOf(of.terms, lines, round)[0]!, 1, round);
    expect(await found(filesOf(booksOf(of.world)))).toHaveProperty('announcement_differs');
    const other = announced();
    const changed = { ...other.terms, winners: 2 };
    close(other.world, changed, other.users);
    expectFound(await found(filesOf(booksOf(other.world))), 'announcement_differs');
    for (const terms of [{ round: 5 }, { closes: first }, { draws_at: `${third}T12:00:00.000Z` }]) {
      const { world } = announced(terms);
      expect(await found(filesOf(booksOf(world)))).toHaveProperty('announcement_differs');
    }
  });

  test('somebody else won, or got the prize, or an alternate was preferred', async () => {
    const of = announced();
    const [winner, alternate] = orderOf(of.terms, close(of.world, of.terms, of.users));
    win(of.world, of.terms, alternate!);
    expectFound(await found(filesOf(booksOf(of.world))), 'winner_differs');
    const preferred = drawn(({ world, terms, order }) => {
      forfeit(world, terms, order[0]!, 1, 'not claimed');
      win(world, terms, order[2]!, 2);
    });
    expectFound(await found(filesOf(booksOf(preferred.world))), 'winner_differs');
    const given = drawn(({ world, users, terms, order }) =>
      deliver(world, users.find(({ id }) => id !== order[0])!, wonIn(terms, 1)),
    );
    expectFound(await found(filesOf(booksOf(given.world))), 'winner_differs');
    const skipped = announced();
    const order = orderOf(skipped.terms, close(skipped.world, skipped.terms, skipped.users));
    skipped.world.now = Date.parse(skipped.terms.draws_at) + 1000;
    forfeit(skipped.world, skipped.terms, order[0]!, 1, 'erased');
    win(skipped.world, skipped.terms, order[1]!, 2);
    expectFound(await found(filesOf(booksOf(skipped.world))), 'winner_differs');
    expect(winner).not.toBe(alternate);
  });
});

test('every code of a finding has an attack above', () =>
  expect(Object.keys(findingMeanings).filter((code) => !seen.has(code))).toEqual([]));

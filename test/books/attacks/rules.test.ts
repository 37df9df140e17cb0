/** Attacks: otherwise faultless books contain records that contradict the service's rules. */
import { describe, expect, test } from 'vitest';
import { type Books, booksOf, filesOf, rehash } from '../support/books.ts';
import { midnightOf } from '../support/plain.ts';
import { makeUrl, order, play, playUrl, runSpins } from '../support/plays.ts';
import { codesIn } from '../support/verified.ts';
import { act, adjust, change, credit, newUser, newWorld, type User, type World } from '../support/world.ts';

const minute = 60_000;

/** Returns a world in which a user has tickets and a queued order that is due on March 7. */
function worldOfOne() {
  const world = newWorld();
  const user = newUser(world);
  credit(world, user, 50);
  const made = order(world, user, 4);
  world.wait(10 * minute);
  return { world, user, made };
}
async function foundIn(world: World, forge: (books: Books) => void = () => {}) {
  const books = booksOf(world);
  forge(books);
  return (await codesIn(filesOf(books))).found;
}
const freeze = (world: World, { id }: User) => act(world, 'user_frozen', { user_id: id });

/** Requests of hosts and players, each of which writes a record of a user. */
const requests: [string, (world: World, user: User) => unknown][] = [
  ['a play', (world, user) => play(world, user)],
  ['a credit', (world, user) => credit(world, user, 3)],
  ['a debit of entries', (world, user) => credit(world, user, -1, 'truck')],
  ['an order of free spins', (world, user) => order(world, user, 2)],
];

describe.each(requests)('%s', (_, request) => {
  /** Returns the findings if a request comes `ms` after `hold` froze the user or suspended the organization. */
  async function foundAfter(hold: (world: World, user: User) => unknown, ms: number) {
    const { world, user } = worldOfOne();
    credit(world, user, 2, 'truck');
    hold(world, user);
    world.wait(ms);
    request(world, user);
    return foundIn(world);
  }

  test('of a frozen user is a finding, except within the clock tolerance', async () => {
    expect(await foundAfter(freeze, 2 * minute)).toMatchObject({ record_on_hold: 1 });
    expect(await foundAfter(freeze, minute / 2)).toEqual({});
  });

  test('of an erased user is a finding', async () => {
    const erase = (world: World, { id }: User) => act(world, 'user_erased', { user_id: id });
    expect(await foundAfter(erase, 2 * minute)).toMatchObject({ record_on_hold: 1 });
  });

  test('during the suspension of the organization is a finding, and not after it', async () => {
    const suspend = (world: World) => change(world, { suspended: true });
    expect(await foundAfter(suspend, 3 * minute)).toMatchObject({ record_on_hold: 1 });
    const resume = (world: World) => {
      suspend(world);
      world.wait(60 * minute);
      change(world, { suspended: false });
    };
    expect(await foundAfter(resume, 1)).toEqual({});
  });

  test('is no finding while another user is frozen', async () => {
    expect(await foundAfter((world) => freeze(world, newUser(world)), 2 * minute)).toEqual({});
  });
});

test('a play of a paused game is a finding, and of another game is not', async () => {
  const { world, user } = worldOfOne();
  change(world, { paused: 'truck' });
  world.wait(2 * minute);
  play(world, user, 'prizewheel');
  expect(await foundIn(world)).toEqual({});
  play(world, user, 'truck');
  expect(await foundIn(world)).toEqual({ record_on_hold: 1 });
});

describe('free spins', () => {
  test.each([
    ['of one friend while AMOE is paused', (world: World) => change(world, { paused: 'amoe' })],
    ['while the wheel is paused', (world: World) => change(world, { paused: 'prizewheel' })],
    ['while the organization is suspended', (world: World) => change(world, { suspended: true })],
    ['of a frozen user', freeze],
  ])('%s are findings', async (_, hold) => {
    const { world, user, made } = worldOfOne();
    hold(world, user);
    world.now = midnightOf('2026-03-07') + minute;
    runSpins(world, made);
    expect(await foundIn(world)).toEqual({ record_on_hold: 4 });
  });

  test('ordered while AMOE is paused are a finding', async () => {
    const { world, user } = worldOfOne();
    change(world, { paused: 'amoe' });
    world.wait(2 * minute);
    order(world, user, 1);
    expect(await foundIn(world)).toEqual({ record_on_hold: 1 });
  });
});

test('an operator may adjust the balance of a frozen user', async () => {
  const { world, user } = worldOfOne();
  freeze(world, user);
  world.wait(2 * minute);
  adjust(world, user, 5);
  expect(await foundIn(world)).toEqual({});
});

test('the effective date of a play, or of a host’s credit, moved to another year is a finding', async () => {
  for (const kind of ['outcomes', 'tickets']) {
    const { world, user } = worldOfOne();
    play(world, user);
    const found = await foundIn(world, (books) => {
      const [rec] = books.days[0]!.records.filter((rec) => rec.kind === kind);
      for (const one of books.days[0]!.records)
        if (one === rec || one.outcome_id === rec!.id) one.result_effective_date = '2019-01-01T05:00:00.000Z';
      rehash(books);
    });
    expect(found).toMatchObject({ effective_date_differs: expect.any(Number) });
  }
});

describe('one play URL drawn for two users', () => {
  test('is a finding, also across midnight', async () => {
    for (const laterMs of [1, 10 * minute]) {
      const { world, user } = worldOfOne();
      world.now = midnightOf('2026-03-07') - 5 * minute;
      const friend = newUser(world);
      credit(world, friend, 10);
      const url = makeUrl(world, user, 'truck');
      playUrl(world, url);
      world.wait(laterMs);
      playUrl(world, { ...url, user: friend });
      expect(await foundIn(world)).toMatchObject({ play_twice: 1 });
    }
  });

  test('is found by several worker threads', async () => {
    const { world, user } = worldOfOne();
    const url = makeUrl(world, user, 'truck');
    for (let i = 0; i < 20; i++) {
      const other = newUser(world);
      credit(world, other, 10);
      playUrl(world, i % 2 ? { ...url, user: other } : makeUrl(world, other, 'truck'));
    }
    const { found } = await codesIn(filesOf(booksOf(world)), { threads: 2 });
    expect(found).toEqual({ play_twice: 9 });
  });
});

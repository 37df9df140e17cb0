import { expect, test } from 'vitest';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { booksOf, filesOf, rehash } from './support/books.ts';
import { midnightOf } from './support/plain.ts';
import { makeUrl, order, play, playUrl, runSpins } from './support/plays.ts';
import { codesIn } from './support/verified.ts';
import { change, credit, newUser, newWorld, open, type Rec, type World } from './support/world.ts';

const minutes = 60_000;
const openedOn = '2026-03-07';

/** An organization with a day of its own before its first record, and half a night. */
function worldOfBefore(): World {
  const world = newWorld({ existing: true });
  // A table of before, by the first digits of its digest.
  const { prizes } = defaultPrizeTables.truck;
  const short = String(world.settings.prize_table_truck).slice(0, 'truck-'.length + 12);
  world.tables.set(short, prizes);
  Object.assign(world.settings, { prize_table_truck: short, cost_truck: 9, daily_spin_limit: 3 });
  const users = [1, 2, 3].map(() => {
    world.wait(7);
    return newUser(world);
  });
  const [anna, ben] = users as [(typeof users)[0], (typeof users)[0]];
  for (const user of users) credit(world, user, 300);
  const queued = users.map((user) => order(world, user, 5));
  world.now = midnightOf(openedOn);
  const old: Rec[] = [];
  for (const made of queued) old.push(...runSpins(world, made));
  for (let i = 0; i < 3; i++) old.push(play(world, ben, 'truck'));
  // Draws of before do not say which cash they were made on.
  for (const rec of old) {
    for (const name of ['day', 'sequence', 'granted_usd', 'limit_usd']) delete rec[`cash_${name}`];
  }
  const page = makeUrl(world, anna, 'truck');
  world.cash.set(openedOn, { sequence: 0, sum: 117 });
  world.wait(60 * minutes);
  open(world, { existing: true });
  world.wait(minutes);
  playUrl(world, page);
  for (let i = 0; i < 3; i++) play(world, users[2]!, i === 1 ? 'truck' : 'prizewheel');
  const dan = newUser(world);
  credit(world, dan, 5);
  order(world, dan, 30, 'at_once');
  change(world, { cost_truck: 5 });
  world.now = midnightOf('2026-03-08') + 9 * 60 * minutes;
  play(world, ben, 'truck');
  world.days.delete('2026-03-06');
  return world;
}

test('of an organization that was there before, what is known is checked and the rest is noticed', async () => {
  const { verdict, found, noticed } = await codesIn(filesOf(rehash(booksOf(worldOfBefore()))));
  expect([verdict, found]).toEqual(['good', {}]);
  expect(noticed).toMatchObject({ organization_of_before: 1, draw_of_before: 18, short_named_tables: 2 });
});

test('what is recorded after its first record is checked as any other', async () => {
  const books = booksOf(worldOfBefore());
  const recent = books.days[0]!.records.filter(({ cash_sequence }) => cash_sequence !== undefined);
  recent.at(-1)!.cash_granted_usd = 900;
  recent.at(-1)!.cash_left_usd = 0;
  const last = books.days[1]!.records.find(({ kind }) => kind === 'outcomes')!;
  last.cost = 1;
  const { found } = await codesIn(filesOf(rehash(books)));
  expect(found).toMatchObject({ cash_view_differs: 1, cost_not_in_force: 1, limits_do_not_follow: 1 });
});

import { describe, expect, test } from 'vitest';
import { booksOf, budgetsOf, filesOf, keptLine } from './support/books.ts';
import { honestDays } from './support/honest.ts';
import { play } from './support/plays.ts';
import { codesIn, verified } from './support/verified.ts';
import { change, credit, newUser, newWorld, reopen } from './support/world.ts';

const world = honestDays();
const books = booksOf(world);
const files = filesOf(books);
const [first, , last] = ['2026-03-06', '2026-03-07', '2026-03-08'];
const bookOf = (day: string) => `${world.organizationId}.${day}.book`;

describe('honest days', () => {
  test('are good without findings', async () => {
    expect(await codesIn(files)).toEqual({
      verdict: 'good',
      found: {},
      noticed: { key_unconfirmed: 1, no_kept_line: 1, timestamp_missing: 3 },
    });
  });

  test('contain the cases that the tests need', async () => {
    const { organizations } = await verified(files);
    const [{ budgets, days, draws }] = organizations as [(typeof organizations)[0]];
    const records = books.days.flatMap(({ records }) => records);
    // The world's days contain draws for which too little cash was left for some prizes, and draws with no cash left.
    const { granted } = budgets.find(({ budget }) => budget === 'cash of 2026-03-07')!;
    const ofCash = records.flatMap((rec) => (rec.budgets ? [budgetsOf(rec).cash] : []));
    expect(ofCash).toContainEqual({ grants: expect.any(Number), granted: granted.usd, limit: granted.usd });
    expect(draws.filter(({ whole }) => !whole).length).toBeGreaterThan(1);
    expect(days.map(({ isChecked }) => isChecked)).toEqual([true, true, true]);
    const ofSecond = books.days[1]!.records;
    expect(ofSecond.some(({ secret_day }) => secret_day === first)).toBe(true);
    expect(new Set(records.map(({ prize_table_version }) => prize_table_version)).size).toBe(5);
  });

  test('have fewer notices if a key and a kept line are given', async () => {
    const options = { key: books.key.line, kept: [keptLine(files, bookOf(last!))] };
    const { verdict, noticed } = await codesIn(files, options);
    expect(verdict).toBe('good');
    expect(Object.keys(noticed)).not.toContain('key_unconfirmed');
    expect(Object.keys(noticed)).not.toContain('no_kept_line');
  });

  test('have counted draws that match their records', async () => {
    const { organizations } = await verified(files);
    const draws = organizations[0]!.draws.map(({ draws }) => draws);
    const sum = (of: 'regular' | 'amoe') => draws.reduce((sum, counts) => sum + counts[of], 0);
    const outcomes = books.days.flatMap(({ records }) => records.filter(({ kind }) => kind === 'outcomes'));
    const count = (type: string) =>
      outcomes.filter(({ play_type, debug }) => play_type === type && !debug).length;
    expect([sum('regular'), sum('amoe')]).toEqual([count('regular'), count('amoe')]);
  });
});

describe('some of the honest days', () => {
  const some = (...days: string[]) =>
    new Map([...files].filter(([name]) => days.some((day) => name.includes(day))));

  test('are good if only the first is given', async () => {
    expect(await codesIn(some(first!))).toMatchObject({ verdict: 'good', found: {} });
  });

  test('are good if only a later one is given, with notices about earlier books', async () => {
    const { verdict, found, noticed } = await codesIn(some('2026-03-07'));
    expect([verdict, found]).toEqual(['good', {}]);
    expect(noticed).toMatchObject({ earlier_books: 1 });
  });

  test('are checked together with another organization’s', async () => {
    const other = filesOf(booksOf(honestDays({ name: 'other' })));
    const { verdict, found, noticed } = await codesIn(new Map([...files, ...other]));
    expect([verdict, found]).toEqual(['good', {}]);
    expect(noticed).toMatchObject({ key_unconfirmed: 2 });
  });
});

test('books of an organization that got a game later are good', async () => {
  const { cost_flight, prize_table_flight, ...before } = newWorld({ name: 'settings' }).settings;
  const world = newWorld({ name: 'new game' });
  reopen(world, before);
  const user = newUser(world);
  credit(world, user, 300);
  play(world, user, 'truck');
  world.wait(60_000);
  change(world, { cost_flight: cost_flight!, prize_table_flight: prize_table_flight!, paused: 'flight' });
  world.wait(10 * 60_000);
  change(world, { paused: '' });
  world.wait(10 * 60_000);
  play(world, user, 'flight');
  const { verdict, found } = await codesIn(filesOf(booksOf(world)));
  expect({ verdict, found }).toEqual({ verdict: 'good', found: {} });
});

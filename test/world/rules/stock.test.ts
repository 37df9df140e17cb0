import { expect, test } from 'vitest';
import { prizeOf } from '../../support/prize.ts';
import type { Commit, StoredItem } from '../journal.ts';
import { commitOf, organizationId, rulesBrokenBy, start, ulidOf, userId, userPk } from './examples.ts';

const granted = 'prizes of a stock are granted in turn, and no more than there are';
const seen = 'what a draw says is out of stock was out of it';

const version = 'prizewheel-own';
const day = '2026-03-06';
const car = { ...prizeOf('prize_imt', 1, 1), id: 'car', stock: 2 };
const call = { ...prizeOf('prize_imt', 1, 1), id: 'call', stock_per_day: 1 };
const prizes = [car, call, prizeOf('tickets', 1, 1)];
const pk = `STOCK#${organizationId}#prizewheel#0`;
const hourAgo = start - 3_600_000;

const table: Commit = commitOf(
  'operator',
  [[undefined, { pk: `ORG#${organizationId}`, sk: `GAME#prizewheel#${version}`, version, prizes }]],
  hourAgo,
);
const stock = (grants: number, won: object, won_on_day: object = won, on = day): StoredItem => ({
  pk,
  sk: 'STOCK',
  organization_id: organizationId,
  grants,
  day: on,
  won,
  won_on_day,
});
const outcome = (prize_id: string, of: object = {}): StoredItem => ({
  pk: userPk,
  sk: `OUTCOMES#${ulidOf(start)}`,
  kind: 'outcomes',
  id: `out_${ulidOf(start)}`,
  organization_id: organizationId,
  user_id: userId,
  game: 'prizewheel',
  sequence: 1,
  prize: { prize_imt: 1 },
  prize_id,
  prize_table_version: version,
  stock_day: day,
  stock_sequence: 0,
  stock_out: [],
  ...of,
});
const step = (won: StoredItem, before?: StoredItem, after?: StoredItem) =>
  commitOf('play/spin', [[undefined, won], ...(after ? [[before, after] as [StoredItem, StoredItem]] : [])]);
const numbers = (stock_number: number, stock_number_of_day: number) => ({
  stock_number,
  stock_number_of_day,
});
/** Which of the rules of stocks are broken by a step. */
const brokenBy = (one: Commit) =>
  rulesBrokenBy(table, one).filter((rule) => rule === granted || rule === seen);

test('a win in its turn, and a draw that wins none, break no rule', () => {
  const first = stock(1, { car: 1 });
  expect(brokenBy(step(outcome('car', numbers(1, 1)), undefined, first))).toEqual([]);
  const second = outcome('car', { stock_sequence: 1, ...numbers(2, 2) });
  expect(brokenBy(step(second, first, stock(2, { car: 2 })))).not.toContain(granted);
  const yesterday = stock(1, { car: 1, call: 1 }, { call: 1 }, '2026-03-05');
  const later = outcome('car', { stock_sequence: 1, ...numbers(2, 1) });
  const after = stock(2, { car: 2, call: 1 }, { car: 1 });
  expect(brokenBy(step(later, yesterday, after))).not.toContain(granted);
  const none = outcome('tickets-1', { stock_sequence: 2, stock_out: ['car'] });
  expect(brokenBy(step(none))).toEqual([seen]);
});

test('it is found that a prize is granted that was not won, or won that was not granted', () => {
  expect(brokenBy(commitOf('play/spin', [[undefined, stock(1, { car: 1 })]]))).toEqual([granted]);
  expect(brokenBy(step(outcome('car', numbers(1, 1))))).toEqual([granted]);
  const other = stock(1, { call: 1 });
  expect(brokenBy(step(outcome('car', numbers(1, 1)), undefined, other))).toEqual([granted]);
});

test('it is found that a win has another number, none, or one that is beyond the stock', () => {
  const first = stock(1, { car: 1 });
  for (const of of [numbers(2, 1), numbers(1, 2), {}])
    expect(brokenBy(step(outcome('car', of), undefined, first))).toEqual([granted]);
  const out = stock(2, { car: 2 }, {}, '2026-03-05');
  const beyond = outcome('car', { stock_sequence: 2, stock_out: ['car'], ...numbers(3, 1) });
  expect(brokenBy(step(beyond, out, stock(3, { car: 3 }, { car: 1 })))).toContain(granted);
  expect(brokenBy(step(outcome('tickets-1', numbers(1, 1))))).toEqual([granted]);
});

test('it is found that a draw left a prize out, or had one in, wrongly, or says nothing of it', () => {
  const known = stock(1, { call: 1 });
  const says = (of: object) =>
    rulesBrokenBy(
      table,
      commitOf('play/spin', [[undefined, known]], start - 5000),
      step(outcome('tickets-1', of)),
    );
  expect(says({ stock_sequence: 1, stock_out: ['call'] })).not.toContain(seen);
  // As it was before, a moment ago.
  expect(says({ stock_sequence: 0, stock_out: [] })).not.toContain(seen);
  for (const of of [
    { stock_sequence: 1 },
    { stock_sequence: 1, stock_out: ['car', 'call'] },
    { stock_day: 'x' },
  ])
    expect(says(of)).toContain(seen);
});

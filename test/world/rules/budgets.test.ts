import { describe, expect, test } from 'vitest';
import { prizeOf } from '../../support/prize.ts';
import type { Commit, StoredItem } from '../journal.ts';
import { cashGranted, play, run } from './example-plays.ts';
import {
  changed,
  commitOf,
  organizationId,
  rulesBrokenBy,
  start,
  ulidOf,
  userId,
  userPk,
  without,
} from './examples.ts';

const granted = 'budgets grant exactly what was won, within their limits';
const seen = 'a draw records the true state of budgets';
const wins = 'wins are counted by day, within the limit';

const organization = (of: object): StoredItem => ({
  pk: `ORG#${organizationId}`,
  sk: 'ORG',
  organization_id: organizationId,
  ...of,
});
const set = (of: object, at = start - 3_600_000) => commitOf('operator', [[undefined, organization(of)]], at);
const budgets = { cash: { grants: 0, granted: 0, limit: 500 } };

test('a play that wins cash breaks no rule', () => {
  expect(rulesBrokenBy(play('cash_usd'))).toEqual([]);
});

describe('an invalid grant of cash is detected:', () => {
  const grant = (usd: number, at = start) => commitOf('play/spin', [[undefined, cashGranted(1, usd)]], at);
  /**
   * Returns a play that wins cash after an earlier grant of `usd` USD. `of` extends the outcome's `budgets`.
   */
  const playAfter = (usd: number, of: object = {}) => {
    const commit = play('cash_usd');
    const outcome = commit.changes.find(({ after }) => after?.kind === 'outcomes')!.after!;
    outcome.budgets = { cash: { grants: 1, granted: usd, limit: 500 }, ...of };
    const index = commit.changes.findIndex(({ after }) => after?.sk === 'BUDGET');
    const change = { before: cashGranted(1, usd), after: cashGranted(2, usd + outcome.prize.cash_usd) };
    return { ...commit, changes: commit.changes.with(index, change) };
  };

  test('more or less than was won', () => {
    expect(rulesBrokenBy(changed(play('cash_usd'), 'BUDGET', { granted: { usd: 3 } }))).toContain(granted);
    expect(rulesBrokenBy(changed(play('cash_usd'), 'BUDGET', { grants: 2 }))).toContain(granted);
    expect(rulesBrokenBy(without(play('cash_usd'), 'BUDGET'))).toContain(granted);
    expect(rulesBrokenBy(grant(1))).toContain(granted);
  });

  test('on another day', () => {
    for (const day of ['2026-03-05', '2026-03-07']) {
      const pk = `BUDGET#${organizationId}#cash#${day}#0`;
      expect(rulesBrokenBy(changed(play('cash_usd'), 'BUDGET', { pk }))).toContain(granted);
    }
    expect(rulesBrokenBy(playAfter(0, { day: '2026-03-05' }))).toContain(granted);
  });

  test('beyond the limit', () => {
    expect(rulesBrokenBy(playAfter(490))).not.toContain(granted);
    expect(rulesBrokenBy(playAfter(500))).toContain(granted);
    expect(rulesBrokenBy(set({ daily_cash_limit_usd: 0 }), play('cash_usd'))).toContain(granted);
    const lowered = [set({ daily_cash_limit_usd: 900 }), set({ daily_cash_limit_usd: 100 }, start - 1)];
    expect(rulesBrokenBy(...lowered, playAfter(200))).toContain(granted);
  });

  test('beyond the paced amount', () => {
    // With pacing, 1/24 of the 480 USD becomes available each hour: 220 USD in the 11th hour.
    const paced = set({ daily_cash_limit_usd: 480, daily_cash_paced: true });
    expect(rulesBrokenBy(paced, playAfter(220))).toContain(granted);
    expect(rulesBrokenBy(paced, playAfter(210))).not.toContain(granted);
    expect(rulesBrokenBy(paced, play('tickets'))).toContain(seen);
  });

  test('a draw with more cash than ever remained during its request', () => {
    expect(rulesBrokenBy(grant(100, start - 120_000), play('tickets'))).toContain(seen);
    expect(rulesBrokenBy(grant(100, start - 10_000), play('tickets'))).not.toContain(seen);
    expect(rulesBrokenBy(set({ daily_cash_limit_usd: 400 }), play('tickets'))).toContain(seen);
    expect(rulesBrokenBy(set({ daily_cash_limit_usd: 400 }, start - 1), play('tickets'))).not.toContain(seen);
  });

  test('spins of one write that ignore each other’s wins', () => {
    const other = { cash: { ...budgets.cash, granted: 1 } };
    expect(rulesBrokenBy(changed(run(2), 'OUTCOMES#', { budgets: other }))).toContain(seen);
  });
});

describe('the stock of a prize', () => {
  const version = 'prizewheel-own';
  const day = '2026-03-06';
  const car = { ...prizeOf('prize_imt', 1, 1), id: 'car', stock: 2 };
  const call = { ...prizeOf('prize_imt', 1, 1), id: 'call', stock_per_day: 1 };
  const prizes = [car, call, prizeOf('tickets', 1, 1)];
  const table: Commit = commitOf(
    'operator',
    [[undefined, { pk: `ORG#${organizationId}`, sk: `GAME#prizewheel#${version}`, version, prizes }]],
    start - 3_600_000,
  );
  const stock = (
    grants: number,
    granted: object,
    granted_on_day: object = granted,
    on = day,
  ): StoredItem => ({
    pk: `BUDGET#${organizationId}#stock#prizewheel#0`,
    sk: 'BUDGET',
    grants,
    day: on,
    granted,
    granted_on_day,
  });
  const outcome = (prize_id: string, recordedBudget: object = {}): StoredItem => ({
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
    budgets: { ...budgets, stock: { grants: 0, ...recordedBudget } },
  });
  const step = (won: StoredItem, before?: StoredItem, after?: StoredItem) =>
    commitOf('play/spin', [
      [undefined, won],
      ...(after ? [[before, after] as [StoredItem, StoredItem]] : []),
    ]);
  const numbers = (number: number, number_of_day: number) => ({ number, number_of_day });
  const brokenBy = (one: Commit) =>
    rulesBrokenBy(table, one).filter((rule) => rule === granted || rule === seen);

  test('a numbered win, and a draw without a win, break no rule', () => {
    const first = stock(1, { car: 1 });
    expect(brokenBy(step(outcome('car', numbers(1, 1)), undefined, first))).toEqual([]);
    const second = outcome('car', { grants: 1, ...numbers(2, 2) });
    expect(brokenBy(step(second, first, stock(2, { car: 2 })))).not.toContain(granted);
    const yesterday = stock(1, { car: 1, call: 1 }, { call: 1 }, '2026-03-05');
    const later = outcome('car', { grants: 1, ...numbers(2, 1) });
    const after = stock(2, { car: 2, call: 1 }, { car: 1 });
    expect(brokenBy(step(later, yesterday, after))).not.toContain(granted);
    expect(brokenBy(step(outcome('tickets-1', { grants: 2, out: ['car'] })))).toEqual([seen]);
  });

  test('detects a grant without a win and a win without a grant', () => {
    expect(brokenBy(commitOf('play/spin', [[undefined, stock(1, { car: 1 })]]))).toEqual([granted]);
    expect(brokenBy(step(outcome('car', numbers(1, 1))))).toEqual([granted]);
    const other = stock(1, { call: 1 });
    expect(brokenBy(step(outcome('car', numbers(1, 1)), undefined, other))).toEqual([granted]);
  });

  test('detects a wrong or missing number, and one beyond the stock', () => {
    const first = stock(1, { car: 1 });
    for (const of of [numbers(2, 1), numbers(1, 2), {}])
      expect(brokenBy(step(outcome('car', of), undefined, first))).toEqual([granted]);
    const out = stock(2, { car: 2 }, {}, '2026-03-05');
    const beyond = outcome('car', { grants: 2, out: ['car'], ...numbers(3, 1) });
    expect(brokenBy(step(beyond, out, stock(3, { car: 3 }, { car: 1 })))).toContain(granted);
    expect(brokenBy(step(outcome('tickets-1', numbers(1, 1))))).toContain(granted);
  });

  test('detects a wrong or missing list of prizes out of stock', () => {
    const says = (of: object) =>
      rulesBrokenBy(
        table,
        commitOf('play/spin', [[undefined, stock(1, { call: 1 })]], start - 5000),
        step(outcome('tickets-1', of)),
      );
    expect(says({ grants: 1, out: ['call'] })).not.toContain(seen);
    // Valid too: the play may have read the stock before the grant, which was written only 5 s earlier.
    expect(says({ grants: 0 })).not.toContain(seen);
    for (const of of [{ grants: 1 }, { grants: 1, out: ['car', 'call'] }, { grants: undefined }])
      expect(says(of)).toContain(seen);
  });
});

describe('an invalid count of daily wins is detected:', () => {
  const limited = (daily_win_limit: number) =>
    commitOf(
      'operator',
      [[undefined, { pk: `ORG#${organizationId}`, sk: 'ORG', daily_win_limit }]],
      start - 3_600_000,
    );
  /**
   * `recordedBudget` is the outcome's budget of daily wins; `after` is the user's count of wins after the
   * play.
   */
  const win = (recordedBudget: object | undefined, after?: object) =>
    changed(
      changed(play('cash_usd'), 'OUTCOMES#', { budgets: { ...budgets, wins: recordedBudget } }),
      'USER',
      after ? { wins: after } : {},
    );
  const one = { day: '2026-03-06', count: 1 };

  test('a missing, wrong or invented limit', () => {
    expect(rulesBrokenBy(limited(2), win({ granted: 0, limit: 2 }, one))).not.toContain(wins);
    expect(rulesBrokenBy(limited(2), win(undefined))).toContain(wins);
    expect(rulesBrokenBy(limited(3), win({ granted: 0, limit: 2 }, one))).toContain(wins);
    expect(rulesBrokenBy(win({ granted: 0, limit: 2 }, one))).toContain(wins);
  });

  test('a win that is not counted, on another day, or beyond the limit', () => {
    expect(rulesBrokenBy(limited(2), win({ granted: 0, limit: 2 }))).toContain(wins);
    const other = { day: '2026-03-07', count: 1 };
    expect(rulesBrokenBy(limited(2), win({ granted: 0, limit: 2 }, other))).toContain(wins);
    expect(rulesBrokenBy(limited(2), win({ granted: 2, limit: 2 }, { ...one, count: 3 }))).toContain(wins);
    expect(rulesBrokenBy(limited(2), win({ granted: 1, limit: 2 }, { ...one, count: 2 }))).toContain(wins);
  });
});

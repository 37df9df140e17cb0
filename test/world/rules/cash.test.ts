import { describe, expect, test } from 'vitest';
import type { StoredItem } from '../journal.ts';
import { play } from './example-plays.ts';
import { changed, commitOf, organizationId, rulesBrokenBy, start, without } from './examples.ts';

const won = 'cash that is granted was won';
const limit = 'cash of a day stays within its limit';
const left = 'the cash that a draw says was left was left';

const organization = (of: object): StoredItem => ({
  pk: `ORG#${organizationId}`,
  sk: 'ORG',
  organization_id: organizationId,
  ...of,
});
const set = (of: object, at = start - 3_600_000) => commitOf('operator', [[undefined, organization(of)]], at);
const grant = (day: string, before: number | undefined, granted_usd: number, at = start) => {
  const item = { pk: `CASH#${organizationId}#${day}#0`, sk: 'CASH' };
  return commitOf(
    'play/spin',
    [[before === undefined ? undefined : { ...item, granted_usd: before }, { ...item, granted_usd }]],
    at,
  );
};

test('a play that wins cash breaks no rule', () => {
  expect(rulesBrokenBy(play('cash_usd'))).toEqual([]);
});

describe('of the day’s cash it is found', () => {
  test('that more or less is granted than was won', () => {
    expect(rulesBrokenBy(changed(play('cash_usd'), 'CASH', { granted_usd: 3 }))).toContain(won);
    expect(rulesBrokenBy(without(play('cash_usd'), 'CASH'))).toContain(won);
    expect(rulesBrokenBy(grant('2026-03-06', undefined, 1))).toContain(won);
  });

  test('that it is granted of another day', () => {
    for (const day of ['2026-03-05', '2026-03-07'])
      expect(
        rulesBrokenBy(changed(play('cash_usd'), 'CASH', { pk: `CASH#${organizationId}#${day}#0` })),
      ).toContain(won);
  });

  test('that it goes above the limit in force', () => {
    expect(rulesBrokenBy(grant('2026-03-06', 499, 501))).toContain(limit);
    expect(rulesBrokenBy(grant('2026-03-06', 499, 500))).not.toContain(limit);
    expect(rulesBrokenBy(set({ daily_cash_limit_usd: 0 }), play('cash_usd'))).toContain(limit);
    const lowered = [set({ daily_cash_limit_usd: 900 }), set({ daily_cash_limit_usd: 100 }, start - 1)];
    expect(rulesBrokenBy(...lowered, grant('2026-03-06', 200, 201))).toContain(limit);
  });

  test('that it goes above what the hours begun make available, if it is paced', () => {
    // Ten in the morning: eleven hours of the day have begun.
    const paced = set({ daily_cash_limit_usd: 480, daily_cash_paced: true });
    expect(rulesBrokenBy(paced, grant('2026-03-06', 219, 221))).toContain(limit);
    expect(rulesBrokenBy(paced, grant('2026-03-06', 219, 220))).not.toContain(limit);
    expect(rulesBrokenBy(paced, play('tickets'))).toContain(left);
  });

  test('that a draw saw more of it than was left at any moment since its request arrived', () => {
    const earlier = grant('2026-03-06', undefined, 100, start - 120_000);
    expect(rulesBrokenBy(earlier, play('tickets'))).toContain(left);
    const justNow = grant('2026-03-06', undefined, 100, start - 10_000);
    expect(rulesBrokenBy(justNow, play('tickets'))).not.toContain(left);
    expect(rulesBrokenBy(set({ daily_cash_limit_usd: 400 }), play('tickets'))).toContain(left);
    expect(rulesBrokenBy(set({ daily_cash_limit_usd: 400 }, start - 1), play('tickets'))).not.toContain(left);
  });
});

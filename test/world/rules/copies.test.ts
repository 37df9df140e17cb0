import { describe, expect, test } from 'vitest';
import type { Commit, StoredItem } from '../journal.ts';
import { commitOf, organizationId, rulesBrokenBy, start } from './examples.ts';

const rule = 'copies say what their original says';
const today = '2026-03-06';
const tomorrow = '2026-03-07';

const organization = (of: object = {}): StoredItem => ({
  pk: `ORG#${organizationId}`,
  sk: 'ORG',
  organization_id: organizationId,
  name: 'Host',
  ...of,
});
const settingsCopy = (number: number, of: object = {}): StoredItem => ({
  pk: `ORG#${organizationId}#${number}`,
  sk: 'COPY',
  organization_id: organizationId,
  ...of,
});
const cash = (day: string, number = 0, of: object = {}): StoredItem => ({
  pk: `CASH#${organizationId}#${day}${number === 0 ? '' : `#${number}`}`,
  sk: number === 0 ? 'CASH' : 'COPY',
  grants: 1,
  granted_usd: 5,
  ...of,
});

const written = (...items: StoredItem[]): Commit =>
  commitOf(
    'operator',
    items.map((item) => [undefined, item]),
  );
/** An organization with copies of its settings, and of the cash of days from tomorrow on; `more` stands in all of them. */
const spread = (copies: number, more: object = {}): Commit => {
  const of = { copies: `${copies} 1 ${tomorrow}`, ...more };
  const others = Array.from({ length: copies - 1 }, (_, index) => settingsCopy(index + 1, of));
  return { ...written(organization(of), ...others), at: start - 1000 };
};
const isFound = (...commits: Commit[]) => rulesBrokenBy(...commits).includes(rule);

describe('settings', () => {
  test('have copies that are there at once, without what is of the original alone', () => {
    expect(isFound(spread(3))).toBe(false);
    expect(isFound(written(organization()))).toBe(false);
  });

  test('are found to lack a copy, to have one too many, or one that says something else', () => {
    const of = { copies: `3 1 ${tomorrow}` };
    expect(isFound(written(organization(of), settingsCopy(1, of)))).toBe(true);
    expect(isFound(spread(3), written(settingsCopy(3, of)))).toBe(true);
    expect(isFound(spread(3), written(settingsCopy(2, { ...of, paused: 'truck' })))).toBe(true);
    expect(isFound(spread(3), written(organization({ ...of, paused: 'truck' })))).toBe(true);
  });
});

describe('the cash of a day', () => {
  test('has copies from the day on with which there are more', () => {
    expect(isFound(spread(2), written(cash(today)))).toBe(false);
    expect(isFound(spread(2), written(cash(tomorrow), cash(tomorrow, 1)))).toBe(false);
    expect(isFound(spread(2), written(cash(tomorrow)))).toBe(true);
    expect(isFound(spread(2), written(cash(today), cash(today, 1)))).toBe(true);
  });

  test('is found to be another in a copy', () => {
    expect(isFound(spread(2), written(cash(tomorrow), cash(tomorrow, 1, { grants: 2 })))).toBe(true);
  });

  test('has the copies of each chain beside it', () => {
    const chains = spread(4, { cash_chains: `2 1 ${tomorrow}` });
    // Of four copies and two chains, the third is of the first chain, and the fourth of the second.
    expect(isFound(chains, written(cash(tomorrow), cash(tomorrow, 2)))).toBe(false);
    const second = { grants: 7, sk: 'CASH' };
    expect(isFound(chains, written(cash(tomorrow, 1, second), cash(tomorrow, 3, { grants: 7 })))).toBe(false);
    expect(isFound(chains, written(cash(tomorrow), cash(tomorrow, 1)))).toBe(true);
  });
});

test('a stock has copies at once', () => {
  const stock = (number: number, grants: number): StoredItem => ({
    pk: `STOCK#${organizationId}#truck${number === 0 ? '' : `#${number}`}`,
    sk: number === 0 ? 'STOCK' : 'COPY',
    grants,
  });
  expect(isFound(spread(2), written(stock(0, 1), stock(1, 1)))).toBe(false);
  expect(isFound(spread(2), written(stock(0, 1), stock(1, 2)))).toBe(true);
  expect(isFound(spread(2), written(stock(0, 1)))).toBe(true);
});

import { describe, expect, test } from 'vitest';
import type { Commit, StoredItem } from '../journal.ts';
import { commitOf, organizationId, rulesBrokenBy } from './examples.ts';

const rule = 'all shards have the same settings and stock';
const numbers = Array.from({ length: 16 }, (_, shard) => shard);

const organization = (of: object = {}): StoredItem => ({
  pk: `ORG#${organizationId}`,
  sk: 'ORG',
  organization_id: organizationId,
  name: 'Host',
  cash_chains: 1,
  paused: '',
  ...of,
});
const inShards = (kind: string, sk: string, of: (shard: number) => object) =>
  numbers.map((shard) => ({ pk: `${kind}#${shard}`, sk, organization_id: organizationId, ...of(shard) }));
const settings = (of: (shard: number) => object = () => ({})) =>
  inShards(`ORG#${organizationId}`, 'SETTINGS', (shard) => ({ cash_chains: 1, paused: '', ...of(shard) }));
const stock = (of: (shard: number) => object) =>
  inShards(`BUDGET#${organizationId}#stock#truck`, 'BUDGET', (shard) => ({ grants: 1, ...of(shard) }));

const isFound = (...steps: StoredItem[][]) => {
  const commits = steps.map(
    (items): Commit =>
      commitOf(
        'operator',
        items.map((item) => [undefined, item]),
      ),
  );
  return rulesBrokenBy(...commits).includes(rule);
};

describe('settings', () => {
  test('are in all shards from the start', () => {
    expect(isFound([organization(), ...settings()])).toBe(false);
    expect(isFound([organization()])).toBe(true);
    expect(isFound([organization(), ...settings().slice(1)])).toBe(true);
    expect(isFound([organization(), ...settings((shard) => ({ paused: shard === 7 ? 'x' : '' }))])).toBe(
      true,
    );
  });

  test('change in all shards with the organization', () => {
    const made = [organization(), ...settings()];
    const paused = { paused: 'truck' };
    expect(isFound(made, [organization(paused), ...settings(() => paused)])).toBe(false);
    expect(isFound(made, [organization(paused)])).toBe(true);
    const alone = settings(() => paused);
    expect(isFound(made, alone)).toBe(true);
    expect(isFound(made, settings(() => paused).slice(3))).toBe(true);
  });

  test('need not change with other fields of the organization', () => {
    expect(isFound([organization(), ...settings()], [organization({ operations: 2 })])).toBe(false);
  });
});

test('a grant of a stock is in all shards', () => {
  expect(isFound(stock(() => ({})))).toBe(false);
  expect(isFound(stock(() => ({})).slice(0, -1))).toBe(true);
  expect(isFound(stock((shard) => ({ grants: shard === 15 ? 1 : 2 })))).toBe(true);
});

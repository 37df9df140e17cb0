import { expect, test } from 'vitest';
import { exampleOperation } from './example-operations.ts';
import { commitOf, organizationId, rulesBrokenBy } from './examples.ts';

const rule = 'an organization has at most two live keys and counts them';

const organization = (live_keys: number) => ({
  pk: `ORG#${organizationId}`,
  sk: 'ORG',
  organization_id: organizationId,
  live_keys,
});
const key = (of: object = {}) => ({ pk: 'KEY#1', sk: 'KEY', organization_id: organizationId, ...of });
const revoked = key({ revoked_at: '2026-03-06T15:00:00.000Z' });

test('a new or revoked key is counted once', () => {
  const write = (...changes: Parameters<typeof commitOf>[1]) => rulesBrokenBy(commitOf('operator', changes));
  expect(write([undefined, organization(1)], [undefined, key()])).toEqual([]);
  expect(write([organization(2), organization(1)], [key(), revoked])).toEqual([]);
  expect(write([organization(1), organization(2)])).toContain(rule);
  expect(write([undefined, key()])).toContain(rule);
  expect(write([organization(2), organization(3)], [undefined, key()])).toContain(rule);
  expect(write([organization(2), organization(1)], [revoked, revoked])).toContain(rule);
});

test('a change of settings does not affect the count', () => {
  expect(rulesBrokenBy(exampleOperation({ cost_truck: 3 }, { more: { live_keys: 2 } }))).toEqual([]);
});

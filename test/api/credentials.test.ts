import { beforeAll, describe, expect, test } from 'vitest';
import { errorExplanations } from '../../functions/docs/page/errors.ts';
import { createApiKey, revokeApiKey } from '../../shared/actions/change-keys.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { listApiKeys, readLiveKeyWrites } from '../../shared/organizations/api-keys.ts';
import { getItem, type Item, tableClient } from '../../shared/table/client.ts';
import { apiKeysOf, organizationKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { type Api, apiOf, newOrganization, request } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { expectError } from '../support/expectations.ts';
import { raw } from '../support/raw.ts';
import { testContext } from '../support/test-context.ts';

let api: Api;
let other: Api;
beforeAll(async () => {
  [api, other] = await Promise.all([newOrganization(), newOrganization()]);
});
const unauthorized = [401, 'unauthorized', 'Unauthorized'] as const;
const forbidden = [403, 'forbidden', 'Forbidden'] as const;
const missing = [...forbidden, 'X-Organization-Id is missing'] as const;
const withKey = () => allRoutes.filter(({ credential }) => credential === undefined);
const pathOf = (path: string) => path.replaceAll(/\{\w+\}/g, 'x');
const headers = (authorization: string, organizationId = api.organizationId) => ({
  authorization,
  'x-organization-id': organizationId,
});

describe('every endpoint that requires a key', () => {
  test('refuses a request without a key before any other check', async () => {
    for (const { method, path } of withKey()) {
      const body = method === 'GET' ? {} : { body: 'no JSON' };
      const organization = { 'x-organization-id': api.organizationId };
      expectError(await request(method, pathOf(path), { headers: organization, ...body }), ...unauthorized);
      expectError(await request(method, pathOf(path), body), ...unauthorized);
    }
  });

  test('refuses a key without an organization header before any other check', async () => {
    for (const { method, path } of withKey()) {
      const body = method === 'GET' ? {} : { body: 'no JSON' };
      const authorization = `Bearer ${api.apiKey}`;
      const call = (headers: Record<string, string>) => request(method, pathOf(path), { headers, ...body });
      expectError(await call({ authorization }), ...missing);
      expectError(await call(headers(authorization, '')), ...missing);
      expectError(await call(headers(authorization, other.organizationId)), ...forbidden);
    }
  });
});

describe('a key', () => {
  const balance = async (authorization: string) =>
    request('GET', '/users/nobody/tickets/balance', { headers: headers(authorization) });
  const last = (text: string) => (text.endsWith('A') ? 'B' : 'A');

  test.each<[string, (key: string) => string]>([
    ['without a scheme', (key) => key],
    ['of another scheme', (key) => `Basic ${key}`],
    ['that is empty', () => 'Bearer '],
    ['that is malformed', () => 'Bearer nonsense'],
    ['with something behind it', (key) => `Bearer ${key} x`],
    ['with a wrong secret', (key) => `Bearer ${key.slice(0, -1)}${last(key)}`],
    ['that is cut short', (key) => `Bearer ${key.slice(0, -1)}`],
    ['that is too long', (key) => `Bearer ${key}A`],
    ['of another stage', (key) => `Bearer ${key.replace('inc_local_', 'inc_production_')}`],
    [
      'of an unknown id',
      (key) => `Bearer ${key.replace(/_([0-9A-Z]{26})_/, '_01HZZZZZZZZZZZZZZZZZZZZZZZ_')}`,
    ],
    ['in lower case', (key) => `Bearer ${key.toLowerCase()}`],
    ['that is very long', () => `Bearer ${'k'.repeat(8000)}`],
  ])('%s is unauthorized', async (_, authorization) => {
    expectError(await balance(authorization(api.apiKey)), ...unauthorized);
  });

  test('is accepted with any case of the scheme and the header', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await balance(`${scheme} ${api.apiKey}`)).status).toBe(404);
    }
    const shouted = { AUTHORIZATION: `Bearer ${api.apiKey}`, 'X-ORGANIZATION-ID': api.organizationId };
    const answer = await raw({ method: 'GET', target: '/users/nobody', headers: shouted });
    expectError(answer, 404, 'user_not_found', 'Invalid user ID');
  });

  test('that is unknown or revoked, and an organization that is missing, are explained under their own codes', () => {
    const { unauthorized: key = [], forbidden: organization = [] } = errorExplanations;
    expect(key.join(' ')).toMatch(/Authorization header .* unknown or revoked/);
    expect(key.join(' ')).not.toContain('X-Organization-Id');
    expect(organization.join(' ')).toMatch(/X-Organization-Id is missing/);
    expect(organization.join(' ')).not.toContain('revoked');
  });

  test('with two organization headers is refused', async () => {
    const both = { ...headers(`Bearer ${api.apiKey}`), 'x-organization-id': [api.organizationId, 'org_x'] };
    expectError(await raw({ method: 'GET', target: '/users/nobody', headers: both }), ...forbidden);
  });

  test('can be rotated: two keys can be live at once, and a revoked key is unauthorized', async () => {
    const organization = await newOrganization();
    const { organizationId, apiKey } = organization;
    const second = await createApiKey(organizationId, 'local', testContext());
    await expect(createApiKey(organizationId, 'local', testContext())).rejects.toThrow('revoke one first');
    const statusWith = async (key: string) => (await apiOf(organizationId, key).get('/users/nobody')).status;
    expect([await statusWith(apiKey), await statusWith(second)]).toEqual([404, 404]);
    const [oldest] = await listApiKeys(organizationId);
    await revokeApiKey(organizationId, oldest!.key_id, testContext());
    // Polls for 401, because the local gateway caches the authorizer's result for one second.
    await expect.poll(() => statusWith(apiKey)).toBe(401);
    expect(await statusWith(second)).toBe(404);
    await expect(revokeApiKey(organizationId, oldest!.key_id, testContext())).rejects.toThrow('no live key');
    const third = await createApiKey(organizationId, 'local', testContext());
    expect(await statusWith(third)).toBe(404);
    const listed = await listApiKeys(organizationId);
    expect(listed.map((key) => key.revoked_at !== undefined)).toEqual([true, false, false]);
    expect(JSON.stringify(listed)).not.toContain('secret');
  });
});

test('a change of all live keys covers exactly these keys, and is not made while the index of keys lags', async () => {
  const { organizationId } = await newOrganization();
  const listed = () => readRange(apiKeysOf(organizationId));
  const [stale] = (await listed()) as [Item];
  await createApiKey(organizationId, 'local', testContext());
  await revokeApiKey(organizationId, String(stale.key_id), testContext());
  await createApiKey(organizationId, 'local', testContext());
  const [revoked, ...live] = (await listed()) as [Item, Item, Item];
  const organization = (await getItem(organizationKey(organizationId)))!;
  const change = () => readLiveKeyWrites(organization, (key) => ({ ...key, suspended: true }));
  for (const first of [[], [stale], [revoked]]) {
    for (const others of [[], live.slice(0, 1), live.slice(1), live]) {
      const answer = { Items: [...first, ...others] };
      const { result } = await watchingCalls(tableClient, change, ({ index }) =>
        index ? { answer } : undefined,
      );
      const changed = Object.values(result ?? {}).map((part) => part.Put!.Item!.key_id);
      expect(changed).toEqual(others.length === 2 ? live.map(({ key_id }) => key_id) : []);
    }
  }
});

test('a user of another organization gets the same response as an unknown user', async () => {
  const user = await api.user(10);
  const { external_reference } = (await api.get(`/users/${user}`)).body;
  const change = { amount: 1, idempotency_key: 'k' };
  const answers = [
    await other.get(`/users/${user}`),
    await other.get('/users', { external_reference }),
    await other.put(`/users/${user}`, { external_reference: 'stolen' }),
    await other.get(`/users/${user}/tickets/balance`),
    await other.get(`/users/${user}/tickets/history`),
    await other.post(`/users/${user}/tickets/credit`, change),
    await other.post(`/users/${user}/tickets/debit`, change),
    await other.post(`/users/${user}/entries/credit`, change),
    await other.post(`/users/${user}/entries/debit`, change),
  ];
  for (const answer of answers) expectError(answer, 404, 'user_not_found', 'Invalid user ID');
  expect((await api.get(`/users/${user}/tickets/balance`)).body.balance).toBe(10);
  expect((await api.get(`/users/${user}`)).body.external_reference).toBe(external_reference);
});

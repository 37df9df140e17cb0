import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createApiKey } from '../../shared/operations/change-keys.ts';
import { changeSettings } from '../../shared/operations/change-settings.ts';
import { resetOrganization } from '../../shared/operations/reset-organization.ts';
import { get, type Item } from '../../shared/table/client.ts';
import { operationsOf, organizationKey, organizations } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { newUrl, spinUrl } from '../games/support/plays.ts';
import { type Api, apiOf, newOrganization } from '../support/api.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});
const reset = () => api.post('/debug/reset');
const webhook = { callback_url: 'http://localhost:1/hook', secret_key: 'a secret of the host' };
/** Returns the listed organizations that have replaced this test's organization. */
const replacements = async (): Promise<Item[]> =>
  (await readRange(organizations())).filter(({ alias }) => alias === api.organizationId);

describe('a reset', () => {
  test('removes all data, while the same key and organization id still work', async () => {
    const user = await api.user(5);
    await api.post('/webhooks', webhook);
    expect(await reset()).toMatchObject({ status: 200, body: { status: 'success' } });
    expect((await api.get(`/users/${user}`)).status).toBe(404);
    expect((await api.get('/webhooks')).body.webhooks).toEqual([]);
    expect((await api.get('/tickets/history')).body.total_count).toBe(0);
    const fresh = await api.user(3);
    expect((await api.get(`/users/${fresh}/tickets/balance`)).body.balance).toBe(3);
  });

  test('lets a reference and an idempotency key be used again', async () => {
    const create = async () => {
      const { user_id } = (await api.post('/users', { external_reference: 'anna-17' })).body;
      const credit = { amount: 5, idempotency_key: 'gift-1' };
      return api.post(`/users/${user_id}/tickets/credit`, credit);
    };
    await create();
    await reset();
    const { body, headers } = await create();
    expect(body.new_ticket_balance).toBe(5);
    expect(headers.has('idempotent-replayed')).toBe(false);
  });

  test('keeps settings, prize tables and page settings', async () => {
    const limits = { daily_spin_limit: 2, cost_prizewheel: 3, paused: 'truck' };
    await changeSettings(api.organizationId, limits, testContext());
    await putPrizeTable(api.organizationId, 'prizewheel', [prizeOf('tickets', 7, 1)], testContext());
    await api.put('/page', { return_url: 'myapp://wallet' });
    await reset();
    const [replacement] = (await replacements()) as [Item];
    expect(replacement).toMatchObject(limits);
    const [created] = await readRange(operationsOf(String(replacement.organization_id)));
    expect(created).toMatchObject({ operator: 'debug route' });
    expect((await api.get('/page')).body.return_url).toBe('myapp://wallet');
    const { outcome } = (await spinUrl(await newUrl(api, await api.user(3)))).body;
    expect(outcome.prize).toEqual({ tickets: 7 });
  });

  test('ends earlier play URLs', async () => {
    const url = await newUrl(api, await api.user(5));
    await reset();
    expect(await spinUrl(url)).toMatchObject({ status: 403, body: { code: 'organization_suspended' } });
  });

  test('removes the old organization from the list of organizations', async () => {
    await reset();
    const [fresh] = await replacements();
    const listed = (await readRange(organizations())).map(({ organization_id }) => organization_id);
    expect(listed).not.toContain(api.organizationId);
    const old = await get(organizationKey(api.organizationId));
    expect(old).toMatchObject({ suspended: true, live_keys: 0, replaced_by: fresh?.organization_id });
  });

  test('at the same time as another has one result, and a later one resets again', async () => {
    const both = await Promise.all([reset(), reset()]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await replacements()).toHaveLength(1);
    const user = await api.user(1);
    expect((await api.get(`/users/${user}`)).status).toBe(200);
    await reset();
    expect(await replacements()).toHaveLength(1);
    expect((await api.get(`/users/${user}`)).status).toBe(404);
  });

  test('moves all live keys', async () => {
    const context = testContext();
    const second = apiOf(api.organizationId, await createApiKey(api.organizationId, 'local', context));
    await reset();
    const user = await api.user(1);
    expect((await second.get(`/users/${user}`)).status).toBe(200);
    const [fresh] = await replacements();
    expect(fresh?.live_keys).toBe(2);
    await reset();
    expect((await second.get(`/users/${user}`)).status).toBe(404);
  });

  test('lets a key that an operator adds later work with the same organization id', async () => {
    await reset();
    const [fresh] = await replacements();
    const key = await createApiKey(String(fresh?.organization_id), 'local', testContext());
    const later = apiOf(api.organizationId, key);
    const user = await later.user(1);
    expect((await api.get(`/users/${user}`)).status).toBe(200);
    expect((await later.post('/debug/reset')).status).toBe(200);
    for (const each of [later, api]) expect((await each.get(`/users/${user}`)).status).toBe(404);
  });

  test('leaves other organizations alone, and opens them to nobody', async () => {
    const other = await newOrganization('Other');
    const user = await other.user(5);
    await reset();
    expect((await other.get(`/users/${user}`)).status).toBe(200);
    expect((await api.get(`/users/${user}`)).status).toBe(404);
    expect((await apiOf(api.organizationId, other.apiKey).get(`/users/${user}`)).status).toBe(403);
    const [fresh] = await replacements();
    expect((await apiOf(String(fresh?.organization_id), api.apiKey).get('/webhooks')).status).toBe(403);
  });

  test('is refused while the organization is suspended', async () => {
    await changeSettings(api.organizationId, { suspended: true }, testContext());
    expect(await reset()).toMatchObject({ status: 403, body: { code: 'organization_suspended' } });
    expect(await replacements()).toEqual([]);
  });

  test('is impossible on production, even by a direct call', async () => {
    vi.stubEnv('STAGE', 'production');
    expect(() => resetOrganization(api.organizationId, testContext())).toThrow('production has no resets');
    vi.unstubAllEnvs();
    expect(await get(organizationKey(api.organizationId))).not.toHaveProperty('replaced_by');
  });
});

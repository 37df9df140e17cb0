import { beforeEach, describe, expect, test } from 'vitest';
import { pauseGame } from '../../infra/operate/admin/games.ts';
import { createApiKey } from '../../shared/actions/change-keys.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { freezeUser, unfreezeUser } from '../../shared/actions/freeze.ts';
import { pathTo } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { endsHoldOn, pausedFeatures, pausedSettingAfter } from '../../shared/games/holds.ts';
import { authenticateKey } from '../../shared/organizations/api-keys.ts';
import { tableClient } from '../../shared/table/client.ts';
import { actionsByTime } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import type { Pausable } from '../../shared/vocabulary.ts';
import { admin } from '../support/admin.ts';
import { type Api, apiOf, newOrganization } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { eventually } from '../support/eventually.ts';
import { expectError } from '../support/expectations.ts';
import { testContext } from '../support/test-context.ts';
import { wonGift } from '../support/won-gift.ts';
import { pageData } from '../world/actors/page-data.ts';
import { newUrl, openUrl, spinUrl } from './support/plays.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});
const why = 'a leaked table';
const suspend = (suspended: boolean) =>
  changeSettings(api.organizationId, { suspended }, { ...testContext(), why });
/**
 * Waits until requests are refused (`isSuspended`) or accepted, because the gateway caches the authorizer's
 * result.
 */
const untilKnown = (isSuspended: boolean, { put } = api) =>
  eventually(async () => {
    const { status } = await put('/debug/daily-spin-limit', { on: true });
    expect(status).toBe(isSuspended ? 403 : 200);
  });
const pause = (what: Pausable, isPaused = true) =>
  pauseGame(api.organizationId, what, isPaused, { ...testContext(), why });
const suspendedRefusal = [403, 'organization_suspended', 'Organization is suspended'] as const;
const pausedRefusal = [409, 'game_paused', 'game is paused'] as const;
const eligibility = async (user: string) =>
  (await api.get(`/users/${user}/game/check-eligibility`)).body as { playable: boolean };

describe('a suspended organization', () => {
  test('can be read but not changed, through every endpoint', async () => {
    const user = await api.user(3);
    const registration = { callback_url: 'https://example.com', secret_key: 's' };
    const { webhook_id } = (await api.post('/webhooks', registration)).body;
    const prize = await wonGift(api, user);
    await suspend(true);
    await untilKnown(true);
    // Another change of settings must not lift the suspension that API keys copy.
    await changeSettings(api.organizationId, { cost_truck: 7 }, testContext());
    const body = {
      external_reference: 'a',
      amount: 1,
      idempotency_key: 'k',
      num_of_spins: 1,
      cash_limit: 1,
      on: true,
      result: 'jackpot',
      callback_url: 'https://example.com',
      secret_key: 's',
      state: 'held',
      reason: 'x',
    };
    const query = { external_reference: 'a', start: '2026-01-01', end: '2026-01-02', request_id: 'r' };
    for (const { method, path, credential, name } of allRoutes) {
      if (credential) continue;
      const at = path
        .replace('{user_id}', user)
        .replace('{webhook_id}', webhook_id)
        .replace('{prize_id}', prize);
      const answer = await api.call(method, at, method === 'GET' ? { query } : { query, body });
      if (method === 'GET') expect([name, answer.body.code]).not.toEqual([name, 'organization_suspended']);
      else expectError(answer, ...suspendedRefusal);
    }
    expect((await api.get(`/users/${user}/tickets/balance`)).body.balance).toBe(3);
    await suspend(false);
    await untilKnown(false);
    const credited = await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'k' });
    expect(credited.body.new_ticket_balance).toBe(4);
  });

  test('gives a repeated request its first response, and no other request with its key', async () => {
    const user = await api.user(3);
    const change = { amount: 2, idempotency_key: 'k' };
    const spins = { num_of_spins: 2, idempotency_key: 'k' };
    const requests: [path: string, body: { idempotency_key: string }][] = [
      [`/users/${user}/tickets/credit`, change],
      [`/users/${user}/tickets/debit`, { ...change, idempotency_key: 'd' }],
      [`/users/${user}/entries/credit`, change],
      [`/users/${user}/entries/debit`, { ...change, idempotency_key: 'd' }],
      [`/users/${user}/game/queue`, spins],
      [`/users/guest/${user}/game/queue`, { ...spins, idempotency_key: 'g' }],
      [`/users/guest/${user}/game/play`, { ...spins, idempotency_key: 'p' }],
    ];
    const first = [];
    for (const [path, body] of requests) first.push(await api.post(path, body));
    expect(first.map(({ status }) => status)).toEqual(requests.map(() => 200));
    await suspend(true);
    await untilKnown(true);
    await freezeUser(api.organizationId, user, { ...testContext(), why });
    for (const [index, [path, body]] of requests.entries()) {
      const again = await api.post(path, body);
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(again.body).toEqual(first[index]!.body);
      const used = await api.post(path, { ...body, amount: 1, num_of_spins: 1 });
      expect([used.status, used.body.code]).toEqual([422, 'idempotency_key_reused']);
      expectError(await api.post(path, { ...body, idempotency_key: 'new' }), ...suspendedRefusal);
    }
  });

  test('answers a request for an unknown user or webhook with a 404', async () => {
    await suspend(true);
    await untilKnown(true);
    const ids = { user_id: 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ', webhook_id: 'wh_01HZZZZZZZZZZZZZZZZZZZZZZZ' };
    const body = {
      ...{ external_reference: 'a', amount: 1, idempotency_key: 'k', num_of_spins: 1, result: 'jackpot' },
      ...{ callback_url: 'https://example.com', secret_key: 's' },
    };
    const ofOne = allRoutes.filter(({ method, path, credential }) => {
      return method !== 'GET' && !credential && path.includes('{');
    });
    expect(ofOne.length).toBeGreaterThan(10);
    for (const route of ofOne) {
      const answer = await api.call(route.method, pathTo(route, ids), { body });
      expect([route.name, answer.status]).toEqual([route.name, 404]);
    }
  });

  test('is refused by the authorizer without a read, also with a key created in the meantime', async () => {
    await suspend(true);
    const made = await createApiKey(api.organizationId, 'local', testContext());
    for (const key of [api.apiKey, made]) {
      expect(await authenticateKey(key, 'local')).toMatchObject({ suspended: true });
      const answer = await apiOf(api.organizationId, key).post('/users', { external_reference: 'a' });
      expectError(answer, ...suspendedRefusal);
    }
    await suspend(false);
    await untilKnown(false, apiOf(api.organizationId, made));
  });

  test('suspends a key that the index shows late', async () => {
    let queries = 0;
    await watchingCalls(
      tableClient,
      () => suspend(true),
      ({ operation, index }) =>
        operation === 'Query' && index && ++queries === 1 ? { answer: { Items: [] } } : undefined,
    );
    expect(queries).toBe(2);
    expect(await authenticateKey(api.apiKey, 'local')).toMatchObject({ suspended: true });
  });

  test('has play URLs whose pages show the suspension, and that can be played later', async () => {
    const url = await newUrl(api, await api.user(3), { lang: 'es' });
    await suspend(true);
    const page = (await openUrl(url)).body;
    expect(pageData(page)).toMatchObject({ state: 'refused' });
    expect(page).toContain('Pausamos los juegos por un momento');
    expectError(await spinUrl(url), ...suspendedRefusal);
    await suspend(false);
    expect(pageData((await openUrl(url)).body)).toMatchObject({ state: 'ready' });
    const played = await spinUrl(url);
    expect(played.status).toBe(200);
    await suspend(true);
    expect((await spinUrl(url)).body.outcome).toEqual(played.body.outcome);
    expect(pageData((await openUrl(url)).body)).toMatchObject({ state: 'played' });
  });

  test('is recorded with operator, reason, and the setting before and after', async () => {
    await suspend(true);
    await suspend(true);
    await suspend(false);
    const actions = await readRange(actionsByTime(api.organizationId));
    expect(actions.slice(1)).toMatchObject([
      { action: 'changed', operator: 'test', why, before: { suspended: false }, after: { suspended: true } },
      { action: 'changed', operator: 'test', why, before: { suspended: true }, after: { suspended: false } },
    ]);
  });

  test('suspends the settings and all live keys in one transaction', async () => {
    const { calls } = await watchingCalls(tableClient, () => suspend(true));
    expect(calls.map(({ operation }) => operation)).toEqual([
      'GetItem',
      'Query',
      'BatchGetItem',
      'TransactWriteItems',
    ]);
  });
});

describe('a paused game', () => {
  test('is refused, and other games are not', async () => {
    const user = await api.user(50);
    const [wheel, truck] = [await newUrl(api, user), await newUrl(api, user, { game: 'truck' })];
    await pause('truck');
    expectError(await spinUrl(truck), ...pausedRefusal);
    expectError(await api.post(`/users/${user}/games/play`, { game: 'truck' }), ...pausedRefusal);
    const page = (await openUrl(truck)).body;
    expect(pageData(page)).toMatchObject({ state: 'refused' });
    expect(page).toContain('This game is paused for a moment');
    expect((await spinUrl(wheel)).status).toBe(200);
    expect(await eligibility(user)).toMatchObject({ playable: true });
    await pause('truck', false);
    expect((await spinUrl(truck)).status).toBe(200);
  });

  test('is not playable by the eligibility endpoint, which names the hold of each game', async () => {
    const user = await api.user(7);
    await pause('prizewheel');
    const paused = { playable: false, restrictions: [], holds: ['game_paused'] };
    const [truck, flight] = [
      { game: 'truck', cost: 5, playable: true, free_playable: true, restrictions: [], holds: [] },
      {
        game: 'flight',
        cost: 10,
        playable: false,
        free_playable: true,
        restrictions: ['insufficient_tickets'],
        holds: [],
      },
    ];
    const wheel = { game: 'prizewheel', cost: 1, free_playable: false, ...paused };
    expect(await eligibility(user)).toEqual({
      status: 'success',
      promotion: null,
      ...paused,
      games: [wheel, truck, flight],
    });
    await freezeUser(api.organizationId, user, { ...testContext(), why });
    await suspend(true);
    expect(await eligibility(user)).toMatchObject({
      holds: ['organization_suspended', 'user_frozen', 'game_paused'],
      games: [{}, { playable: false, holds: ['organization_suspended', 'user_frozen'] }, {}],
    });
    await suspend(false);
    await unfreezeUser(api.organizationId, user, { ...testContext(), why });
    await pause('prizewheel', false);
    expect(await eligibility(user)).toMatchObject({ playable: true, restrictions: [], holds: [] });
  });

  test('amoe refuses new free spins but allows plays', async () => {
    const user = await api.user(3);
    await pause('amoe');
    const asked = { num_of_spins: 1, idempotency_key: 'a' };
    for (const path of [
      `/users/${user}/game/queue`,
      `/users/guest/${user}/game/queue`,
      `/users/guest/${user}/game/play`,
    ])
      expectError(await api.post(path, asked), ...pausedRefusal);
    expect((await spinUrl(await newUrl(api, user))).status).toBe(200);
    await pause('amoe', false);
    expect((await api.post(`/users/guest/${user}/game/play`, asked)).status).toBe(200);
    await pause('amoe');
    const repeated = await api.post(`/users/guest/${user}/game/play`, asked);
    expect([repeated.status, repeated.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  });

  test('is paused and resumed independently of others', () => {
    const both = pausedSettingAfter(pausedSettingAfter('', 'truck', true), 'amoe', true);
    expect(both).toBe('amoe truck');
    expect(pausedFeatures(both)).toEqual(['amoe', 'truck']);
    expect(pausedSettingAfter(both, 'truck', true)).toBe(both);
    expect(pausedSettingAfter(both, 'truck', false)).toBe('amoe');
    expect(pausedSettingAfter('amoe', 'amoe', false)).toBe('');
  });
});

describe('the command line', () => {
  const run = (...args: string[]) => admin(...args, '--org', api.organizationId);

  test('suspends and resumes an organization and a game, and requires a reason', async () => {
    const without = await run('org', 'suspend');
    expect(without.code).toBe(2);
    expect(without.error).toContain('--why is missing');
    expect((await run('org', 'suspend', '--why', why)).out).toContain('"suspended": true');
    await untilKnown(true);
    expect((await run('org', 'resume', '--why', 'over')).code).toBe(0);
    expect((await run('game', 'pause', '--game', 'amoe', '--why', why)).out).toContain('amoe');
    expect((await run('game', 'resume', '--game', 'amoe', '--why', 'over')).out).toContain('"paused": []');
    const unknown = await run('game', 'pause', '--game', 'boat', '--why', why);
    expect([unknown.code, unknown.error]).toEqual([2, expect.stringContaining('"boat" cannot be paused')]);
  });

  test('freezes a user, voids a play URL, cancels spins, and undoes each', async () => {
    const user = await api.user(3);
    const url = await newUrl(api, user);
    await api.post(`/users/${user}/game/queue`, { num_of_spins: 7, idempotency_key: 'a' });
    const does = async (...args: string[]) => (await run(...args, '--why', why)).json;
    expect(await does('user', 'freeze', '--user', user)).toMatchObject({ user_id: user, frozen: true });
    expect(await does('user', 'unfreeze', '--user', user)).toMatchObject({ frozen: false });
    const cancelled = await does('user', 'cancel-spins', '--user', user);
    expect(Object.values(cancelled.cancelled)).toEqual([7]);
    expect(cancelled.total_queued_spins).toBe(0);
    const [order] = Object.keys(cancelled.cancelled);
    const restored = await does('user', 'restore-spins', '--user', user, '--order', order!);
    expect(restored).toMatchObject({ cancelled: {}, total_queued_spins: 7 });
    expect(await does('play', 'void', '--url', url)).toMatchObject({ user_id: user, voided: true });
    expect(await does('play', 'restore', '--url', url.split('/').at(-1)!)).toMatchObject({ voided: false });
    const { outcome } = (await spinUrl(url)).body;
    const late = await run('play', 'void', '--url', `${url}?utm=1`, '--why', why);
    expect([late.code, late.json]).toMatchObject([1, { voided: false, outcome }]);
    const wrong = await run('play', 'void', '--url', 'https://example.com/', '--why', why);
    expect([wrong.code, wrong.error]).toEqual([2, expect.stringContaining('--url must be a play URL')]);
  });
});

describe('a hold on free spins ends', () => {
  const order = { user_id: 'usr_a', order_id: 'ord_a', prize_table_version: 'prizewheel-1' };

  test.each([
    [{ suspended: true }, { suspended: false }, true],
    [{ paused: 'amoe' }, { paused: '' }, true],
    [{ paused: 'amoe truck' }, { paused: 'truck' }, true],
    [{ paused: 'truck' }, { paused: '' }, false],
    [{ suspended: true, paused: 'amoe' }, { suspended: false, paused: 'amoe' }, false],
    [{ paused: '' }, { paused: 'amoe' }, false],
    [{ paused: '' }, { paused: '' }, false],
  ])('if %j changes to %j: %s', (before, after, ends) => {
    expect(endsHoldOn(order, { action: 'changed', before, after })).toBe(ends);
  });

  test.each([
    ['user_unfrozen', { user_id: 'usr_a' }, true],
    ['user_unfrozen', { user_id: 'usr_b' }, false],
    ['spins_restored', { user_id: 'usr_a', spins: { ord_a: 1 } }, true],
    ['spins_restored', { user_id: 'usr_a', spins: { ord_b: 1 } }, false],
  ] as const)('after %s of %j: %s', (action, about, ends) => {
    expect(endsHoldOn(order, { action, about, before: {}, after: {} })).toBe(ends);
  });
});

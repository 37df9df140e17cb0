import { beforeEach, describe, expect, test } from 'vitest';
import { listActions } from '../../infra/operate/admin/audit.ts';
import { recordHash } from '../../shared/accounts/record-texts.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { freezeUser, unfreezeUser } from '../../shared/actions/freeze.ts';
import { restorePlay, voidPlay } from '../../shared/actions/void-plays.ts';
import { holdsOf } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { createPlayUrl, play } from '../../shared/games/plays.ts';
import { newSecret, sha256, ulidOf } from '../../shared/ids.ts';
import { tableClient } from '../../shared/table/client.ts';
import { actionsByTime } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { expectError } from '../support/expectations.ts';
import { testContext } from '../support/test-context.ts';
import { wonGift } from '../support/won-gift.ts';
import { pageData } from '../world/actors/page-data.ts';
import { newUrl, openUrl, spinUrl } from './support/plays.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});
const why = 'asked to stop';
const freshContext = () => ({ ...testContext(), why });
const freeze = (user: string) => freezeUser(api.organizationId, user, freshContext());
const unfreeze = (user: string) => unfreezeUser(api.organizationId, user, freshContext());
const frozen = [403, 'user_frozen', 'User is frozen'] as const;
const actions = async () =>
  (await listActions(api.organizationId, {}, Date.now())).actions.slice(1) as Record<string, unknown>[];
/** Calls `happens` just before `run` sends its first transaction. At that time, `run` has finished its reads. */
const beforeTransaction = async (happens: () => Promise<unknown>, run: () => Promise<unknown>) => {
  let transactions = 0;
  await watchingCalls(tableClient, run, async ({ operation }) => {
    if (operation === 'TransactWriteItems' && ++transactions === 1) await happens();
    return undefined;
  });
};

describe('a frozen user', () => {
  test('gets the first response to an idempotency key used before the freeze', async () => {
    const user = await api.user();
    const credit = () => api.post(`/users/${user}/tickets/credit`, { amount: 3, idempotency_key: 'k' });
    const { body } = await credit();
    await freeze(user);
    expect(await credit()).toMatchObject({ status: 200, body });
  });

  test('can be read but not changed, through every endpoint', async () => {
    const user = await api.user(20);
    const url = await newUrl(api, user);
    const prize = await wonGift(api, user);
    await freeze(user);
    const body = {
      state: 'held',
      reason: 'x',
      amount: 1,
      num_of_spins: 1,
      idempotency_key: 'k',
      external_reference: crypto.randomUUID(),
      result: 'tickets_only',
    };
    const token = url.split('/').at(-1)!;
    const refused: string[] = [];
    for (const { method, path, name } of allRoutes) {
      if (method === 'GET' || !/user_id|token|prize_id/.test(path)) continue;
      const at = path.replace('{user_id}', user).replace('{token}', token).replace('{prize_id}', prize);
      expectError(await api.call(method, at, { body }), ...frozen);
      refused.push(name);
    }
    const declared = allRoutes.filter((route) => holdsOf(route).includes('user_frozen'));
    expect(refused).toEqual(declared.map(({ name }) => name));
    expect((await api.get(`/users/${user}/tickets/balance`)).body.balance).toBe(20);
    const eligible = await api.get(`/users/${user}/game/check-eligibility`);
    expect(eligible.body).toMatchObject({ playable: false, restrictions: [] });
    const page = (await openUrl(url)).body;
    expect(pageData(page)).toMatchObject({ state: 'refused' });
    expect(page).toContain('Your account is on hold');
    await unfreeze(user);
    expect((await spinUrl(url)).status).toBe(200);
    const credit = await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'k' });
    expect(credit.status).toBe(200);
  });

  test('gets the first response for a used key, and a key refused while frozen can be used afterwards', async () => {
    const user = await api.user();
    const credit = (key: string) =>
      api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: key });
    const first = await credit('a');
    await freeze(user);
    expect((await credit('a')).body).toEqual(first.body);
    expectError(await credit('b'), ...frozen);
    await unfreeze(user);
    expect((await credit('b')).body.new_ticket_balance).toBe(2);
  });

  test('is not changed by a play that was decided before the freeze', async () => {
    const user = await api.user(3);
    const { organizationId } = api;
    const now = Date.now();
    const { token } = await createPlayUrl({
      organizationId,
      userId: user,
      game: 'prizewheel',
      lang: 'en',
      now,
    });
    const played = () => expect(play(token, '', now)).rejects.toThrow('User is frozen');
    await beforeTransaction(() => freeze(user), played);
    expect((await readUser(organizationId, user)).balances.tickets).toBe(3);
  });

  test('is recorded with the reason, and the record’s hash covers only a digest of the reason', async () => {
    const user = await api.user();
    await freeze(user);
    await freeze(user);
    await unfreeze(user);
    const about = { user_id: user };
    expect(await actions()).toMatchObject([
      { action: 'user_frozen', operator: 'test', why, about, texts: expect.any(String) },
      { action: 'user_unfrozen', operator: 'test', why, about, texts: expect.any(String) },
    ]);
    expect(await actions()).toHaveLength(2);
    const [opened, record] = await readRange(actionsByTime(api.organizationId));
    const { why: _, ...wordless } = record!;
    expect(recordHash(String(opened!.hash), wordless)).toBe(record!.hash);
    expect((await readUser(api.organizationId, user)).frozen).toBeUndefined();
  });

  test('must belong to the organization', async () => {
    const { organizationId } = await newOrganization();
    await expect(freezeUser(organizationId, await api.user(), freshContext())).rejects.toThrow(
      'Invalid user ID',
    );
  });
});

describe('a voided play URL', () => {
  const tokenOf = (url: string) => url.split('/').at(-1)!;
  const voidUrl = (url: string) => voidPlay(api.organizationId, tokenOf(url), freshContext());
  const restore = (url: string) => restorePlay(api.organizationId, tokenOf(url), freshContext());
  const voided = [410, 'play_voided', 'play URL was voided'] as const;

  test('cannot be played until it is restored, and its page says so', async () => {
    const user = await api.user(3);
    const url = await newUrl(api, user, { lang: 'es' });
    expect(await voidUrl(url)).toMatchObject({ voided: true });
    expectError(await spinUrl(url), ...voided);
    const page = await openUrl(url);
    expect(page.status).toBe(200);
    expect(pageData(page.body)).toMatchObject({ state: 'voided' });
    expect(page.body).toContain('Este enlace ya no es válido');
    expect((await api.get(`/users/${user}/tickets/balance`)).body.balance).toBe(3);
    await voidUrl(url);
    expect(await restore(url)).not.toHaveProperty('voided');
    expect((await spinUrl(url)).status).toBe(200);
    const about = { user_id: user, token_hash: sha256(tokenOf(url)) };
    expect(await actions()).toMatchObject([
      { action: 'play_voided', why, about },
      { action: 'play_restored', why, about },
    ]);
    expect(await actions()).toHaveLength(2);
  });

  test('is not voided if it was played before', async () => {
    const url = await newUrl(api, await api.user(3));
    const { outcome } = (await spinUrl(url)).body;
    expect(await voidUrl(url)).toMatchObject({ played: { ulid: ulidOf(outcome.id) } });
    expect(await actions()).toEqual([]);
    expect((await spinUrl(url)).body.outcome).toEqual(outcome);
  });

  test('is not played by a request that was decided before', async () => {
    const user = await api.user(3);
    const url = await newUrl(api, user);
    const now = Date.now();
    await beforeTransaction(
      () => voidUrl(url),
      () => expect(play(tokenOf(url), '', now)).rejects.toThrow('play URL was voided'),
    );
    expect((await readUser(api.organizationId, user)).balances.tickets).toBe(3);
  });

  test('must belong to the organization', async () => {
    const { organizationId } = await newOrganization();
    const url = await newUrl(api, await api.user(3));
    await expect(voidPlay(organizationId, tokenOf(url), freshContext())).rejects.toThrow(
      'has no such play URL',
    );
    await expect(voidPlay(organizationId, newSecret(), freshContext())).rejects.toThrow(
      'has no such play URL',
    );
    expect((await spinUrl(url)).status).toBe(200);
  });
});

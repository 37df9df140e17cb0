import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readHistoryPage } from '../../shared/accounts/history.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { type PlaySession, readPlaySession } from '../../shared/games/play-sessions.ts';
import { createPlayUrl } from '../../shared/games/plays.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { putItem } from '../../shared/table/client.ts';
import { type Game, games } from '../../shared/vocabulary.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';
import { accountOf, newUrl, openUrl, spinAt, spinUrl } from './support/plays.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});
const debugPlay = (user: string, body: object) => api.post(`/debug/users/${user}/games/play`, body);
const kindsIn = (game: Game) => [...new Set(defaultPrizeTables[game].prizes.map(({ kind }) => kind))];
const recordOf = async (user: string) => {
  const { organizationId } = api;
  const request = { organizationId, path: { user_id: user }, query: { limit: 1 } };
  return (await readHistoryPage('outcomes', request)).items[0];
};

describe('a debug play', () => {
  test('returns the forced result', async () => {
    const { status, body } = await debugPlay(await api.user(), { lang: 'es', result: 'jackpot' });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['expiry_time', 'lang', 'result', 'status', 'url']);
    expect(body).toMatchObject({ lang: 'es', result: 'jackpot' });
  });

  test('with result jackpot wins the highest cash prize without tickets, ignores limits and does not change them', async () => {
    const user = await api.user(0);
    await api.put('/debug/daily-cash-limit', { cash_limit: 0 });
    const urls = await Promise.all(
      times(7, async () => (await debugPlay(user, { result: 'jackpot' })).body.url),
    );
    expect((await openUrl(urls[0])).body).toContain('data-state="ready"');
    for (const url of urls) expect((await spinUrl(url)).body.outcome.prize).toEqual({ cash_usd: 100 });
    expect(await accountOf(api, user)).toMatchObject({ balance: 0, transactions: [] });
    expect(await recordOf(user)).toMatchObject({ debug: 'jackpot', cost: 0, game_status: 'Cash' });
    await api.put('/debug/daily-cash-limit', { cash_limit: 100 });
    await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'one' });
    expect((await api.get(`/users/${user}/game/check-eligibility`)).body.restrictions).toEqual([]);
  });

  test.each(games.flatMap((game) => kindsIn(game).map((kind) => [kind, game] as const)))(
    'with result %s wins such a prize of the game %s, without tickets or limits',
    async (result, game) => {
      const user = await api.user(0);
      const noPlays = { daily_cash_limit_usd: 0, daily_spin_limit_on: true, daily_spin_limit: 0 };
      await changeSettings(api.organizationId, noPlays, testContext());
      const { url } = (await debugPlay(user, { result, game })).body;
      const { outcome, fairness } = (await spinUrl(url)).body;
      expect(Object.keys(outcome.prize)).toEqual([result]);
      expect(fairness).toMatchObject({ debug: result });
      expect(fairness).not.toHaveProperty('budgets');
      expect(await recordOf(user)).toMatchObject({ game, debug: result, cost: 0 });
      expect((await api.get(`/game/history?user_id=${user}`)).body.items).toMatchObject([{ debug: result }]);
      expect((await api.get(`/users/${user}/games/history`)).body.items).toEqual([outcome]);
    },
  );

  test('with the result of a kind draws among all prizes of the kind', async () => {
    const prizes = [prizeOf('tickets', 1, 1), prizeOf('tickets', 2, 1), prizeOf('cash_usd', 5, 1_000_000)];
    await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
    const won = new Set<number>();
    while (won.size < 2) {
      const { url } = (await debugPlay(await api.user(), { result: 'tickets' })).body;
      won.add((await spinUrl(url)).body.outcome.prize.tickets);
    }
    expect([...won].sort()).toEqual([1, 2]);
  });

  test('with result tickets_only wins tickets at the ordinary cost and limits', async () => {
    const user = await api.user(30);
    const now = Date.now();
    for (const _ of times(5, () => 0)) {
      const { url } = (await debugPlay(user, { result: 'tickets_only' })).body;
      const { body } = await spinAt(now, url);
      expect(Object.keys(body.outcome.prize)).toEqual(['tickets']);
      expect(body.fairness.budgets).toEqual({ cash: { grants: 0, granted: 0, limit: 500 } });
    }
    expect(await recordOf(user)).toMatchObject({
      debug: 'tickets_only',
      cost: 1,
      game_status: 'Ticket-only',
    });
    const { url } = (await debugPlay(user, { result: 'tickets_only' })).body;
    expect((await spinAt(now, url)).body.code).toBe('daily_spin_limit_reached');
    const poor = (await debugPlay(await api.user(0), { result: 'tickets_only' })).body;
    expect((await spinUrl(poor.url)).body.code).toBe('insufficient_tickets');
  });

  test('expires as early as the host asks', async () => {
    const user = await api.user();
    const { url, expiry_time } = (await debugPlay(user, { result: 'jackpot', valid_seconds: 60 })).body;
    const expiry = Date.parse(expiry_time);
    expect(Math.abs(expiry - Date.now() - 60_000)).toBeLessThan(50_000);
    expect((await spinAt(expiry, url)).body.code).toBe('play_expired');
    expect((await spinAt(expiry - 1, url)).status).toBe(200);
  });

  test('has only one outcome', async () => {
    const { url } = (await debugPlay(await api.user(), { result: 'jackpot' })).body;
    const answers = await Promise.all(times(10, () => spinUrl(url)));
    expect(new Set(answers.map(({ body }) => body.outcome.id)).size).toBe(1);
  });

  test('marks its outcome, and an ordinary play does not', async () => {
    const user = await api.user(1);
    await spinUrl(await newUrl(api, user));
    expect(await recordOf(user)).not.toHaveProperty('debug');
  });

  test.each([
    [{}, 'result: Field required'],
    [
      { result: 'all' },
      expect.stringMatching(/^result: Input should be 'jackpot', 'tickets_only', .* or 'cash_usd'$/),
    ],
    [{ result: 'jackpot', valid_seconds: 0 }, 'valid_seconds: Input should be greater than or equal to 1'],
    [{ result: 'jackpot', valid_seconds: 1801 }, 'valid_seconds: Input should be less than or equal to 1800'],
    [{ result: 'jackpot', lang: 'de' }, "lang: Input should be 'en' or 'es'"],
  ])('is refused for %j', async (body, message) => {
    expect(await debugPlay(await api.user(), body)).toMatchObject({ status: 422, body: { message } });
  });

  test('is refused for an unknown user, and a jackpot is refused for a table without cash', async () => {
    const unknown = await debugPlay('usr_01ARZ3NDEKTSV4RRFFQ69G5FAV', { result: 'jackpot' });
    expect(unknown).toMatchObject({ status: 404, body: { message: 'Invalid user ID' } });
    await putPrizeTable(api.organizationId, 'prizewheel', [prizeOf('tickets', 1, 1)], testContext());
    const without = await debugPlay(await api.user(), { result: 'jackpot' });
    expect(without).toMatchObject({
      status: 422,
      body: { message: 'result: The prize table has no cash prize' },
    });
    const lacking = await debugPlay(await api.user(), { result: 'prize_streaming' });
    expect(lacking).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        message: 'result: The prize table has no prize_streaming',
        detail: 'It has tickets',
      },
    });
  });

  test.each(['jackpot', 'tickets_only', 'tickets'])(
    'is impossible in production, even if it is stored: %s',
    async (result) => {
      const user = await api.user(2);
      const [forced, ordinary] = [(await debugPlay(user, { result })).body.url, await newUrl(api, user)];
      vi.stubEnv('STAGE', 'production');
      const statuses = [await spinAt(Date.now(), forced), await spinAt(Date.now(), ordinary)].map(
        ({ status }) => status,
      );
      const asked = {
        organizationId: api.organizationId,
        userId: user,
        game: 'prizewheel',
        lang: 'en',
      } as const;
      const made = createPlayUrl({ ...asked, now: Date.now() }, 'jackpot');
      await expect(made).rejects.toThrow('forced result');
      vi.unstubAllEnvs();
      expect(statuses).toEqual([500, 200]);
      expect(await accountOf(api, user)).toMatchObject({ outcomes: [{}] });
    },
  );
});

describe('a play session that somebody has changed in the table is refused, with no draw:', () => {
  test.each<[string, Partial<PlaySession>]>([
    ['a forced result', { debug: 'cash_usd' }],
    ['another cost', { cost: 0 }],
    ['another game', { game: 'truck' }],
    ['another prize table', { prize_table_version: defaultPrizeTables.truck.version }],
    ['another user', { user_id: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
    ['a later end', { expires_at: '2099-01-01T00:00:00.000Z' }],
    ['another day of creation', { date_created: '2026-01-01T12:00:00.000Z' }],
    ['another commitment', { commitment: 'ab'.repeat(32) }],
  ])('%s', async (_, change) => {
    const user = await api.user(10);
    const url = await newUrl(api, user);
    const session = await readPlaySession(url.split('/').at(-1)!);
    await putItem({ ...session, ...change });
    expect(await spinAt(Date.now(), url)).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    await putItem(session!);
    expect(await accountOf(api, user)).toMatchObject({ balance: 10, outcomes: [] });
    expect((await spinAt(Date.now(), url)).status).toBe(200);
  });
});

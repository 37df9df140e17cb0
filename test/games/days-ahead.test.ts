import { beforeEach, describe, expect, test, vi } from 'vitest';
import { viewOf } from '../../functions/play/page/session-view.ts';
import { eventually } from '../../infra/common/eventually.ts';
import { listBooks, showBook } from '../../infra/operate/admin/books.ts';
import { explainFreeSpins } from '../../infra/operate/admin/free-spins.ts';
import { showGames } from '../../infra/operate/admin/games.ts';
import { showHistory, showUser } from '../../infra/operate/admin/users.ts';
import { dueShards } from '../../shared/amoe/start-spin-run.ts';
import { closeBooks } from '../../shared/books/close-all.ts';
import { readSession } from '../../shared/games/play-sessions.ts';
import { settingsOf } from '../../shared/games/settings.ts';
import { setDaysAhead } from '../../shared/operations/set-days-ahead.ts';
import { get } from '../../shared/table/client.ts';
import { organizationKey, settingsKey } from '../../shared/table/keys.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { type Api, callsOf, newOrganization } from '../support/api.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { startReceiver } from '../support/receiver.ts';
import { testContext } from '../support/test-context.ts';
import { newUrl, spinUrl } from './support/plays.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});
const advance = (days_ahead: unknown) => api.put('/debug/days-ahead', { days_ahead });
const summaryOf = async (user: string) => (await api.get(`/users/${user}/summary`)).body;
const queue = (user: string, idempotency_key = 'queue') =>
  api.post(`/users/${user}/game/queue`, { num_of_spins: 2, idempotency_key });
const allRan = (user: string) =>
  eventually('the run of all spins', async () =>
    (await summaryOf(user)).queued_spins.total === 0 ? true : undefined,
  );

describe('a calendar that is ahead', () => {
  test('names the day', async () => {
    const tomorrow = addDays(dayOf(Date.now()), 1);
    expect(await advance(1)).toMatchObject({ status: 200, body: { days_ahead: 1, day: tomorrow } });
  });

  test('starts the daily limit of plays anew', async () => {
    const user = await api.user(9);
    for (let plays = 0; plays < 5; plays++) await spinUrl(await newUrl(api, user));
    const refused = await spinUrl(await newUrl(api, user));
    expect(refused.body.code).toBe('daily_spin_limit_reached');
    await advance(1);
    expect((await summaryOf(user)).plays_left).toBe(5);
    expect((await spinUrl(await newUrl(api, user))).status).toBe(200);
    const { plays_left, plays_reset_at } = await summaryOf(user);
    expect(plays_left).toBe(4);
    // The next day of this calendar still begins at the real midnight in New York.
    const midnight = startOfDay(addDays(dayOf(Date.now()), 1));
    expect(Date.parse(plays_reset_at)).toBe(midnight);
    for (let plays = 1; plays < 5; plays++) await spinUrl(await newUrl(api, user));
    const token = (await newUrl(api, user)).split('/').at(-1)!;
    const { restriction } = await viewOf((await readSession(token))!, Date.now());
    expect(Date.parse(restriction!.until!)).toBe(midnight);
  });

  test('starts the daily cash anew', async () => {
    const prizes = [prizeOf('cash_usd', 100, 1_000_000), prizeOf('tickets', 1, 1)];
    await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
    await api.put('/debug/daily-cash-limit', { cash_limit: 100 });
    const user = await api.user(9);
    await spinUrl(await newUrl(api, user));
    const restrictions = async () =>
      (await api.get(`/users/${user}/game/check-eligibility`)).body.restrictions;
    expect(await restrictions()).toEqual(['tickets_only']);
    await advance(1);
    expect(await restrictions()).toEqual([]);
  });

  test('starts the daily stock and the count of plays anew, on the page and for operators', async () => {
    const car = { ...prizeOf('prize_merchandise', 1, 1_000_000), id: 'car', stock_per_day: 1 };
    await putPrizeTable(api.organizationId, 'prizewheel', [car, prizeOf('tickets', 1, 1)], testContext());
    const user = await api.user(9);
    await spinUrl(await newUrl(api, user));
    const shown = async () => {
      const token = (await newUrl(api, user)).split('/').at(-1)!;
      const page = await viewOf((await readSession(token))!, Date.now());
      const { games } = await showGames(api.organizationId, 'prizewheel', Date.now());
      const { plays_today } = await showUser(api.organizationId, { user }, Date.now());
      return [page.prizes![0]!.out_for, games.prizewheel!.now!.out_of_stock, plays_today];
    };
    expect(await shown()).toEqual(['won_today', ['car'], 1]);
    await advance(1);
    expect(await shown()).toEqual([undefined, [], 0]);
  });

  test('runs queued spins within seconds, and their webhooks arrive', async () => {
    const receiver = await startReceiver();
    const user = await api.user();
    await api.post('/webhooks', { callback_url: receiver.url, secret_key: 'a secret', event: 'outcome' });
    await queue(user);
    await advance(1);
    await allRan(user);
    const { items } = (await api.get(`/users/${user}/games/history`)).body;
    expect(items.map(({ play_type }: { play_type: string }) => play_type)).toEqual(['amoe', 'amoe']);
    await eventually('both webhook calls', async () =>
      (await callsOf(api)).length === 2 ? true : undefined,
    );
    await receiver.close();
  });

  test('queues later spins for its own next day', async () => {
    await advance(3);
    const user = await api.user();
    await queue(user);
    const { total, due, run_at } = (await summaryOf(user)).queued_spins;
    expect([total, due]).toEqual([2, 0]);
    const midnight = `midnight in New York as ${dayOf(Date.parse(run_at))} begins.`;
    const { orders } = await explainFreeSpins(api.organizationId, { user }, Date.now());
    const { records } = await showHistory(api.organizationId, user, {});
    expect([orders[0]?.sentence, records[0]?.sentence]).toEqual([
      `The spins run at ${midnight}`,
      `The host queued 2 free spins, to run at ${midnight}`,
    ]);
    await advance(3);
    expect((await summaryOf(user)).queued_spins).toMatchObject({ total: 2, due: 0 });
    await advance(4);
    await allRan(user);
  });

  test('is used by the sweep, which runs spins that the request could not start', async () => {
    const user = await api.user();
    await queue(user);
    const mine = async () =>
      (await dueShards(Date.now())).filter(({ organization_id }) => organization_id === api.organizationId);
    expect(await mine()).toEqual([]);
    vi.stubEnv('QUEUE_URL_SPIN_SHARDS', 'http://localhost:1/none');
    const unsent = setDaysAhead(api.organizationId, 1, testContext());
    await expect(unsent).rejects.toMatchObject({ code: 'outcome_unknown' });
    vi.unstubAllEnvs();
    expect(await mine()).toMatchObject([{ day: addDays(dayOf(Date.now()), 1), isOverdue: false }]);
  });

  test('never goes back, except by a reset', async () => {
    await advance(2);
    expect(await advance(1)).toMatchObject({
      status: 409,
      body: { code: 'calendar_ahead', message: 'days_ahead is already 2, and only a reset makes it lower' },
    });
    await api.post('/debug/reset');
    expect((await advance(1)).status).toBe(200);
  });

  test('stays the same after a repeated request, without another action', async () => {
    const [first, second] = await Promise.all([advance(1), advance(1)]);
    expect(second.body).toEqual(first.body);
    expect(await get(organizationKey(api.organizationId))).toMatchObject({ operations: 2, days_ahead: 1 });
  });

  test('gets no more books, and operators read why', async () => {
    const twoDaysLater = Date.now() + 2 * 24 * 3_600_000;
    await advance(1);
    expect(await closeBooks(api.organizationId, twoDaysLater)).toEqual({ days: [], open: undefined });
    const note = expect.stringMatching(/^The host moved its calendar ahead/);
    expect(await listBooks(api.organizationId)).toEqual({ note, books: [] });
    const shown = showBook(api.organizationId, dayOf(Date.now()));
    await expect(shown).rejects.toThrow('The host moved its calendar ahead');
  });

  test('is impossible on production, whatever is stored', async () => {
    await advance(1);
    const settings = await get(settingsKey(api.organizationId, 0));
    expect(settingsOf(settings).days_ahead).toBe(1);
    vi.stubEnv('STAGE', 'production');
    expect(() => settingsOf(settings)).toThrow('is ahead on a stage with only real days');
    await expect(setDaysAhead(api.organizationId, 2, testContext())).rejects.toThrow('only real days');
    vi.unstubAllEnvs();
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { findDrawFaults } from '../../infra/operate/admin/explain/verify-outcome.ts';
import type { Prize } from '../../shared/games/prize-tables.ts';
import { getItem } from '../../shared/table/client.ts';
import { budgetKey, recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { dayOf } from '../../shared/time.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { untilAnswered } from '../support/repeat.ts';
import { testContext } from '../support/test-context.ts';
import { pageData } from '../world/actors/page-data.ts';
import { accountOf, changingBefore, newUrl, openUrl, playAt, spinAt } from './support/plays.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});

// Time of all plays of a test. The time does not pass, so that midnight cannot reset the limits during a test.
let now: number;
beforeEach(() => {
  now = Date.now();
});
const spin = (url: string) => spinAt(now, url);
const eligibility = async (user_id: string) => {
  const { organizationId } = api;
  const request = { organizationId, path: { user_id }, now };
  return (await untilAnswered(() => invoke('games/check-eligibility', request))).body as object;
};
const setCashLimit = (cash_limit: unknown) => api.put('/debug/daily-cash-limit', { cash_limit });
const setSpinLimit = (on: unknown) => api.put('/debug/daily-spin-limit', { on });
const setTable = async (prizes: Prize[]) => {
  return putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
};
const grantedToday = async () => {
  const state = await getItem(budgetKey(api.organizationId, `cash#${dayOf(now)}`, 0));
  return (state?.granted as { usd: number } | undefined)?.usd;
};
describe('the daily cash limit', () => {
  const mostlyCash = [prizeOf('cash_usd', 10, 1_000_000), prizeOf('tickets', 1, 1)];

  test('applies to a play that was decided before the limit was lowered', async () => {
    await setTable(mostlyCash);
    const user = await api.user(1);
    await changingBefore(
      1,
      () => setCashLimit(0),
      () => playAt(api, user, now),
    );
    expect(await grantedToday()).toBeUndefined();
    expect((await accountOf(api, user)).outcomes).toMatchObject([{ prize: { tickets: 1 } }]);
  });

  test('stops the cash of an order immediately if it is lowered in the middle', async () => {
    await setTable(mostlyCash);
    await setCashLimit(5000);
    const request = {
      organizationId: api.organizationId,
      path: { user_id: await api.user() },
      body: { num_of_spins: 100, idempotency_key: 'spins' },
      now,
    };
    await changingBefore(
      3,
      () => setCashLimit(0),
      () => untilAnswered(() => invoke('amoe/guest-play', request)),
    );
    expect(await grantedToday()).toBe(600);
  });

  test('grants exactly the remaining 100 USD to twenty concurrent plays, all of which succeed', async () => {
    await setTable(mostlyCash);
    await setCashLimit(100);
    const users = await Promise.all(times(20, () => api.user(1)));
    const urls = await Promise.all(users.map((user) => newUrl(api, user)));
    const answers = await Promise.all(urls.map((url) => spin(url)));
    expect(answers.map(({ status }) => status)).toEqual(times(20, () => 200));
    const shown = answers.map(({ body }) => body.outcome);
    const cash = shown.reduce((sum, { prize }) => sum + (prize.cash_usd ?? 0), 0);
    expect(cash).toBe(100);
    expect(await grantedToday()).toBe(100);
    const recorded = await Promise.all(users.map(async (user) => (await accountOf(api, user)).outcomes));
    expect(recorded).toEqual(shown.map((outcome) => [outcome]));
    // The day's cash is used up, so eligibility and play page announce that only tickets can be won.
    const late = await api.user(1);
    expect(await eligibility(late)).toMatchObject({ playable: true, restrictions: ['tickets_only'] });
    expect(pageData((await openUrl(await newUrl(api, late))).body)).toMatchObject({ tickets_only: true });
    // Each outcome's record contains the budgets of its draw, so the draw can be repeated.
    for (const user of users) {
      const [record] = await readRange(recordsOfUser(api.organizationId, user, 'outcomes'));
      expect(await findDrawFaults(record as never)).toEqual([]);
    }
  });

  test('is never exceeded by concurrent plays with different cash prizes', async () => {
    await setTable([prizeOf('cash_usd', 70, 900), prizeOf('cash_usd', 3, 100), prizeOf('tickets', 2, 10)]);
    await setCashLimit(200);
    const users = await Promise.all(times(15, () => api.user(1)));
    const answers = await Promise.all(users.map(async (user) => spin(await newUrl(api, user))));
    const cash = answers.reduce((sum, { body }) => sum + (body.outcome.prize.cash_usd ?? 0), 0);
    expect(cash).toBe(await grantedToday());
    expect(cash).toBeLessThanOrEqual(200);
    for (const { body } of answers) {
      const { granted, limit } = body.fairness.budgets.cash;
      const { cash_usd = 0, tickets = 0 } = body.outcome.prize;
      expect(cash_usd).toBeLessThanOrEqual(limit - granted);
      if (limit - granted < 3) expect(tickets).toBe(2);
    }
  });

  test('leaves tickets_only if it covers no cash prize, and eligibility shows it before the play', async () => {
    const user = await api.user(50);
    await setTable([prizeOf('cash_usd', 1, 1_000_000), prizeOf('tickets', 1, 1)]);
    await setCashLimit(1);
    expect(await eligibility(user)).toMatchObject({ playable: true, restrictions: [] });
    await setCashLimit(0);
    expect(await eligibility(user)).toMatchObject({ playable: true, restrictions: ['tickets_only'] });
    const url = await newUrl(api, user);
    expect((await openUrl(url)).body).toContain('data-state="ready"');
    const { body } = await spin(url);
    expect(Object.keys(body.outcome.prize)).toEqual(['tickets']);
    expect(body.fairness.budgets).toEqual({ cash: { grants: 0, granted: 0, limit: 0 } });
    expect(await grantedToday()).toBeUndefined();
  });

  test('can be lowered below the cash already granted', async () => {
    await setTable(mostlyCash);
    const user = await api.user(50);
    await spin(await newUrl(api, user));
    expect(await grantedToday()).toBe(10);
    await setCashLimit(5);
    const { body } = await spin(await newUrl(api, user));
    expect(body.outcome.prize).toEqual({ tickets: 1 });
    expect(body.fairness.budgets).toEqual({ cash: { grants: 1, granted: 10, limit: 5 } });
  });

  test('starts anew at midnight in New York', async () => {
    await setTable(mostlyCash);
    await setCashLimit(10);
    const user = await api.user(50);
    const midnight = Date.parse('2026-11-02T05:00:00Z'); // the day before it had 25 hours
    const prizes = [];
    for (const now of [midnight - 25 * 3600_000, midnight - 1, midnight]) {
      prizes.push((await playAt(api, user, now)).outcome.prize);
    }
    expect(prizes).toEqual([{ cash_usd: 10 }, { tickets: 1 }, { cash_usd: 10 }]);
  });

  test('does not restrict a table without cash', async () => {
    await setTable([prizeOf('prize_streaming', 1, 1_000_000), prizeOf('tickets', 1, 1)]);
    await setCashLimit(0);
    const user = await api.user(1);
    expect(await eligibility(user)).toMatchObject({ restrictions: [] });
    const { body } = await spin(await newUrl(api, user));
    expect(body.outcome.prize).toEqual({ prize_streaming: 1 });
  });
});

describe('the daily spin limit', () => {
  test('allows five plays even if more are requested concurrently, and eligibility shows it', async () => {
    const user = await api.user(100);
    expect(await eligibility(user)).toMatchObject({ playable: true, restrictions: [] });
    const urls = await Promise.all(times(8, () => newUrl(api, user)));
    const answers = await Promise.all(urls.map((url) => spin(url)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    for (const { body } of answers.filter(({ status }) => status !== 200)) {
      expect(body).toMatchObject({ code: 'daily_spin_limit_reached', message: 'daily spin limit reached' });
    }
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect((await accountOf(api, user)).outcomes).toHaveLength(5);
    expect(await eligibility(user)).toMatchObject({
      playable: false,
      restrictions: ['daily_spin_limit_reached'],
    });
  });

  test('can be turned off and on, and a refused URL can then be played', async () => {
    const user = await api.user(100);
    for (const _ of times(5, () => 0)) await spin(await newUrl(api, user));
    const url = await newUrl(api, user);
    expect((await spin(url)).status).toBe(409);
    expect((await setSpinLimit(false)).body).toEqual({ status: 'success', on: false });
    expect(await eligibility(user)).toMatchObject({ playable: true });
    expect((await spin(url)).status).toBe(200);
    expect((await setSpinLimit(true)).body).toEqual({ status: 'success', on: true });
    expect(await eligibility(user)).toMatchObject({ playable: false });
    expect((await openUrl(await newUrl(api, user))).body).toContain('data-state="refused"');
  });

  test.each([
    ['of 23 hours', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['of 24 hours', '2026-06-10T04:00:00Z', '2026-06-11T04:00:00Z'],
    ['of 25 hours', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ])('holds for a whole day %s in New York, and not longer', async (_, from, until) => {
    const user = await api.user(100);
    for (const i of times(5, (i) => i)) await playAt(api, user, Date.parse(from) + i);
    await expect(playAt(api, user, Date.parse(until) - 1)).rejects.toThrow('daily spin limit reached');
    expect((await playAt(api, user, Date.parse(until))).outcome.user_id).toBe(user);
  });

  test('counts a late play of yesterday on the new day if that day has begun', async () => {
    const user = await api.user(100);
    const midnight = Date.parse('2026-06-11T04:00:00Z');
    for (const _ of times(4, () => 0)) await playAt(api, user, midnight);
    await playAt(api, user, midnight - 1);
    await expect(playAt(api, user, midnight + 1)).rejects.toThrow('daily spin limit reached');
  });
});

describe('eligibility', () => {
  test('depends on the cost of the prize wheel and lists all restrictions', async () => {
    const user = await api.user(0);
    await setCashLimit(0);
    expect(await eligibility(user)).toMatchObject({
      playable: false,
      restrictions: ['tickets_only', 'insufficient_tickets'],
    });
    await api.post(`/users/${user}/tickets/credit`, { amount: 1, idempotency_key: 'one' });
    expect(await eligibility(user)).toMatchObject({ playable: true, restrictions: ['tickets_only'] });
  });

  test('of an unknown user is a 404', async () => {
    const answer = await api.get('/users/usr_01ARZ3NDEKTSV4RRFFQ69G5FAV/game/check-eligibility');
    expect(answer).toMatchObject({ status: 404, body: { message: 'Invalid user ID' } });
  });
});

describe('the debug settings', () => {
  test.each([
    [1.5, 'cash_limit: Input should be a valid integer, got a number with a fractional part'],
    [-1, 'cash_limit: Input should be greater than or equal to 0'],
    ['100', 'cash_limit: Input should be a valid integer'],
    [undefined, 'cash_limit: Field required'],
    [null, 'cash_limit: Input should be a valid integer'],
    [2e9, 'cash_limit: Input should be less than or equal to 1000000000'],
  ])('refuse a cash limit of %j', async (limit, message) => {
    expect(await setCashLimit(limit)).toMatchObject({ status: 422, body: { message } });
  });

  test('return the new cash limit', async () => {
    expect((await setCashLimit(123)).body).toEqual({ status: 'success', cash_limit: 123 });
  });

  test.each([
    ['yes', 'on: Input should be a valid boolean'],
    [undefined, 'on: Field required'],
  ])('refuse %j for the spin limit', async (on, message) => {
    expect(await setSpinLimit(on)).toMatchObject({ status: 422, body: { message } });
  });
});

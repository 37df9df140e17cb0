import { beforeEach, describe, expect, test } from 'vitest';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import { pacedUsd } from '../../shared/games/cash-limit.ts';
import { addDays, dayOf, hoursOfDay, startOfDay } from '../../shared/time.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { untilAnswered } from '../support/repeat.ts';
import { testContext } from '../support/test-context.ts';
import { changingBefore, playAt } from './support/plays.ts';

const hour = 3_600_000;

describe('the pacing of the day’s cash', () => {
  test.each([
    ['2026-03-08', 23],
    ['2026-06-01', 24],
    ['2026-11-01', 25],
  ])('on %s makes the cash available in %i hourly steps, all of it in the last hour', (day, hours) => {
    const start = startOfDay(day);
    for (let begun = 1; begun <= hours; begun++) {
      const [first, last] = [start + (begun - 1) * hour, start + begun * hour - 1];
      expect([hoursOfDay(first), hoursOfDay(last)]).toEqual(times(2, () => ({ begun, all: hours })));
      expect(pacedUsd(500, last)).toBe(Math.floor((500 * begun) / hours));
    }
    expect(pacedUsd(500, startOfDay(addDays(day, 1)) - 1)).toBe(500);
  });
});

describe('plays while the day’s cash is paced', () => {
  let api: Api;
  // The tests play on the next day, so that even plays in its first hour are later than the organization's creation.
  const day = addDays(dayOf(Date.now()), 1);
  const at = (hours: number) => startOfDay(day) + hours * hour;
  beforeEach(async () => {
    api = await newOrganization();
    const prizes = [prizeOf('cash_usd', 10, 1_000_000), prizeOf('tickets', 1, 1)];
    await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
    await setLimits(
      api.organizationId,
      { dailyCash: '240', cashPacing: 'on', dailySpins: 'off' },
      testContext(),
    );
  });
  const cashAt = async (user: string, now: number) =>
    (await playAt(api, user, now)).outcome.prize.cash_usd ?? 0;

  test('win at most the share of the hours begun so far, and the rest later', async () => {
    const user = await api.user(100);
    expect([await cashAt(user, at(0)), await cashAt(user, at(1) - 1)]).toEqual([10, 0]);
    expect([await cashAt(user, at(1)), await cashAt(user, at(1))]).toEqual([10, 0]);
    const { fairness } = await playAt(api, user, at(23));
    expect(fairness.budgets).toEqual({ cash: { grants: 2, granted: 20, limit: 240 } });
  });

  test('win no more with a guest’s free spins', async () => {
    const spins = async (now: number) => {
      const body = { num_of_spins: 40, idempotency_key: String(now) };
      const request = { organizationId: api.organizationId, path: { user_id: await api.user() }, body, now };
      const answer = await untilAnswered(() => invoke('amoe/guest-play', request));
      const { items } = answer.body as { items: { prize: { cash_usd?: number } }[] };
      return items.reduce((sum, { prize }) => sum + (prize.cash_usd ?? 0), 0);
    };
    expect(await spins(at(2))).toBe(30);
    expect(await spins(at(3))).toBe(10);
  });

  test('win no more if they were decided before pacing was turned on', async () => {
    await setLimits(api.organizationId, { cashPacing: 'off' }, testContext());
    const user = await api.user(100);
    expect([await cashAt(user, at(0)), await cashAt(user, at(0))]).toEqual([10, 10]);
    const turnOn = () => setLimits(api.organizationId, { cashPacing: 'on' }, testContext());
    await changingBefore(1, turnOn, async () => expect(await cashAt(user, at(0))).toBe(0));
  });

  test('pacing accepts only on and off', async () => {
    const typed = { cashPacing: 'maybe' };
    await expect(setLimits(api.organizationId, typed, testContext())).rejects.toThrow('must be on or off');
  });
});

import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { readPrizeTable } from '../../shared/games/organization-tables.ts';
import { defaultPrizeTables, type Prize } from '../../shared/games/prize-tables.ts';
import { createOrganization } from '../../shared/operations/create-organization.ts';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';
import { get } from '../../shared/table/client.ts';
import { payoutsKey } from '../../shared/table/keys.ts';
import { useOwnTable } from '../support/own-table.ts';
import { writePlays } from '../support/played.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';

const wheel = defaultPrizeTables.prizewheel;
const minuteMs = 60_000;
const always = () => true;
let now: number;
let organizationId: string;
let lines: Record<string, unknown>[];

beforeAll(() => {
  vi.stubEnv('METRICS_NAMESPACE', 'incentives-test');
  vi.stubEnv('LOG_LEVEL', 'INFO');
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(JSON.parse(line)));
});
beforeEach(async () => {
  await useOwnTable('payouts');
  now = Date.now();
  ({ organization_id: organizationId } = await createOrganization('Payouts', 'local', testContext()));
  lines = [];
});

/**
 * Returns the prizes of `plays` plays, distributed exactly by the prize table's weights, plus the extra wins
 * in `more`.
 */
const wonOf = (prizes: readonly Prize[], plays: number, more: Record<string, number> = {}) => {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  return prizes.flatMap(({ id, weight }) =>
    Array<string>(Math.round((plays * weight) / total) + (more[id] ?? 0)).fill(id),
  );
};
const play = (won: string[], minutesAgo = 30, table = wheel) =>
  writePlays({ organizationId, table, won, from: now - minutesAgo * minuteMs });
const logged = (message: string) => lines.filter((line) => line.message === message);
const counted = () => lines.flatMap(({ PayoutDeviations }) => PayoutDeviations ?? []);
const stored = () => get<{ deviations: { prize: string }[] }>(payoutsKey(organizationId));

describe('a check of payouts', () => {
  test('raises no alarm for wins at the odds, and logs plays and wins', async () => {
    await play(wonOf(wheel.prizes, 1000));
    expect(await checkAllPayouts(now, always)).toEqual({ deviations: 0 });
    expect(counted()).toEqual([]);
    expect(logged('payouts')).toMatchObject([
      {
        organization_id: organizationId,
        prizewheel_regular: 1001,
        prizewheel_amoe: 0,
        truck_regular: 0,
        won_entry_truck: 200,
        won_cash_usd: 81,
        cash: 234,
        expected_cash: 183.684,
        daily_cash_limit: 500,
      },
    ]);
  });

  test('reports a prize that is won too often once, with its numbers', async () => {
    await play(wonOf(wheel.prizes, 1000, { 'gift-card': 40 }));
    expect(await checkAllPayouts(now, always)).toEqual({ deviations: 1 });
    expect(counted()).toEqual([1]);
    const [line, ...others] = logged('wins do not match the odds');
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      organization_id: organizationId,
      game: 'prizewheel',
      prize: 'gift-card',
      factor: 3,
      won: 45,
      expected: 5.205,
    });
    expect(line!.p).toBeLessThanOrEqual(1e-4);
    expect(await checkAllPayouts(now, always)).toEqual({ deviations: 0 });
  });

  test('adds up evidence over several hours', async () => {
    const hourly = wonOf(wheel.prizes, 1000, { 'gift-card': 8 });
    let hours = 0;
    for (let found = 0; found === 0 && hours < 10; hours++) {
      await writePlays({ organizationId, table: wheel, won: hourly, from: now - 30 * minuteMs });
      ({ deviations: found } = await checkAllPayouts(now, always));
      now += 60 * minuteMs;
    }
    expect(hours).toBeGreaterThan(1);
    expect(hours).toBeLessThan(6);
    expect(logged('wins do not match the odds')).toMatchObject([{ prize: 'gift-card', won: hours * 13 }]);
  });

  test('counts no outcome twice, even in concurrent checks', async () => {
    await play(wonOf(wheel.prizes, 1000, { 'gift-card': 5 }));
    await Promise.all([1, 2, 3].map(() => checkAllPayouts(now, always)));
    await checkAllPayouts(now + 1, always);
    expect(logged('payouts')).toHaveLength(1);
    expect((await stored())!.deviations).toContainEqual(
      expect.objectContaining({ prize: 'gift-card', won: 10 }),
    );
  });

  test('compares each draw with the prizes that were available to it', async () => {
    const prizes = [prizeOf('cash_usd', 1000, 1), prizeOf('tickets', 1, 1)];
    const version = await putPrizeTable(organizationId, 'prizewheel', prizes, testContext());
    const table = await readPrizeTable(organizationId, 'prizewheel', version);
    // Half of the prize table's weight is on 1,000 USD. No draw may contain this prize, because the daily cash is
    // 500 USD. Thus a thousand wins of the other prize are no deviation.
    await play(Array<string>(1000).fill('tickets-1'), 30, table);
    expect(await checkAllPayouts(now, always)).toEqual({ deviations: 0 });
    await play(['cash-usd-1000'], 0.9, table);
    now += 60 * minuteMs;
    expect(await checkAllPayouts(now, always)).toEqual({ deviations: 1 });
    expect(logged('prizes were not in their draws')).toMatchObject([{ outcomes: 1 }]);
  });

  test('stores no tests that have lost their stake', async () => {
    await play(wonOf(wheel.prizes, 3000));
    await checkAllPayouts(now, always);
    expect((await stored())!.deviations.length).toBeLessThan(6);
  });

  test('checks what it had time to read, and continues there', async () => {
    await play(wonOf(wheel.prizes, 3000));
    let calls = 0;
    await checkAllPayouts(now, () => calls++ === 0);
    expect(logged('payouts judged by part of the outcomes')).toHaveLength(1);
    expect(logged('payouts')).toHaveLength(1);
    await checkAllPayouts(now + 1, always);
    expect(logged('payouts')).toHaveLength(1);
  });

  test('checks the other organizations if one fails, and reports the failure', async () => {
    await play(['tickets-1'], 30, { version: 'prizewheel-of-nobody', prizes: wheel.prizes });
    const other = await createOrganization('Other', 'local', testContext());
    await writePlays({
      organizationId: other.organization_id,
      table: wheel,
      won: ['tickets-1'],
      from: now - 30 * minuteMs,
    });
    await expect(checkAllPayouts(now, always)).rejects.toThrow('payouts of 1 organizations');
    expect(logged('payouts')).toMatchObject([{ organization_id: other.organization_id }]);
  });
});

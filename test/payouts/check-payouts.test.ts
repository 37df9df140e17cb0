import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createOrganization } from '../../shared/actions/create-organization.ts';
import { readPrizeTable } from '../../shared/games/organization-tables.ts';
import { defaultPrizeTables, type Prize } from '../../shared/games/prize-tables.ts';
import { checkAllPayouts } from '../../shared/payouts/check-payouts.ts';
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
const counted = () => lines.flatMap(({ CashAheadOfOdds }) => CashAheadOfOdds ?? []);

describe('a check of payouts', () => {
  test('raises no alarm for wins at the odds, and logs plays and wins', async () => {
    await play(wonOf(wheel.prizes, 1000));
    expect(await checkAllPayouts(now, always)).toEqual({ ahead: 0 });
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

  test('raises one alarm for far more cash than the odds promise', async () => {
    await play(wonOf(wheel.prizes, 1000, { 'cash-100': 20 }));
    expect(await checkAllPayouts(now, always)).toEqual({ ahead: 1 });
    expect(counted()).toEqual([1]);
    const ahead = { organization_id: organizationId, dearest: 100, won: 234 + 20 * 100 };
    expect(logged('cash ahead of the odds')).toMatchObject([ahead]);
    expect(await checkAllPayouts(now, always)).toEqual({ ahead: 0 });
  });

  test('raises no alarm for one win of the highest prize, however rare', async () => {
    const prizes = [prizeOf('cash_usd', 500, 1), prizeOf('tickets', 1, 1_000_000)];
    const version = await putPrizeTable(organizationId, 'prizewheel', prizes, testContext());
    const table = await readPrizeTable(organizationId, 'prizewheel', version);
    await play(['cash-usd-500', 'tickets-1'], 30, table);
    expect(await checkAllPayouts(now, always)).toEqual({ ahead: 0 });
    await play(Array<string>(3).fill('cash-usd-500'), 0.9, table);
    now += 60 * minuteMs;
    expect(await checkAllPayouts(now, always)).toEqual({ ahead: 1 });
  });

  test('counts no outcome twice, even in concurrent checks', async () => {
    await play(wonOf(wheel.prizes, 1000));
    await Promise.all([1, 2, 3].map(() => checkAllPayouts(now, always)));
    await checkAllPayouts(now + 1, always);
    expect(logged('payouts')).toHaveLength(1);
  });

  test('expects of each draw only the prizes that were available to it', async () => {
    const prizes = [prizeOf('cash_usd', 1000, 1), prizeOf('tickets', 1, 1)];
    const version = await putPrizeTable(organizationId, 'prizewheel', prizes, testContext());
    const table = await readPrizeTable(organizationId, 'prizewheel', version);
    // Half of the prize table's weight is on 1,000 USD, which the daily cash of 500 USD never covers.
    await play(Array<string>(10).fill('tickets-1'), 30, table);
    await checkAllPayouts(now, always);
    expect(logged('payouts')).toMatchObject([{ prizewheel_regular: 10, expected_cash: 0 }]);
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

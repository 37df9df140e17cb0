import { beforeEach, describe, expect, test } from 'vitest';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import { cashChainOf, cashChainsOn } from '../../shared/games/cash-limit.ts';
import { readCircumstances } from '../../shared/games/eligibility.ts';
import { createPlay, play } from '../../shared/games/plays.ts';
import { settingsOf } from '../../shared/games/settings.ts';
import { ulidOf } from '../../shared/ids.ts';
import { Refusal } from '../../shared/refusals.ts';
import { get, getAll, put } from '../../shared/table/client.ts';
import { budgetKey, organizationKey, recordKey, settingsKey } from '../../shared/table/keys.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';

let api: Api;
let day: string;
let noon: number;
beforeEach(async () => {
  api = await newOrganization();
  day = dayOf(Date.now());
  noon = startOfDay(day) + 12 * 3_600_000;
});

const winner = () =>
  putPrizeTable(
    api.organizationId,
    'prizewheel',
    [prizeOf('cash_usd', 1, 1_000_000), prizeOf('tickets', 1, 1)],
    testContext(),
  );
const grantedOn = async (of: string, chain: number) =>
  (await get(budgetKey(api.organizationId, `cash#${of}`, chain)))?.granted;
const playAt = async (userId: string, now: number) => {
  const asked = { organizationId: api.organizationId, userId, game: 'prizewheel', lang: 'en', now } as const;
  const { token } = await createPlay(asked);
  return play(token, '', now);
};

/** Repeats a request as long as it is refused with status 429. */
async function untilDone<T>(run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 429) throw error;
    }
  }
}

describe('cash chains', () => {
  const withCashChains = async (chains: string) => {
    const typed = { cashChains: chains, dailyCash: '5000' };
    await setLimits(api.organizationId, typed, { operator: 'test', now: noon - 24 * 3_600_000 });
  };

  test('no chain grants more than its share, and all chains together grant the limit', async () => {
    await winner();
    await withCashChains('3');
    await api.put('/debug/daily-cash-limit', { cash_limit: 5 });
    const users: string[] = [];
    for (const chain of [0, 1, 2])
      while (users.filter((user) => cashChainOf(user, 3) === chain).length < 3) users.push(await api.user(1));
    const outcomes = await Promise.all(users.map((user) => untilDone(() => playAt(user, noon))));
    const won = outcomes.filter(({ outcome }) => outcome.prize.cash_usd === 1);
    expect(won).toHaveLength(5);
    const chains = [0, 1, 2].map((chain) => budgetKey(api.organizationId, `cash#${day}`, chain));
    expect((await getAll(chains)).map((item) => item?.granted)).toEqual([{ usd: 2 }, { usd: 2 }, { usd: 1 }]);
    for (const { outcome } of outcomes) {
      const { user_id: user, id } = outcome;
      const record = await get(recordKey(api.organizationId, user, 'outcomes', ulidOf(id)));
      expect(record).toMatchObject({ budgets: { cash: { limit: [2, 2, 1][cashChainOf(user, 3)] } } });
    }
  });

  test('a new number of chains applies from the next day on, and the limit holds on both days', async () => {
    await winner();
    const user = await api.user(10);
    await playAt(user, noon - 24 * 3_600_000);
    await withCashChains('4');
    await playAt(user, noon - 24 * 3_600_000);
    expect(await grantedOn(addDays(day, -1), 0)).toEqual({ usd: 2 });
    await playAt(user, noon);
    expect(await grantedOn(day, cashChainOf(user, 4))).toEqual({ usd: 1 });
  });

  test('a process that does not know about the chains yet reads the right chain of a user', async () => {
    await withCashChains('2');
    const { organizationId } = api;
    const granted = { granted: { usd: 2500 }, granted_on_day: { usd: 2500 } };
    await put({ ...budgetKey(organizationId, `cash#${day}`, 0), grants: 1, day, ...granted });
    let user = await api.user();
    while (cashChainOf(user, 2) === 0) user = await api.user();
    expect(await readCircumstances(organizationId, user, noon)).toMatchObject({
      budgets: { cash: { grants: 0, granted: {}, limit: 2500 } },
    });
  });
});

test('a second change on the same day does not affect that day, in any copy of the settings', async () => {
  for (const cashChains of ['4', '8', '2'])
    await setLimits(api.organizationId, { cashChains, dailyCash: '20000' }, { operator: 'test', now: noon });
  const keys = [organizationKey(api.organizationId), settingsKey(api.organizationId, 7)];
  for (const item of await getAll(keys)) {
    const settings = settingsOf(item);
    expect(settings).toMatchObject({ cash_chains: 2, chains_before: { day, count: 1 } });
    expect([addDays(day, -1), day, addDays(day, 1)].map((on) => cashChainsOn(settings, on))).toEqual([
      1, 1, 2,
    ]);
  }
});

describe('a change of the chains is refused', () => {
  const limits = (typed: Parameters<typeof setLimits>[1], now: number) =>
    setLimits(api.organizationId, typed, { operator: 'test', now });

  test('if a chain could no longer pay one of the cash prizes', async () => {
    await expect(limits({ cashChains: '16' }, noon)).rejects.toThrow(
      'nobody could win the 100 USD prize of prizewheel',
    );
    await limits({ cashChains: '16', dailyCash: '20000' }, noon);
    await expect(limits({ dailyCash: '1000' }, noon)).rejects.toThrow('each has 62 USD');
    const settings = settingsOf((await getAll([organizationKey(api.organizationId)]))[0]);
    expect(settings).toMatchObject({ daily_cash_limit_usd: 20_000, cash_chains: 16 });
  });

  test('if there would be more than 16', async () => {
    await expect(limits({ cashChains: '17', dailyCash: '20000' }, noon)).rejects.toThrow(
      'cash_chains: Input should be less than or equal to 16',
    );
  });

  test('around midnight', async () => {
    const midnight = startOfDay(addDays(day, 1));
    for (const ms of [-240_000, -1, 1, 240_000]) {
      const around = limits({ cashChains: '4', dailyCash: '20000' }, midnight + ms);
      await expect(around).rejects.toThrow('again in ten minutes');
    }
  });
});

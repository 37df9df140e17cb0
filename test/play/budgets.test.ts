import { beforeEach, describe, expect, test } from 'vitest';
import { renderPlayPage } from '../../functions/play/page/render.ts';
import { readSessionView } from '../../functions/play/page/session-view.ts';
import { en } from '../../functions/play/page/texts/en.ts';
import { es } from '../../functions/play/page/texts/es.ts';
import type { ListedPrize } from '../../functions/play/page/view.ts';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import { readPlaySession } from '../../shared/games/play-sessions.ts';
import { createPlayUrl, play } from '../../shared/games/plays.ts';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { type DebugResult, debugResults } from '../../shared/vocabulary.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';
import { pageData } from '../world/actors/page-data.ts';

let api: Api;
const hour = 3_600_000;
const midnight = startOfDay(addDays(dayOf(Date.now()), 1));
beforeEach(async () => {
  api = await newOrganization();
});
const prizes = [prizeOf('cash_usd', 10, 1_000_000), prizeOf('tickets', 1, 1), prizeOf('entry_truck', 1, 1)];

/** Creates a play URL at the time `now`. Returns functions that render its page and play it. */
async function opened(userId: string, now: number, debug?: DebugResult) {
  const { organizationId } = api;
  const { token } = await createPlayUrl(
    { organizationId, userId, game: 'prizewheel', lang: 'en', now },
    debug,
  );
  const rendered = async () =>
    renderPlayPage(await readSessionView((await readPlaySession(token))!, now)).html;
  const page = async () => pageData(await rendered())!;
  return { rendered, page, played: () => play(token, '', now) };
}
const listed = (page: Record<string, unknown>) =>
  (page.prizes as ListedPrize[]).map(({ kind, available, out_for }) => [kind, available, out_for]);

describe('the play page shows which prizes are in the draw', () => {
  test('if paced cash becomes available later', async () => {
    await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
    await setLimits(api.organizationId, { dailyCash: '24', cashPacing: 'on' }, testContext());
    const user = await api.user(10);
    const early = await (await opened(user, midnight)).page();
    expect(listed(early)).toEqual([
      ['cash_usd', false, 'later'],
      ['tickets', true, undefined],
      ['entry_truck', false, 'later'],
    ]);
    expect(early.text).toContain(en.notice.ticketsForNow);
    const late = await opened(user, midnight + 10 * hour);
    expect(listed(await late.page())[0]).toEqual(['cash_usd', true, undefined]);
  });

  test.each([
    ['a daily limit of 0', '0', undefined],
    ['less cash than the smallest prize', '9', undefined],
    ['a forced result', '500', 'tickets_only'],
  ] as const)('without a claim that cash was won, with %s', async (_, dailyCash, debug) => {
    await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
    await setLimits(api.organizationId, { dailyCash }, testContext());
    const { text } = await (await opened(await api.user(10), midnight, debug)).page();
    expect(text).toContain(en.notice.ticketsOnly);
    for (const { notice, client } of [en, es])
      for (const claim of [notice.ticketsOnly, notice.ticketsForNow, client.fair.shrunk])
        expect(claim).not.toMatch(/all been won|players won|ganó|ganaron/);
  });

  test('if the user has the day’s maximum of wins', async () => {
    await putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
    await setLimits(api.organizationId, { dailyWins: '1' }, testContext());
    const user = await api.user(10);
    await (await opened(user, midnight)).played();
    const { page, played } = await opened(user, midnight);
    const before = await page();
    expect(listed(before)).toEqual([
      ['cash_usd', false, 'today'],
      ['tickets', true, undefined],
      ['entry_truck', true, undefined],
    ]);
    expect(before.text).toContain(en.notice.winsUsedUp.one);
    await played();
    expect(listed(await page())).toEqual(listed(before));
  });

  test('if other users have won all of a prize’s stock, for the day or in total', async () => {
    const of = (id: string, stock: object) => ({ ...prizeOf('prize_imt', 1, 500_000), id, ...stock });
    const both = of('both', { stock: 1, stock_per_day: 1 });
    const stocked = [of('day', { stock_per_day: 1 }), of('good', { stock: 1 }), both, prizes[1]!];
    await putPrizeTable(api.organizationId, 'prizewheel', stocked, testContext());
    const first = await opened(await api.user(2), midnight);
    expect(listed(await first.page())[0]).toEqual(['prize_imt', true, undefined]);
    const { fairness } = await first.played();
    const own = await first.page();
    expect(own.text).toContain('No. 1 overall, no. 1 that day');
    for (const _ of [2, 3]) await (await opened(await api.user(2), midnight)).played();
    const last = await opened(await api.user(2), midnight);
    const page = await last.page();
    expect(listed(page)).toEqual([
      ['prize_imt', false, 'won_today'],
      ['prize_imt', false, 'won'],
      ['prize_imt', false, 'won'],
      ['tickets', true, undefined],
    ]);
    expect(page.text).toContain(en.odds.outFor.won);
    expect(page.text).toContain(en.odds.outFor.won_today);
    expect(page.text).toContain('100%');
    // The page of the first play still shows all prizes with limited stock, because all were in its draw.
    expect(fairness.budgets?.stock?.out).toBeUndefined();
    expect(listed(own)[1]).toEqual(['prize_imt', true, undefined]);
    // The outcome does not record that the last prize's total stock was used up too.
    await last.played();
    const reasons = listed(await last.page()).map(([, , reason]) => reason);
    expect(reasons).toEqual(['won_today', 'won', 'won_today', undefined]);
  });
});

test.each(debugResults)('the play page of a debug play shows that only %s can be won', async (result) => {
  const kind = { jackpot: 'cash_usd', tickets_only: 'tickets' }[result as string] ?? result;
  const ofKind = defaultPrizeTables.prizewheel.prizes.filter((prize) => prize.kind === kind);
  const most = Math.max(...ofKind.map(({ amount }) => amount));
  const { page, rendered } = await opened(await api.user(10), midnight, result);
  const prizes = (await page()).prizes as ListedPrize[];
  const inDraw = prizes.filter(({ available }) => available);
  expect(inDraw.map(({ id }) => id)).toEqual(
    ofKind.filter(({ amount }) => result !== 'jackpot' || amount === most).map(({ id }) => id),
  );
  const reasons = prizes.flatMap(({ available, weight, out_for }) =>
    available || weight === 0 ? [] : [out_for],
  );
  expect(new Set(reasons)).toEqual(new Set([result === 'tickets_only' ? 'today' : 'test']));
  const onWheel = new Set((await rendered()).match(/(?<=data-prize=")[^"]+/g));
  expect(onWheel.size).toBe((result === 'tickets_only' ? inDraw : prizes).length);
});

test('the play page refuses a user with too few tickets, and counts the day’s plays of another', async () => {
  const poor = await (await opened(await api.user(0), midnight)).page();
  expect(poor).toMatchObject({ state: 'refused', restriction: { code: 'insufficient_tickets' } });
  await setLimits(api.organizationId, { dailySpins: '1' }, testContext());
  const user = await api.user(10);
  await (await opened(user, midnight)).played();
  const done = await (await opened(user, midnight)).page();
  const until = new Date(startOfDay(addDays(dayOf(midnight), 1))).toISOString();
  expect(done.restriction).toEqual({ code: 'daily_spin_limit_reached', until, limit: 1 });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setPromotion } from '../../infra/operate/admin/promotion.ts';
import { makeScheduledChanges } from '../../shared/actions/scheduled-changes.ts';
import { queueSpins } from '../../shared/amoe/spin-orders.ts';
import { runShardSpins } from '../../shared/amoe/spin-run.ts';
import type { Promotion } from '../../shared/games/promotion.ts';
import { readPromotionCash } from '../../shared/games/stored-budgets.ts';
import { sha256 } from '../../shared/ids.ts';
import { shardOf } from '../../shared/shards.ts';
import { recordsOfUser } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, dayOf, isoOf, startOfDay } from '../../shared/time.ts';
import { admin } from '../support/admin.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { untilAnswered } from '../support/repeat.ts';
import { testContext } from '../support/test-context.ts';
import { newUrl, openUrl, playAt } from './support/plays.ts';

const [today, tomorrow, next] = [0, 1, 2].map((days) => addDays(dayOf(Date.now()), days)) as [
  string,
  string,
  string,
];
const noon = (day: string) => startOfDay(day) + 12 * 3_600_000;
const mostlyCash = [prizeOf('cash_usd', 10, 1_000_000), prizeOf('tickets', 1, 1)];
const mostlyGifts = [prizeOf('prize_merchandise', 1, 1_000_000), prizeOf('tickets', 1, 1)];

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});
const setTable = (prizes: typeof mostlyCash) =>
  putPrizeTable(api.organizationId, 'prizewheel', prizes, testContext());
const run = (noun: string, verb: string, ...options: string[]) =>
  admin(noun, verb, '--org', api.organizationId, ...options);
const set = (first: string, last: string, ...options: string[]) =>
  run('promotion', 'set', '--name', 'Spring', '--first-day', first, '--last-day', last, ...options);
const prizeAt = async (user: string, now: number) =>
  Object.keys((await playAt(api, user, now)).outcome.prize)[0];
const queueAt = (now: number, userId: string, spins: number, key = 'a') => {
  const asked = { num_of_spins: spins, idempotency_key: key };
  return queueSpins({ organizationId: api.organizationId, userId, asked, now });
};
async function runSpins(user: string, now: number) {
  const { organizationId: organization_id } = api;
  const clock = { now: () => now, timeIsUp: () => false };
  await runShardSpins({ organization_id, shard: shardOf(user), day: dayOf(now) }, clock);
  const outcomes = await readRange(recordsOfUser(organization_id, user, 'outcomes'), { consistent: true });
  return outcomes.map(({ prize_id }) => prize_id);
}
const lastAction = async () => (await run('audit', 'list')).json.actions.at(-1);

describe('outside a promotion', () => {
  test('only tickets can be won, from midnight to midnight in New York', async () => {
    await setTable(mostlyGifts);
    expect((await set(tomorrow, tomorrow)).code).toBe(0);
    const user = await api.user(9);
    const [begin, end] = [startOfDay(tomorrow), startOfDay(next)];
    expect(await prizeAt(user, begin - 1)).toBe('tickets');
    expect(await prizeAt(user, begin)).toBe('prize_merchandise');
    expect(await prizeAt(user, end - 1)).toBe('prize_merchandise');
    expect(await prizeAt(user, end)).toBe('tickets');
  });

  test('hosts and players are told from when until when', async () => {
    await set(tomorrow, next, '--cash-limit', '100');
    const user = await api.user(9);
    const promotion = {
      name: 'Spring',
      starts_at: isoOf(startOfDay(tomorrow)),
      ends_at: isoOf(startOfDay(addDays(next, 1))),
    };
    const told = { promotion, restrictions: ['tickets_only'] };
    const at = (name: 'games/check-eligibility' | 'users/summary', now = Date.now()) =>
      untilAnswered(() => invoke(name, { organizationId: api.organizationId, path: { user_id: user }, now }));
    expect((await at('games/check-eligibility')).body).toMatchObject({ ...told, playable: true });
    expect((await at('games/check-eligibility', noon(next))).body).toMatchObject({
      promotion,
      restrictions: [],
    });
    const { body: summary } = await at('users/summary');
    expect([summary.promotion, summary.games[0].restrictions]).toEqual([promotion, ['tickets_only']]);
    const { body } = await api.post(`/users/${user}/games/play`);
    expect(body).toMatchObject(told);
    const page = (await openUrl(body.url)).body;
    expect(page).toContain('The promotion is not on today.');
    const long = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    const [from, to] = [tomorrow, next].map((day) => long.format(new Date(day)));
    expect(page).toContain(`Spring: from ${from} to ${to}, New York time.`);
    const spanish = await newUrl(api, user, { lang: 'es' });
    expect((await openUrl(spanish)).body).toContain('Hoy no está vigente la promoción.');
  });

  test('a free spin counts on the day of its order, also if another promotion is set at midnight', async () => {
    await setTable(mostlyGifts);
    await set(today, today);
    const follows = ['--name', 'Summer', '--first-day', next, '--last-day', next, '--from', tomorrow];
    expect((await run('promotion', 'set', ...follows)).code).toBe(0);
    expect((await set(today, tomorrow, '--despite-rules')).error).toContain('cancel it first');
    const [early, late] = [await api.user(), await api.user()];
    await queueAt(startOfDay(tomorrow) - 1, early, 3);
    await makeScheduledChanges(() => startOfDay(tomorrow), api.organizationId);
    const corrected = { name: 'Fall', first_day: next, last_day: next };
    const context = { operator: 'ana', now: startOfDay(tomorrow), stage: 'local' } as const;
    await setPromotion(api.organizationId, corrected, {}, context);
    expect(await runSpins(early, startOfDay(tomorrow))).toEqual(times(3, () => 'prize-merchandise-1'));
    await queueAt(startOfDay(next) - 1, late, 3);
    expect(await runSpins(late, startOfDay(next))).toEqual(times(3, () => 'tickets-1'));
  });
});

test('the cash of a promotion is limited over its days, for plays and free spins together', async () => {
  await setTable([
    prizeOf('cash_usd', 10, 2_000_000_000),
    prizeOf('prize_imt', 1, 2000),
    prizeOf('tickets', 1, 1),
  ]);
  await set(today, next, '--cash-limit', '100');
  const users = await Promise.all(times(8, () => api.user(1)));
  await Promise.all(users.map((user) => playAt(api, user, noon(today))));
  expect(await readPromotionCash(api.organizationId, today)).toBe(80);
  const free = await api.user();
  await queueAt(noon(today), free, 5);
  const won = await runSpins(free, noon(tomorrow));
  expect(won).toEqual(['cash-usd-10', 'cash-usd-10', ...times(3, () => 'tickets-1')]);
  expect(await prizeAt(await api.user(1), noon(next))).toBe('tickets');
  expect((await run('promotion', 'show')).json.promotion).toMatchObject({
    state: 'running',
    cash_won_usd: 100,
  });
});

describe('once a promotion has begun', () => {
  const [rules, insisting] = ['has begun, so its odds stand', '--despite-rules'];

  test.each([
    ['cost', ['game', 'set', '--game', 'truck', '--cost', '7']],
    ['limit', ['game', 'limits', '--daily-cash', '900']],
    ['scheduled limit', ['game', 'limits', '--daily-wins', '3', '--from', tomorrow]],
    [
      'cap',
      ['promotion', 'set', '--name', 'Spring', '--first-day', today, '--last-day', next, '--cash-limit', '9'],
    ],
    ['end', ['promotion', 'clear']],
  ])(
    'its %s changes only by an operator who insists, which the record says',
    async (_, [noun, verb, ...options]) => {
      await set(today, next);
      const refused = await run(noun!, verb!, ...options);
      expect([refused.code, refused.error]).toEqual([2, expect.stringContaining(`“Spring” ${rules}`)]);
      expect((await run(noun!, verb!, ...options, insisting)).code).toBe(0);
      const { action_id, about } = await lastAction();
      expect(about).toMatchObject({ despite_rules: 'Spring' });
      const { state } = (await admin('explain', action_id, '--json')).json;
      expect(state).toMatch(/^It (changed|scheduled) (?!.*\[object).+, despite the rules of “Spring”\.$/);
    },
  );

  test('a dry run warns, and brakes and debug routes need no insistence', async () => {
    await set(today, next);
    const dry = await run('game', 'set', '--game', 'truck', '--cost', '7', '--dry-run');
    expect(dry.json.warning).toContain(rules);
    expect((await run('game', 'limits', '--daily-cash', '0')).code).toBe(0);
    expect((await run('game', 'pause', '--game', 'truck', '--why', 'test')).code).toBe(0);
    expect((await run('org', 'suspend', '--why', 'test')).code).toBe(0);
    expect((await run('org', 'resume', '--why', 'test')).code).toBe(0);
    expect((await lastAction()).about).toBeUndefined();
    await untilAnswered(() =>
      invoke('debug/daily-cash-limit', { organizationId: api.organizationId, body: { cash_limit: 20 } }),
    );
    expect((await lastAction()).about).toEqual({ despite_rules: 'Spring' });
  });
});

describe('the rules of a promotion', () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/rules' ? 200 : 404).end('The rules');
  });
  let url: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rules`;
  });
  afterAll(() => server.close());

  test('are stored with their digest, linked on the page, and missing parts are listed for a filing', async () => {
    expect((await set(tomorrow, next, '--rules-en', `${url}/none`)).error).toContain(
      "can't be read: status 404",
    );
    const { promotion }: { promotion: Promotion } = (await set(tomorrow, next, '--rules-en', url)).json;
    const digest = Buffer.from(sha256('The rules'), 'base64url').toString('hex');
    expect(promotion.rules).toEqual({ en: { url, sha256: digest } });
    expect((await openUrl(await newUrl(api, await api.user(1)))).body).toContain(`href="${url}"`);
    await setTable([{ ...prizeOf('prize_merchandise', 1, 1), value_usd: 1500, stock: 2 }, ...mostlyCash]);
    await putPrizeTable(api.organizationId, 'truck', [prizeOf('entry_truck', 1, 1)], testContext());
    await putPrizeTable(api.organizationId, 'flight', [prizeOf('tickets', 1, 1)], testContext());
    const filing = async () => (await run('promotion', 'show', '--filing')).json;
    const incomplete = { total_value_usd: 4500, total_is_complete: false, states: [{ is_above: null }, {}] };
    expect(await filing()).toMatchObject(incomplete);
    expect((await filing()).missing.at(-1)).toBe('drawing of truck entries, which games give');
    const after = addDays(next, 1);
    const terms = '--type truck --prize Truck --value-usd 45000 --winners 2 --claim-days 9'.split(' ');
    await run('drawing', 'announce', ...terms, '--closes', after, '--draws', `${addDays(next, 9)}T20:00`);
    const json = await filing();
    expect(json.prizes.at(-1)).toMatchObject({ label: 'Truck', number: 2, value_usd: 45_000 });
    expect(json).toMatchObject({
      maximum_cash_usd: 1500,
      total_value_usd: 94_500,
      total_is_complete: true,
      missing: ['free entry text (en)', 'official rules (es)', 'free entry text (es)'],
      states: [
        {
          state: 'New York',
          is_above: true,
          file_by: addDays(tomorrow, -30),
          winners_list_by: addDays(next, 90),
        },
        {
          state: 'Florida',
          is_above: true,
          file_by: addDays(tomorrow, -7),
          winners_list_by: addDays(next, 60),
        },
      ],
    });
    expect(json.prizes[0]).toMatchObject({ prize: 'prize-merchandise-1', number: 2, value_usd: 1500 });
  });

  test.each([
    ['a last day before the first', next, tomorrow, 'is before the first'],
    ['no day', '2027-02-30', next, '--first-day: Input should be a day'],
    ['a last day that has passed', '2026-01-01', '2026-01-02', 'has passed'],
  ])('%s is refused', async (_, first, last, message) => {
    expect((await set(first, last)).error).toContain(message);
  });

  test('a promotion cannot begin before the one that has begun has ended, which goes on until then', async () => {
    await setTable(mostlyGifts);
    await set(today, next);
    const refused = `A promotion has begun and ends on ${next}`;
    expect((await set(tomorrow, next)).error).toContain(refused);
    const later = addDays(next, 1);
    expect((await set(later, later, '--despite-rules')).error).toContain(refused);
    expect(await prizeAt(await api.user(9), noon(today))).toBe('prize_merchandise');
    expect((await set(later, later, '--from', later)).code).toBe(0);
    const filing = await run('promotion', 'show', '--filing', '--from', later);
    expect(filing.json).toMatchObject({ first_day: later, maximum_cash_usd: 1000 });
  });

  test('a change of odds that waits for a day of a promotion needs insistence, also in its dry run', async () => {
    const at = ['--game', 'truck', '--from', tomorrow, '--cost'];
    await run('game', 'set', ...at, '7');
    expect((await set(tomorrow, next)).error).toContain('of odds waits');
    expect((await set(tomorrow, next, '--despite-rules')).code).toBe(0);
    const dry = await run('game', 'set', ...at, '8', '--dry-run');
    const warning = expect.stringContaining('“Spring”');
    expect(dry.json).toMatchObject({ warning, changes: [{ before: 7, after: 8 }] });
  });

  test('cannot be cleared on the day on which free spins of its last day run', async () => {
    await set(today, today);
    const { error } = await run('promotion', 'clear', '--from', tomorrow);
    expect(error).toContain(`clear the promotion after ${tomorrow}`);
    expect((await run('promotion', 'clear', '--from', next)).code).toBe(0);
  });
});

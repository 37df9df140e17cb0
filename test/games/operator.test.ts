import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyRecordedOutcome } from '../../infra/operate/admin/explain/verify-outcome.ts';
import { previewGame, setGame, showGames } from '../../infra/operate/admin/games.ts';
import { setLimits } from '../../infra/operate/admin/limits.ts';
import { findOutcome } from '../../shared/games/find-outcome.ts';
import { defaultPrizeTables, type Prize } from '../../shared/games/prize-tables.ts';
import { canonicalJson, newId } from '../../shared/ids.ts';
import { getItem, putItem, tableClient } from '../../shared/table/client.ts';
import { actionsByTime, organizationKey } from '../../shared/table/keys.ts';
import { readRange } from '../../shared/table/ranges.ts';
import { addDays, dayOf, startOfDay } from '../../shared/time.ts';
import { admin as runAdmin } from '../support/admin.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { watchingCalls } from '../support/calls.ts';
import { prizeOf } from '../support/prize.ts';
import { outcomeOf, userOf, writeRecords } from '../support/records.ts';
import { testContext } from '../support/test-context.ts';
import { newUrl, openUrl, spinAt, spinUrl } from './support/plays.ts';

let api: Api;
beforeEach(async () => {
  api = await newOrganization();
});
const folder = mkdtempSync(join(tmpdir(), 'prize-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileOf = (content: unknown) => {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};

describe('an operator', () => {
  test('sees the default settings', async () => {
    const { games, suspended, paused, ...limits } = await showGames(api.organizationId);
    expect([suspended, paused]).toEqual([false, []]);
    expect(limits).toEqual({
      daily_cash_limit_usd: 500,
      daily_cash_paced: false,
      daily_spin_limit_on: true,
      daily_spin_limit: 5,
      daily_win_limit: 'off',
      rules_url: '',
    });
    expect(games).toMatchObject({
      prizewheel: { cost: 1, version: defaultPrizeTables.prizewheel.version },
      truck: { cost: 5, version: defaultPrizeTables.truck.version },
      flight: { cost: 10, version: defaultPrizeTables.flight.version },
    });
    const jackpot = games.prizewheel?.prizes.find(({ id }) => id === 'cash-100');
    expect(jackpot?.chance_percent).toBe(0.05);
  });

  test('sets an organization’s own table and cost for its next plays', async () => {
    const file = fileOf({ prizes: [prizeOf('tickets', 4, 3), prizeOf('prize_imt', 1, 1)] });
    await setGame(api.organizationId, 'truck', { file, cost: '2' }, testContext());
    const shown = await showGames(api.organizationId, 'truck');
    expect(shown.games).toMatchObject({
      truck: { cost: 2, prizes: [{ chance_percent: 75 }, { chance_percent: 25 }] },
    });
    const user = await api.user(2);
    const { body } = await spinUrl(await newUrl(api, user, { game: 'truck' }));
    expect(['tickets-4', 'prize-imt-1']).toContain(body.fairness.prize_id);
  });

  test('sets each limit and the rules URL separately', async () => {
    await setLimits(
      api.organizationId,
      { dailyCash: '0', rulesUrl: 'https://example.com/rules' },
      testContext(),
    );
    await setLimits(api.organizationId, { dailySpins: '1' }, testContext());
    const user = await api.user(9);
    const now = Date.now();
    const url = await newUrl(api, user);
    expect((await openUrl(url)).body).toContain('https://example.com/rules');
    expect((await spinAt(now, url)).body.fairness.budgets.cash.limit).toBe(0);
    expect((await spinAt(now, await newUrl(api, user))).body.code).toBe('daily_spin_limit_reached');
    await setLimits(api.organizationId, { dailySpins: 'off', rulesUrl: 'none' }, testContext());
    expect((await spinAt(now, await newUrl(api, user))).status).toBe(200);
    const on = await setLimits(api.organizationId, { dailySpins: 'on' }, testContext());
    expect(on).toEqual({
      daily_cash_limit_usd: 0,
      daily_cash_paced: false,
      daily_spin_limit_on: true,
      daily_spin_limit: 1,
      daily_win_limit: 'off',
      rules_url: '',
    });
  });

  test.each<[string, () => Promise<unknown>, string]>([
    [
      'a fractional cost',
      () => setGame(api.organizationId, 'truck', { cost: '1.5' }, testContext()),
      'cost_truck: Input should be a valid integer, got a number with a fractional part',
    ],
    [
      'a negative cash limit',
      () => setLimits(api.organizationId, { dailyCash: '-1' }, testContext()),
      'daily_cash_limit_usd: Input should be greater than or equal to 0',
    ],
    [
      'a spin limit of 0',
      () => setLimits(api.organizationId, { dailySpins: '0' }, testContext()),
      'daily_spin_limit: Input should be greater than or equal to 1',
    ],
    [
      'a spin limit in words',
      () => setLimits(api.organizationId, { dailySpins: 'five' }, testContext()),
      'daily_spin_limit: Input should be a valid integer',
    ],
    [
      'a rules URL without TLS',
      () => setLimits(api.organizationId, { rulesUrl: 'http://example.com' }, testContext()),
      'rules_url: Input should be a valid URL',
    ],
    [
      'an unknown game',
      () => setGame(api.organizationId, 'boat', { cost: '1' }, testContext()),
      'There is no game "boat". Choose one of: prizewheel, truck, flight.',
    ],
    [
      'nothing to set',
      () => setGame(api.organizationId, 'truck', {}, testContext()),
      'Give --file, --cost, or both.',
    ],
    [
      'a missing file',
      () => setGame(api.organizationId, 'truck', { file: '/nowhere.json' }, testContext()),
      "/nowhere.json can't be read",
    ],
    [
      'a file that is not JSON',
      () => setGame(api.organizationId, 'truck', { file: fileOf('{') }, testContext()),
      'is not JSON',
    ],
    [
      'a faulty table together with a cost',
      () =>
        setGame(
          api.organizationId,
          'truck',
          { file: fileOf({ prizes: [prizeOf('cash_usd', 1, 1)] }), cost: '3' },
          testContext(),
        ),
      'prizes: At least one prize should be tickets',
    ],
  ])('cannot set %s, and nothing changes', async (_, attempt, message) => {
    const before = await showGames(api.organizationId);
    await expect(attempt()).rejects.toThrow(message);
    expect(await showGames(api.organizationId)).toEqual(before);
  });

  test('verifies outcomes, including those of a replaced table and of debug plays', async () => {
    await setLimits(api.organizationId, { dailySpins: 'off' }, testContext());
    const user = await api.user(20);
    const file = fileOf({ prizes: [prizeOf('tickets', 4, 3), prizeOf('prize_imt', 1, 1)] });
    const urls = await Promise.all(times(3, () => newUrl(api, user)));
    await setGame(api.organizationId, 'prizewheel', { file }, testContext());
    urls.push(await newUrl(api, user));
    urls.push((await api.post(`/debug/users/${user}/games/play`, { result: 'tickets_only' })).body.url);
    for (const url of urls) {
      const { body } = await spinUrl(url, { client_seed: 'a seed' });
      const result = await verifyRecordedOutcome(api.organizationId, body.outcome.id);
      expect(result).toMatchObject({ verified: true, faults: [] });
      expect(result.outcome).toMatchObject(body.outcome);
    }
  });

  test('sees the faults of an outcome whose record was altered', async () => {
    const user = await api.user(1);
    const { body } = await spinUrl(await newUrl(api, user));
    const record = await findOutcome(api.organizationId, body.outcome.id);
    await putItem({ ...record, prize_id: 'another', prize: { cash_usd: 100 } });
    const result = await verifyRecordedOutcome(api.organizationId, body.outcome.id);
    expect(result.verified).toBe(false);
    expect(result.faults.join()).toContain(`The draw gives “${record!.prize_id}”`);
    expect(result.not_checked.join()).toContain('book of its day');
  });

  test('cannot find an outcome of another organization', async () => {
    const { body } = await spinUrl(await newUrl(api, await api.user(1)));
    const other = await newOrganization();
    for (const id of [body.outcome.id, 'out_x', 'out_01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
      await expect(verifyRecordedOutcome(other.organizationId, id)).rejects.toThrow('has no outcome');
    }
  });
});

describe('the commands', () => {
  const admin = (...args: string[]) => runAdmin(...args, '--org', api.organizationId);

  test('game set, limits and show print the current settings', async () => {
    const file = fileOf({ prizes: [prizeOf('tickets', 4, 3)] });
    const set = await admin('game', 'set', '--game', 'flight', '--file', file, '--cost', '3');
    expect(set).toMatchObject({ code: 0, json: { games: { flight: { cost: 3 } } } });
    const limits = await admin('game', 'limits', '--daily-cash', '7', '--daily-spins', '2');
    expect(limits).toMatchObject({ code: 0, json: { daily_cash_limit_usd: 7, daily_spin_limit: 2 } });
    const shown = await admin('game', 'show');
    expect(shown.json).toMatchObject({ ...limits.json, games: set.json.games });
    expect(Object.keys(shown.json.games)).toEqual(['prizewheel', 'truck', 'flight']);
  });

  test.each([[[]], [['--game', 'flight']]])(
    'the output of game show %j is valid input of game set',
    async (named) => {
      const file = fileOf({ prizes: [prizeOf('tickets', 4, 3), prizeOf('cash_usd', 2, 1)] });
      const before = await admin('game', 'set', '--game', 'flight', '--file', file);
      const shown = fileOf((await admin('game', 'show', ...named)).out);
      await admin(
        'game',
        'set',
        '--game',
        'flight',
        '--file',
        fileOf({ prizes: [prizeOf('tickets', 1, 1)] }),
      );
      const { code, json } = await admin('game', 'set', '--game', 'flight', '--file', shown, '--costly');
      expect({ code, json }).toEqual({ code: 0, json: before.json });
    },
  );

  test('game set refuses an edited file if another operator has changed the table since it was printed', async () => {
    const set = (file: string, ...more: string[]) =>
      admin('game', 'set', '--game', 'flight', '--file', file, ...more);
    const { json } = await admin('game', 'show', '--game', 'flight');
    json.games.flight.prizes[0].weight++;
    const edited = fileOf(json);
    expect((await set(edited, '--dry-run')).code).toBe(0);
    await set(fileOf({ prizes: [prizeOf('tickets', 4, 3)] }));
    const tomorrow = addDays(dayOf(Date.now()), 2);
    for (const more of [[], ['--dry-run'], ['--from', tomorrow], ['--cost', '9']]) {
      const { code, error } = await set(edited, ...more);
      expect([code, error]).toEqual([1, expect.stringContaining('is now in place. Run game show')]);
    }
    expect((await showGames(api.organizationId)).games.flight).toMatchObject({ cost: 10, prizes: [{}] });
    delete json.games.flight.version;
    expect((await set(fileOf(json), '--costly')).code).toBe(0);
  });

  test('a table and a cost are recorded as one change, and an unchanged table is not recorded again', async () => {
    const file = fileOf({ prizes: [prizeOf('tickets', 4, 3)] });
    await setGame(api.organizationId, 'truck', { file, cost: '2' }, testContext());
    await setGame(api.organizationId, 'truck', { file, cost: '3' }, testContext());
    const actions = await readRange(actionsByTime(api.organizationId));
    const [both, cost] = actions.slice(-2);
    expect(both).toMatchObject({ after: { cost_truck: 2 }, table: { game: 'truck' } });
    expect(cost).toMatchObject({ before: { cost_truck: 2 }, after: { cost_truck: 3 } });
    expect(cost).not.toHaveProperty('table');
  });

  test('game show prints holds', async () => {
    await admin('org', 'suspend', '--why', 'x');
    await admin('game', 'pause', '--game', 'truck', '--why', 'x');
    expect((await admin('game', 'show')).json).toMatchObject({ suspended: true, paused: ['truck'] });
  });

  test.each([
    [['user', 'freeze', '--user', 'usr_x', '--why', ' \t\n'], '--why is empty.'],
    [
      ['user', 'freeze', '--user', 'usr_x', '--why', 'half a pair \ud83c'],
      '--why contains an invalid Unicode character.',
    ],
    [
      ['game', 'limits', '--rules-url', `https://a.com/${'\u0001'.repeat(400)}`],
      'Input should be a valid URL',
    ],
    [
      ['user', 'find', '--reference', 'r'.repeat(2049)],
      '--reference is too long: the limit is 2048 characters.',
    ],
    [['game', 'limits', '--rules-url', 'https://a.com/ b'], 'Input should be a valid URL'],
  ])('%j is refused', async (args, message) => {
    const before = await readRange(actionsByTime(api.organizationId));
    const { code, error } = await admin(...args);
    expect(code).toBeGreaterThan(0);
    expect(error).toContain(message);
    expect(await readRange(actionsByTime(api.organizationId))).toEqual(before);
  });

  test('game set with --dry-run prints the changes and writes nothing', async () => {
    const set = ['game', 'set', '--game', 'flight'];
    await admin(...set, '--file', fileOf({ prizes: [prizeOf('tickets', 4, 3), prizeOf('cash_usd', 2, 1)] }));
    await admin('game', 'limits', '--daily-cash', '5');
    const { organizationId } = api;
    const held = async () =>
      canonicalJson([
        await getItem(organizationKey(organizationId)),
        await readRange(actionsByTime(organizationId)),
      ]);
    const before = await held();
    const cash = { ...prizeOf('cash_usd', 2, 1), amount: 5, label: { en: 'Five', es: 'cash_usd 2' } };
    const file = fileOf({ prizes: [cash, prizeOf('tickets', 1, 1)] });
    const { result, calls } = await watchingCalls(tableClient, () =>
      admin(...set, '--file', file, '--cost', '7', '--dry-run'),
    );
    expect(
      calls.map(({ operation }) => operation).filter((name) => !/^(Get|BatchGet|Query)/.test(name)),
    ).toEqual([]);
    expect(await held()).toBe(before);
    expect(result).toMatchObject({
      code: 0,
      json: {
        dry_run: true,
        game: 'flight',
        changes: expect.arrayContaining([
          { field: 'cost', before: 10, after: 7 },
          { field: 'order', before: 'tickets-4,cash-usd-2', after: 'cash-usd-2,tickets-1' },
          { field: 'tickets-4.weight', before: 3, after: null },
          { field: 'tickets-1.weight', before: null, after: 1 },
          { field: 'cash-usd-2.amount', before: 2, after: 5 },
          { field: 'cash-usd-2.label.en', before: 'cash_usd 2', after: 'Five' },
        ]),
        chances_percent: { 'tickets-1': 50, 'cash-usd-2': 50 },
        play: { cash_usd: 2.5, cash_variance: 6.25, value_usd: 2.5, tickets: 0.5 },
        day: { limit_usd: 5, plays_at_mean_cash: 2 },
      },
    });
    const now = await admin(...set, '--file', file, '--cost', '7', '--costly');
    const { after } = result.json.changes.find(({ field }: { field: string }) => field === 'version');
    expect(now.json.games.flight.version).toBe(after);
  });

  test.each([
    [['--game', 'boat', '--cost', '1'], 'There is no game "boat"'],
    [['--game', 'truck'], 'Give --file, --cost, or both.'],
    [['--game', 'truck', '--file', '/nowhere.json'], "/nowhere.json can't be read"],
    [['--game', 'truck', '--cost', '-1'], '--cost: Input should be greater than or equal to 0'],
    [['--game', 'truck', '--cost=-1'], '--cost: Input should be greater than or equal to 0'],
  ])('a dry run refuses %j with the same error as game set', async (args, message) => {
    const { code, out, error } = await admin('game', 'set', ...args, '--dry-run');
    expect(code).toBeGreaterThan(0);
    expect(out).toBe('');
    expect(error.replaceAll('\n', ' ')).toContain(message);
    expect((await admin('game', 'set', ...args)).error).toBe(error);
  });

  test('game set refuses a mistyped weight, with the cash that a play would give', async () => {
    await admin('game', 'set', '--game', 'truck', '--file', fileOf(defaultPrizeTables.truck), '--costly');
    const { json } = await admin('game', 'show', '--game', 'truck');
    json.games.truck.prizes.find(({ id }: Prize) => id === 'cash-100').weight = 9_999;
    const file = fileOf(json);
    const set = (...more: string[]) => admin('game', 'set', '--game', 'truck', '--file', file, ...more);
    const tomorrow = addDays(dayOf(Date.now()), 2);
    for (const more of [[], ['--from', tomorrow]]) {
      const { code, error } = await set(...more);
      expect([code, error]).toEqual([
        1,
        expect.stringMatching(/would give 50\.\d+ USD on average, and gives 0\.40 /),
      ]);
    }
    expect((await admin('game', 'show', '--game', 'truck')).json.games.truck.version).toBe(
      defaultPrizeTables.truck.version,
    );
    expect((await set('--dry-run')).json.play.cash_usd).toBeGreaterThan(50);
    expect((await set('--costly')).code).toBe(0);
  });

  test('a dry run prints how many hours the cash would last with yesterday’s number of plays', async () => {
    const user = await api.user(3);
    const { outcome } = (await spinUrl(await newUrl(api, user))).body;
    const day = dayOf(Date.parse(outcome.timestamp));
    const preview = (of: string) =>
      previewGame(api.organizationId, 'prizewheel', { cost: '1' }, startOfDay(of) + 1000);
    const after = (await preview(addDays(day, 1))).day;
    expect(after).toMatchObject({
      plays_yesterday: 1,
      hours_at_plays_of_yesterday: expect.closeTo(24 * after.plays_at_mean_cash!, 0),
    });
    const later = (await preview(addDays(day, 2))).day;
    expect(later).toMatchObject({ plays_yesterday: 0 });
    expect(later).not.toHaveProperty('hours_at_plays_of_yesterday');
  });

  test.each([
    ['23 hours', '2026-03-08'],
    ['25 hours', '2026-11-01'],
  ])('a dry run counts the plays of yesterday if it had %s', async (_, yesterday) => {
    const [start, end] = [startOfDay(yesterday), startOfDay(addDays(yesterday, 1))];
    let user = userOf(api.organizationId, newId('usr', start));
    for (const at of [start - 1, start, end - 1, end]) {
      const played = await outcomeOf(user, at);
      user = played.user;
      await writeRecords([played.record]);
    }
    const { day } = await previewGame(api.organizationId, 'prizewheel', { cost: '1' }, end + 1000);
    expect(day).toMatchObject({ plays_yesterday: 2 });
  });

  test('a dry run with only a cost prints only the cost', async () => {
    const { json } = await admin('game', 'set', '--game', 'truck', '--cost', '2', '--dry-run');
    expect(json.changes).toEqual([{ field: 'cost', before: 5, after: 2 }]);
  });

  test.each([
    ['limits --daily-cash -5', '--daily-cash: Input should be greater than or equal to 0'],
    ['limits --daily-spins 0', '--daily-spins: Input should be greater than or equal to 1'],
    ['limits --daily-wins -1', '--daily-wins: Input should be greater than or equal to 0'],
    ['limits --rules-url x', '--rules-url: Input should be a valid URL'],
    ['limits --daily-cash 5 --from 2020-01-01', '--from: 2020-01-01T00:00:00-05:00 has passed'],
    ['set --game truck --cost -1', '--cost: Input should be greater than or equal to 0'],
    ['unschedule --change 99', '--change: no change 99 is waiting'],
  ])('game %s names the option that it refuses', async (line, message) => {
    const { code, error } = await admin('game', ...line.split(' '));
    expect(code).toBe(2);
    expect(error).toContain(message);
  });

  test('game unschedule takes the number that game scheduled prints', async () => {
    const { json } = await admin('game', 'limits', '--daily-cash', '5', '--from', '2099-01-01');
    const change = json.scheduled[0].change;
    expect((await admin('game', 'unschedule', '--change', String(change))).json).toEqual({ scheduled: [] });
  });

  test('game set prints the faults of a table', async () => {
    const file = fileOf({ prizes: [prizeOf('tickets', 4, 0)] });
    const { code, error } = await admin('game', 'set', '--game', 'flight', '--file', file);
    expect(code).toBe(2);
    expect(error).toContain('prizes.0.weight: Input should be greater than or equal to 1');
  });

  test('explain takes an outcome’s id with or without --id, and fails for an altered record', async () => {
    const { body } = await spinUrl(await newUrl(api, await api.user(1)));
    const { id } = body.outcome;
    for (const given of [[id], ['--id', id]]) {
      expect(await admin('explain', ...given, '--json')).toMatchObject({
        code: 0,
        json: { id, why: [expect.any(String), expect.any(String)] },
      });
    }
    expect((await admin('explain')).code).toBe(2);
    expect((await admin('explain', id, 'more')).code).toBe(2);
    await putItem({ ...(await findOutcome(api.organizationId, id)), prize_id: 'another' });
    const altered = { code: 1, json: { state: 'It is not what was drawn.' } };
    expect(await admin('explain', id, '--json')).toMatchObject(altered);
  });
});

test('concurrent changes are recorded one after another, each based on the one before', async () => {
  const { organizationId } = await newOrganization();
  const limits = times(8, (i) => i + 1);
  await Promise.all(
    limits.map((limit) => setLimits(organizationId, { dailyCash: `${limit}` }, testContext())),
  );
  const [opened, ...changes] = await readRange(actionsByTime(organizationId));
  expect(opened).toMatchObject({ sequence: 1, action: 'opened' });
  expect(changes.map(({ sequence }) => sequence)).toEqual(limits.map((limit) => limit + 1));
  let limit: unknown = 500;
  for (const { before, after } of changes as unknown as Record<string, Record<string, unknown>>[]) {
    expect(before).toEqual({ daily_cash_limit_usd: limit });
    limit = after!.daily_cash_limit_usd;
  }
});

import { beforeAll, describe, expect, test } from 'vitest';
import { parsePrizeTable } from '../../infra/operate/admin/prize-table-schema.ts';
import { changeSettings } from '../../shared/actions/change-settings.ts';
import { readPrizeTable } from '../../shared/games/organization-tables.ts';
import { defaultPrizeTables, type Prize, versionOfPrizes } from '../../shared/games/prize-tables.ts';
import { getItem, putItem } from '../../shared/table/client.ts';
import { prizeTableKey } from '../../shared/table/keys.ts';
import { type Game, games, langs } from '../../shared/vocabulary.ts';
import { type Api, newOrganization, times } from '../support/api.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { testContext } from '../support/test-context.ts';
import { newUrl, openUrl, spinUrl } from './support/plays.ts';

const tickets = prizeOf('tickets', 1, 1);

describe('the default prize tables', () => {
  test.each(games)('of %s pass the schema', (game) => {
    expect(parsePrizeTable(defaultPrizeTables[game], game)).toEqual(defaultPrizeTables[game]);
  });

  test('of the prize wheel have every kind of prize, and cash from 1 to 100 USD', () => {
    const { prizes } = defaultPrizeTables.prizewheel;
    expect(new Set(prizes.map(({ kind }) => kind)).size).toBe(11);
    const cash = prizes.filter(({ kind }) => kind === 'cash_usd').map(({ amount }) => amount);
    expect([Math.min(...cash), Math.max(...cash)]).toEqual([1, 100]);
  });

  test.each(games)('of %s explain each prize in every language', (game) => {
    for (const { details } of defaultPrizeTables[game].prizes)
      for (const lang of langs) expect(details?.[lang]).toMatch(/\w.*[.!]$/);
  });

  test.each(games)('of %s name the amount of tickets and cash in every language', (game) => {
    const prizes = defaultPrizeTables[game].prizes.filter(({ kind }) =>
      ['tickets', 'cash_usd'].includes(kind),
    );
    for (const { label, amount } of prizes)
      for (const lang of langs) expect(label[lang].match(/\d+/g), label[lang]).toEqual([String(amount)]);
  });

  test('are stored with a new organization, so that a later release does not change its draws', async () => {
    const { organizationId } = await newOrganization();
    for (const game of games) {
      const { version, prizes } = defaultPrizeTables[game];
      expect(version).toBe(versionOfPrizes(game, prizes));
      expect(await getItem(prizeTableKey(organizationId, game, version))).toMatchObject({ version, prizes });
    }
  });

  test.each([
    ['prizewheel', 'tickets', 3500],
    ['truck', 'entry_truck', 5000],
    ['flight', 'entry_flight', 5000],
  ] as const)('of %s give %s most often, and allow hundreds of plays a day', (game, kind, least) => {
    const { prizes } = defaultPrizeTables[game];
    const sum = (of: (prize: Prize) => number) => prizes.reduce((all, prize) => all + of(prize), 0);
    expect(sum(({ weight }) => weight)).toBe(10_000);
    expect(sum((prize) => (prize.kind === kind ? prize.weight : 0))).toBeGreaterThan(least);
    const cashPerPlay =
      sum((prize) => (prize.kind === 'cash_usd' ? prize.amount * prize.weight : 0)) / 10_000;
    expect(500 / cashPerPlay).toBeGreaterThan(600);
  });
});

describe('the schema of a prize table', () => {
  const change = (changes: object): unknown => ({ prizes: [{ ...tickets, ...changes }] });
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'Input should be a valid object'],
    ['a list', [tickets], 'Input should be a valid object'],
    ['no prizes', {}, 'prizes: Field required'],
    ['an empty list', { prizes: [] }, 'prizes: List should have at least 1 item'],
    [
      '101 prizes',
      { prizes: times(101, (i) => ({ ...tickets, id: `p${i}` })) },
      'prizes: List should have at most 100 items',
    ],
    ['no id', change({ id: undefined }), 'prizes.0.id: Field required'],
    [
      'an invalid id',
      change({ id: 'A b' }),
      'prizes.0.id: Input should be lower-case letters, digits and hyphens',
    ],
    [
      'a duplicate id',
      { prizes: [tickets, tickets] },
      "prizes.1.id: 'tickets-1' is also the id of an earlier prize",
    ],
    ['a weight of 0', change({ weight: 0 }), 'prizes.0.weight: Input should be greater than or equal to 1'],
    [
      'a fractional weight',
      change({ weight: 0.5 }),
      'prizes.0.weight: Input should be a valid integer, got a number with a fractional part',
    ],
    [
      'too high a weight',
      change({ weight: 1_000_001 }),
      'prizes.0.weight: Input should be less than or equal to 1000000',
    ],
    ['an amount of 0', change({ amount: 0 }), 'prizes.0.amount: Input should be greater than or equal to 1'],
    [
      'a fractional amount',
      change({ kind: 'cash_usd', amount: 0.5 }),
      'prizes.0.amount: Input should be a valid integer, got a number with a fractional part',
    ],
    [
      'two streaming passes',
      change({ kind: 'prize_streaming', amount: 2 }),
      'prizes.0.amount: Input should be 1 for prize_streaming',
    ],
    ['no Spanish', change({ label: { en: 'One' } }), 'prizes.0.label.es: Field required'],
    [
      'an empty label',
      change({ label: { en: '', es: 'Uno' } }),
      'prizes.0.label.en: String should have at least 1 character',
    ],
    [
      'a long label',
      change({ label: { en: 'One', es: 'U'.repeat(61) } }),
      'prizes.0.label.es: String should have at most 60 characters',
    ],
    [
      'a value with three decimals',
      change({ value_usd: 0.001 }),
      'prizes.0.value_usd: Input should have at most two decimals',
    ],
    [
      'a value for a cash prize',
      change({ kind: 'cash_usd', value_usd: 1 }),
      'prizes.0.value_usd: Cash has no value_usd: its amount is its value',
    ],
    ['an unknown field of a prize', change({ color: 'red' }), "prizes.0: Input should have no 'color'"],
    [
      'an unknown language',
      change({ label: { en: 'One', es: 'Uno', fr: 'Un' } }),
      "prizes.0.label: Input should have no 'fr'",
    ],
    ['an unknown field of a table', { prizes: [tickets], more: 1 }, "Input should have no 'more'"],
    ['an unknown game', { games: { boat: {} } }, 'games.truck: Field required'],
    [
      'no ticket prize',
      { prizes: [prizeOf('cash_usd', 1, 1)] },
      'prizes: At least one prize should be tickets',
    ],
  ])('refuses %s', (_, table, message) => {
    expect(() => parsePrizeTable(table, 'truck')).toThrow(expect.objectContaining({ message }));
  });

  test('lists the kinds if a kind is unknown', () => {
    expect(() => parsePrizeTable(change({ kind: 'car' }), 'truck')).toThrow(
      /^prizes\.0\.kind: Input should be 'entry_truck', .* or 'cash_usd'$/,
    );
  });

  test('accepts the output of game show, and takes the prizes of the given game', () => {
    const shown = (prize: Prize, more = {}) => ({
      cost: 1,
      version: 'any',
      prizes: [{ ...prize, chance_percent: 100 }],
      ...more,
    });
    const other = prizeOf('tickets', 2, 1);
    const games = { truck: shown(tickets), flight: shown(other) };
    expect(parsePrizeTable({ daily_cash_limit_usd: 1, rules_url: '', games }, 'truck').prizes).toEqual([
      tickets,
    ]);
    expect(parsePrizeTable({ games }, 'flight').prizes).toEqual([other]);
    expect(parsePrizeTable(shown(other), 'truck').prizes).toEqual([other]);
    expect(() => parsePrizeTable({ games }, 'prizewheel')).toThrow('games.prizewheel: Field required');
    const misspelt = { games: { truck: shown(tickets, { prices: [] }) } };
    expect(() => parsePrizeTable(misspelt, 'truck')).toThrow("games.truck: Input should have no 'prices'");
  });
});

describe('an organization’s own table', () => {
  let api: Api;
  beforeAll(async () => {
    api = await newOrganization();
  });
  const put = (prizes: Prize[], game: Game = 'prizewheel') =>
    putPrizeTable(api.organizationId, game, prizes, testContext());

  test('applies to new play URLs, and open URLs keep the table that they showed', async () => {
    const user = await api.user(10);
    const open = await newUrl(api, user);
    const version = await put([prizeOf('tickets', 7, 1)]);
    const next = await newUrl(api, user);
    expect((await openUrl(next)).body).toContain('tickets 7');
    expect((await spinUrl(next)).body).toMatchObject({
      outcome: { prize: { tickets: 7 } },
      fairness: { prize_table_version: version, prize_id: 'tickets-7' },
    });
    expect((await openUrl(open)).body).not.toContain('tickets 7');
    expect((await spinUrl(open)).body.fairness.prize_table_version).toBe(
      defaultPrizeTables.prizewheel.version,
    );
  });

  test('has a version that depends on its prizes, and old versions stay readable', async () => {
    const [one, two] = [[prizeOf('tickets', 1, 1)], [prizeOf('tickets', 2, 1)]];
    const first = await put(one, 'truck');
    const second = await put(two, 'truck');
    expect(second).not.toBe(first);
    expect(await put(one, 'truck')).toBe(first);
    const tables = await Promise.all(
      [first, second].map((version) => readPrizeTable(api.organizationId, 'truck', version)),
    );
    expect(tables.map(({ prizes }) => prizes)).toEqual([one, two]);
  });

  test('belongs to one organization and one game', async () => {
    const version = await put([prizeOf('tickets', 9, 1)], 'flight');
    const other = await newOrganization();
    await expect(readPrizeTable(other.organizationId, 'flight', version)).rejects.toThrow(
      'has no prize table',
    );
    await expect(readPrizeTable(api.organizationId, 'truck', version)).rejects.toThrow('has no prize table');
    const { body } = await spinUrl(await newUrl(other, await other.user(10), { game: 'flight' }));
    expect(body.fairness.prize_table_version).toBe(defaultPrizeTables.flight.version);
  });

  test('costs what the settings said when the URL was created', async () => {
    const user = await api.user(20);
    const before = await newUrl(api, user);
    await changeSettings(api.organizationId, { cost_prizewheel: 3 }, testContext());
    await put([prizeOf('prize_imt', 1, 1_000_000), prizeOf('tickets', 1, 1)]);
    for (const url of [before, await newUrl(api, user)]) await spinUrl(url);
    const { body } = await api.get(`/users/${user}/tickets/history`);
    const costs = body.transactions.filter(({ amount }: { amount: number }) => amount < 0);
    expect(costs.map(({ amount }: { amount: number }) => amount)).toEqual([-3, -1]);
  });

  test('refuses a draw if another table is stored in its place', async () => {
    const [version, other] = [await put([prizeOf('tickets', 6, 1)]), await put([prizeOf('cash_usd', 60, 1)])];
    const item = await getItem(prizeTableKey(api.organizationId, 'prizewheel', other));
    await putItem({ ...item, ...prizeTableKey(api.organizationId, 'prizewheel', version) });
    await expect(readPrizeTable(api.organizationId, 'prizewheel', version)).rejects.toThrow(
      'does not match its version',
    );
  });

  test('refuses a draw if the stored prizes do not match the version', async () => {
    const version = await put([prizeOf('tickets', 6, 1)], 'flight');
    const prizes = [prizeOf('tickets', 60, 1)];
    await putItem({ ...prizeTableKey(api.organizationId, 'flight', version), version, prizes });
    await expect(readPrizeTable(api.organizationId, 'flight', version)).rejects.toThrow(
      'does not match its version',
    );
  });

  test('is refused for an organization that does not exist', async () => {
    await expect(putPrizeTable('org_x', 'truck', [tickets], testContext())).rejects.toThrow(
      'no organization org_x',
    );
  });
});

import { beforeAll, describe, expect, test } from 'vitest';
import { cashLimitsIn } from '../../../../../infra/operate/admin/report/cash-limits.ts';
import {
  addSpinChange,
  addToDay,
  dayRows,
  emptyDayFigures,
} from '../../../../../infra/operate/admin/report/day.ts';
import type { ActionRecord } from '../../../../../shared/actions/action-records.ts';
import { cancelSpins, restoreSpins } from '../../../../../shared/actions/cancel-spins.ts';
import { ulidTimePart } from '../../../../../shared/ids.ts';
import { addDays } from '../../../../../shared/time.ts';
import { accounts, games, playTypes } from '../../../../../shared/vocabulary.ts';
import { newOrganization } from '../../../../support/api.ts';
import { testContext } from '../../../../support/test-context.ts';
import { dayOfRecord, outcomesIn, report, type Small, shown, smallOrganization, sum } from './support.ts';

let small: Small;
beforeAll(async () => {
  small = await smallOrganization();
});

type Figure = Record<string, string | number>;
const valuesOf = (rows: Figure[], of: Figure) =>
  rows
    .filter((row) => Object.entries(of).every(([name, value]) => row[name] === value))
    .map(({ value }) => value);

describe('report day', () => {
  test('equals a simple sum over the records of the day', async () => {
    const { api, to: day } = small;
    const records = small.records.filter((record) => dayOfRecord(record) === day);
    const { rows, ...head } = await shown('day', api.organizationId, { day });
    expect(head).toEqual({
      organization_id: api.organizationId,
      day,
      complete: false,
      records_read: records.length,
      hours: expect.any(Array),
      winners: expect.any(Array),
    });
    const outcomes = outcomesIn(records);
    for (const game of games) {
      const of = outcomes.filter((outcome) => outcome.game === game);
      for (const play_type of playTypes) {
        const played = of.filter((outcome) => outcome.play_type === play_type).length;
        expect(valuesOf(rows, { figure: 'plays', game, play_type })).toEqual([played]);
      }
      const cash = sum(of.map(({ prize }) => prize.cash_usd ?? 0));
      expect(valuesOf(rows, { figure: 'cash_won_usd', game })).toEqual([cash]);
    }
    const postings = records.filter(({ kind }) => kind === 'tickets' || kind === 'entries');
    const byHosts = { credited_by_hosts: 1, debited_by_hosts: -1 };
    const ofPlays = { spent_on_plays: -1, won: 1 };
    const figures = { ...byHosts, ...ofPlays, credited_by_operators: 1, debited_by_operators: -1 };
    for (const account of accounts) {
      const moved = postings.flatMap((record) =>
        (record.kind === 'tickets' && account === 'tickets') ||
        (record.kind === 'entries' && record.entry_type === account)
          ? [record.amount]
          : [],
      );
      const net = Object.entries(figures).map(
        ([figure, sign]) => sign * Number(valuesOf(rows, { figure, account })[0]),
      );
      expect(sum(net)).toBe(sum(moved));
    }
    const counted = rows.filter(({ figure }: Figure) => figure === 'outcomes');
    expect(sum(counted.map(({ value }: { value: number }) => value))).toBe(outcomes.length);
    const order = counted.map(({ game, prize, prize_amount }: Figure) =>
      [games.indexOf(game as never), prize, String(prize_amount).padStart(9, '0')].join(),
    );
    expect(order).toEqual(order.toSorted());
    for (const { game, prize, prize_amount, value } of counted) {
      const same = outcomes.filter((one) => one.game === game && one.prize[prize] === prize_amount);
      expect(same.length).toBe(value);
    }
    expect(valuesOf(rows, { figure: 'cash_limit_usd' }).at(-1)).toBe(500);
  });

  test("shows hosts' changes, plays, players and open free spins", async () => {
    const { api, from, to } = small;
    const days = await Promise.all(
      [...new Set([from, to])].map((day) => shown('day', api.organizationId, { day })),
    );
    const total = (of: Figure) => sum(days.flatMap(({ rows }) => valuesOf(rows, of).map(Number)));
    expect(total({ figure: 'credited_by_hosts', account: 'tickets' })).toBe(49);
    expect(total({ figure: 'debited_by_hosts', account: 'tickets' })).toBe(3);
    expect(total({ figure: 'credited_by_hosts', account: 'truck' })).toBe(5);
    expect(total({ figure: 'debited_by_hosts', account: 'truck' })).toBe(2);
    expect(total({ figure: 'credited_by_operators', account: 'tickets' })).toBe(0);
    expect(total({ figure: 'debited_by_operators', account: 'tickets' })).toBe(4);
    expect(total({ figure: 'spent_on_plays', account: 'tickets' })).toBe(10);
    expect(total({ figure: 'test_plays', game: 'prizewheel' })).toBe(1);
    expect(total({ figure: 'free_spins_ordered' })).toBe(16);
    expect(total({ figure: 'free_spins_run' })).toBe(6);
    expect(total({ figure: 'free_spins_open' })).toBe(10);
    if (from === to) {
      const [{ rows }] = days;
      expect(rows.filter(({ figure }: Figure) => figure === 'users_who_played')).toEqual([
        { figure: 'users_who_played', value: 2 },
        { figure: 'users_who_played', play_type: 'regular', value: 2 },
        { figure: 'users_who_played', play_type: 'amoe', value: 1 },
      ]);
    }
  });

  test('does not count cancelled free spins as open until they are restored', async () => {
    const api = await newOrganization();
    const userId = await api.user();
    const spins = { organizationId: api.organizationId, userId };
    await api.post(`/users/${userId}/game/queue`, { num_of_spins: 10, idempotency_key: 'queue' });
    const figures = async () => {
      const { rows } = await shown('day', api.organizationId, {});
      return ['ordered', 'cancelled', 'restored', 'open'].flatMap((name) =>
        valuesOf(rows, { figure: `free_spins_${name}` }),
      );
    };
    expect(await figures()).toEqual([10, 0, 0, 10]);
    await cancelSpins(spins, testContext());
    expect(await figures()).toEqual([10, 10, 0, 0]);
    await restoreSpins(spins, testContext());
    expect(await figures()).toEqual([10, 10, 10, 10]);
  });

  test('counts spins that were cancelled later as open at the end of their day', () => {
    const [ordered, cancelled] = [Date.UTC(2026, 0, 1, 12), Date.UTC(2026, 0, 2, 12)];
    const record = { date_created: new Date(cancelled).toISOString() } as ActionRecord;
    const orderId = `ord_${ulidTimePart(ordered).padEnd(26, '0')}`;
    const change = { orderId, kind: 'cancelled', spins: 3, record } as const;
    const figuresOn = (day: number) => {
      const begins = Date.UTC(2026, 0, day, 5);
      const figures = emptyDayFigures({ begins, ends: begins + 86_400_000 });
      addSpinChange(figures, change);
      const rows = dayRows(figures, []) as Figure[];
      return ['cancelled', 'open'].flatMap((name) => valuesOf(rows, { figure: `free_spins_${name}` }));
    };
    expect([...figuresOn(1), ...figuresOn(2)]).toEqual([0, 0, 3, 0]);
  });

  test('says that drawings, not hosts, used up entries or gave them back', () => {
    const figures = emptyDayFigures({ begins: 0, ends: 1 });
    for (const amount of [-7, 2])
      addToDay(figures, { kind: 'entries', entry_type: 'truck', amount, drawing_id: 'drw_1' } as never, []);
    const rows = dayRows(figures, []) as Figure[];
    const names = ['used_by_drawings', 'given_back_by_drawings', 'debited_by_hosts', 'credited_by_hosts'];
    const values = names.flatMap((figure) => valuesOf(rows, { figure, account: 'truck' }));
    expect(values).toEqual([7, 2, 0, 0]);
  });

  test('prints the same rows as CSV', async () => {
    const { api, to: day } = small;
    const { rows } = await shown('day', api.organizationId, { day });
    const { code, out } = await report('day', api.organizationId, { day, csv: true });
    const lines = out.split('\r\n');
    expect([code, lines.length, lines.at(-1)]).toEqual([0, rows.length + 2, '']);
    const stamp = 'organization_id,report_from,report_to,report_complete';
    expect(lines[0]).toBe(`figure,game,play_type,account,prize,prize_amount,value,${stamp}`);
    const columns = `${api.organizationId},${day},${day},false`;
    expect(lines[1]).toMatch(new RegExp(`^plays,prizewheel,regular,,,,\\d+,${columns}$`));
  });

  test('a day without records has zeros, and no limit before the first one', async () => {
    const { rows, complete } = await shown('day', small.api.organizationId, { day: '2024-02-29' });
    expect(complete).toBe(true);
    expect(new Set(rows.map(({ value }: Figure) => value))).toEqual(new Set([0]));
    expect(valuesOf(rows, { figure: 'cash_limit_usd' })).toEqual([]);
  });

  test.each(['2026-02-30', '2026-1-1', 'today', '2026-01-01T00:00:00Z'])('refuses %s', async (day) => {
    const { code, out, error } = await report('day', small.api.organizationId, { day });
    expect([code, out, error]).toEqual([2, '', `--day must be a day such as 2026-01-31, but is "${day}".`]);
  });

  test('refuses a future day, and an unknown organization', async () => {
    const day = addDays(small.to, 400);
    expect(await report('day', small.api.organizationId, { day })).toEqual({
      code: 2,
      out: '',
      error: `--day is ${day}, which has not begun yet in New York.`,
    });
    const org = 'org_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    expect(await report('day', org, { day: small.to })).toMatchObject({
      code: 1,
      out: '',
      error: `There is no organization ${org}.`,
    });
  });
});

describe('the cash limits of a day', () => {
  const at = (date_created: string, is: number | undefined, was?: number) => ({
    date_created: `${date_created}T12:00:00.000Z`,
    before: was === undefined ? {} : { daily_cash_limit_usd: was },
    after: is === undefined ? { cost_truck: 4 } : { daily_cash_limit_usd: is },
  });
  const actions = [at('2026-01-02', 500), at('2026-01-03', undefined), at('2026-01-04', 300, 500)];
  const on = (day: number, of = actions) => {
    const begins = Date.UTC(2026, 0, day);
    return cashLimitsIn({ begins, ends: begins + 86_400_000 }, of, 77);
  };

  test('are those of the record records, in order', () => {
    expect([1, 2, 3, 4, 5].map((day) => on(day))).toEqual([[], [500], [500], [500, 300], [300]]);
  });

  test('are the current limit without records, and the replaced limit before the first record', () => {
    expect(on(3, [])).toEqual([77]);
    expect(on(3, [at('2026-01-04', 300, 500)])).toEqual([500]);
  });

  const DAY = 86_400_000;
  test.each([
    [-1, [300]],
    [0, [300]],
    [1, [500, 300]],
    [DAY - 1, [500, 300]],
    [DAY, [500]],
  ])('with a change %i ms after the day begins are %j', (ms, limits) => {
    const date_created = new Date(Date.UTC(2026, 0, 4) + ms).toISOString();
    expect(on(4, [{ ...at('2026-01-04', 300, 500), date_created }])).toEqual(limits);
  });

  test('exist for a new organization from its creation on', async () => {
    const { organizationId } = await newOrganization();
    const { rows } = await shown('day', organizationId, { day: small.to });
    expect(valuesOf(rows, { figure: 'cash_limit_usd' })).toEqual([500]);
  });
});

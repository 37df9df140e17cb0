import { describe, expect, test } from 'vitest';
import {
  addDraw,
  amoeRows,
  type DrawsBySet,
  drawTotals,
} from '../../../../../infra/operate/admin/report/amoe.ts';
import type { OutcomeRecord } from '../../../../../shared/accounts/records.ts';
import { createDrawSet } from '../../../../../shared/games/draw.ts';
import type { PlayType } from '../../../../../shared/vocabulary.ts';
import { prizeOf } from '../../../../support/prize.ts';
import { outcomesIn, shown, smallOrganization, sum } from './support.ts';

const prizes = [prizeOf('tickets', 1, 6), prizeOf('prize_imt', 1, 3), prizeOf('cash_usd', 50, 1)];
const all = createDrawSet(prizes);
const withoutCash = createDrawSet(prizes.filter(({ kind }) => kind !== 'cash_usd'));

/** Adds draws of one play type to `sets`: `counts[i]` wins of the prize at index `i`. */
function drawn(sets: DrawsBySet, play_type: PlayType, set: typeof all, counts: number[]) {
  for (const [index, count] of counts.entries()) {
    const fields = {
      game: 'prizewheel',
      play_type,
      prize_id: set.prizes[index]!.id,
      prize_table_version: 't',
    };
    for (let i = 0; i < count; i++) addDraw(sets, fields as OutcomeRecord, set);
  }
}

describe('free spins beside regular plays', () => {
  test('have the same chance, and each its own rate', () => {
    const sets: DrawsBySet = new Map();
    drawn(sets, 'regular', all, [60, 30, 10]);
    drawn(sets, 'amoe', all, [121, 61, 18]);
    expect(amoeRows(sets)[2]).toEqual({
      game: 'prizewheel',
      table: 't',
      set: all.digest.slice(0, 12),
      prize_id: 'cash-usd-50',
      prize: 'cash_usd',
      amount: 50,
      chance: 0.1,
      regular_draws: 10,
      regular_rate: 0.1,
      amoe_draws: 18,
      amoe_rate: 0.09,
    });
  });

  test('are compared within each set of available prizes, so that used-up cash makes no difference', () => {
    const sets: DrawsBySet = new Map();
    drawn(sets, 'regular', all, [540, 270, 90]);
    drawn(sets, 'amoe', withoutCash, [600, 300]);
    expect(drawTotals(sets)).toMatchObject([
      { regular_draws: 900, amoe_draws: 0 },
      { regular_draws: 0, amoe_draws: 900 },
    ]);
    expect(amoeRows(sets)[0]).toMatchObject({ regular_rate: 0.6, amoe_rate: null });
  });

  test('a prize that was not in its draw is reported', () => {
    const outcome = { game: 'prizewheel', play_type: 'amoe', prize_id: 'cash-usd-50' } as OutcomeRecord;
    expect(addDraw(new Map(), outcome, withoutCash)).toBe(false);
    expect(addDraw(new Map(), outcome, all)).toBe(true);
  });
});

test('report amoe equals a simple sum over the records, without test plays', async () => {
  const { api, records, from, to } = await smallOrganization();
  const { rows, ...head } = await shown('amoe', api.organizationId, { from, to });
  const outcomes = outcomesIn(records);
  expect(head).toMatchObject({ records_read: outcomes.length + 1, unexplained_draws: 0 });
  for (const type of ['regular', 'amoe'] as const) {
    const played = outcomes.filter(({ play_type }) => play_type === type);
    expect(sum(rows.map((row: Record<string, number>) => row[`${type}_draws`]))).toBe(played.length);
    for (const row of rows) {
      const same = played.filter(
        (one) => one.prize_table_version === row.table && one.prize_id === row.prize_id,
      );
      const inSets = rows.filter(
        (other: typeof row) => other.table === row.table && other.prize_id === row.prize_id,
      );
      expect(sum(inSets.map((other: typeof row) => other[`${type}_draws`]))).toBe(same.length);
    }
  }
});

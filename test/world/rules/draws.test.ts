import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { defaultPrizeTables } from '../../../shared/games/prize-tables.ts';
import { exampleOutcome, play, seedThatWins } from './example-plays.ts';
import { changed, rulesBrokenBy, without } from './examples.ts';
import { repeatDraw } from './repeat-draw.ts';
import { seedOfOutcome } from './server-seeds.ts';

const drawn = 'a draw follows from its seeds and prize table';
const paid = 'an outcome debits its cost and credits its prize';

describe('an invalid outcome is detected:', () => {
  test.each([
    ['another prize', { prize_id: 'cash-100', prize: { cash_usd: 100 }, game_status: 'Cash' }],
    ['another amount', { prize: { tickets: 99 } }],
    ['another status', { game_status: 'Extra-prize' }],
    ['its seed', { server_seed: '0'.repeat(64) }],
    ['another table', { prize_table_version: 'prizewheel-0' }],
    ['no budgets', { budgets: undefined }],
    ['a seed with another prize', { client_seed: seedThatWins('entry_truck') }],
  ])('%s', (_, fields) => {
    expect(rulesBrokenBy(changed(play('tickets'), 'OUTCOMES#', fields))).toContain(drawn);
  });
});

test('an outcome that cannot be drawn again is detected', () => {
  const withoutDay = changed(play('tickets'), 'OUTCOMES#', { secret_day: null });
  expect(rulesBrokenBy(withoutDay)).toContain(drawn);
});

describe('a repeated draw', () => {
  const { prizes } = defaultPrizeTables.prizewheel;
  const left = (limit: number) => ({ budgets: { cash: { grants: 0, granted: 0, limit } } });
  const kindsOf = (of: object) =>
    new Set(
      Array.from({ length: 500 }, (_, i) => repeatDraw(prizes, exampleOutcome(`${i}`, of) as never)!.kind),
    );
  const amountsOf = (of: object) =>
    Array.from({ length: 500 }, (_, i) => exampleOutcome(`${i}`, of).prize.cash_usd).filter((usd) => usd);

  test('excludes cash beyond the remaining amount', () => {
    expect(Math.max(...(amountsOf(left(9)) as number[]))).toBe(1);
    expect(Math.max(...(amountsOf(left(99)) as number[]))).toBe(10);
  });

  test('has only tickets if no cash remains or debug forces tickets', () => {
    expect(kindsOf(left(0))).toEqual(new Set(['tickets']));
    expect(kindsOf({ debug: 'tickets_only' })).toEqual(new Set(['tickets']));
  });

  test('wins the highest cash if debug forces the jackpot', () => {
    expect(new Set(amountsOf({ debug: 'jackpot', budgets: undefined }))).toEqual(new Set([100]));
  });

  test('uses the first number below the sum of weights', () => {
    const ofPlay = { secret_day: '2026-03-06', token_hash: 'a token', organization_id: 'org_1' };
    const seeds = { ...ofPlay, client_seed: 'a', spin_index: 0, ...left(500) };
    const prizesJson = JSON.stringify(
      prizes.map(({ id, kind, amount, weight }) => [id, kind, amount, weight]),
    );
    const set = createHash('sha256').update(prizesJson).digest('hex');
    const seed = Buffer.from(seedOfOutcome(seeds as never), 'hex');
    const digest = createHmac('sha256', seed).update(`${set}\n0\n0\na`).digest();
    // The weights sum to 10,000, so the draw uses the lowest 14 bits of each 32-bit word.
    const words = [0, 4, 8, 12, 16, 20, 24, 28].map((offset) => digest.readUInt32BE(offset) & 0x3fff);
    const number = words.find((word) => word < 10_000)!;
    const below = prizes.map((_, index) =>
      prizes.slice(0, index + 1).reduce((sum, { weight }) => sum + weight, 0),
    );
    const expected = prizes[below.findIndex((upTo) => number < upTo)];
    expect(repeatDraw(prizes, seeds as never)).toBe(expected);
  });
});

test('a missing, wrong or foreign cost or prize is detected', () => {
  expect(rulesBrokenBy(without(play('tickets'), 'TICKETS#'))).toContain(paid);
  expect(rulesBrokenBy(changed(play('tickets'), 'TICKETS#', { amount: -2 }))).toContain(paid);
  expect(rulesBrokenBy(changed(play('tickets'), 'TICKETS#', { outcome_id: 'out_other' }))).toContain(paid);
  expect(rulesBrokenBy(changed(play('tickets'), 'TICKETS#', { idempotency_key: 'key' }))).toContain(paid);
  expect(rulesBrokenBy(changed(play('tickets'), 'OUTCOMES#', { cost: 0 }))).toContain(paid);
});

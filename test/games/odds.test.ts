import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { meanWinnings } from '../../shared/games/odds.ts';
import { defaultPrizeTables, type Prize } from '../../shared/games/prize-tables.ts';
import { prizeOf } from '../support/prize.ts';

const small = fc
  .record({
    tickets: fc.integer({ min: 1, max: 5 }),
    others: fc.array(
      fc.record({
        kind: fc.constantFrom('cash_usd' as const, 'tickets' as const, 'prize_imt' as const),
        amount: fc.integer({ min: 1, max: 6 }),
        weight: fc.integer({ min: 1, max: 4 }),
      }),
      { maxLength: 5 },
    ),
  })
  .map(({ tickets, others }) => [
    prizeOf('tickets', 1, tickets),
    ...others.map(({ kind, amount, weight }) => prizeOf(kind, kind === 'prize_imt' ? 1 : amount, weight)),
  ]);
const cash = ({ kind, amount }: Prize) => (kind === 'cash_usd' ? amount : 0);

describe('the odds of a play', () => {
  test('equal the mean over all equally likely draws', () => {
    fc.assert(
      fc.property(small, (prizes) => {
        const lots = prizes.flatMap((prize) => Array.from({ length: prize.weight }, () => prize));
        const mean = (of: (prize: Prize) => number) =>
          lots.reduce((sum, lot) => sum + of(lot), 0) / lots.length;
        const odds = meanWinnings(prizes);
        expect(odds.cash).toBeCloseTo(mean(cash), 12);
        const valued = prizes.map((prize) => (cash(prize) ? prize : { ...prize, value_usd: 19.99 }));
        const others = mean((lot) => (cash(lot) ? 0 : 19.99));
        expect(meanWinnings(valued).value).toBeCloseTo(odds.value + others, 9);
        expect(odds.value).toBeCloseTo(odds.cash, 12);
        expect(odds.cashVariance).toBeCloseTo(
          mean((lot) => (cash(lot) - mean(cash)) ** 2),
          12,
        );
        expect(odds.tickets).toBeCloseTo(
          mean(({ kind, amount }) => (kind === 'tickets' ? amount : 0)),
          12,
        );
      }),
    );
  });

  test('of the prize wheel match its weights', () => {
    const { cash, cashVariance, tickets } = meanWinnings(defaultPrizeTables.prizewheel.prizes);
    expect(cash).toBe(0.1835);
    expect(cashVariance).toBeCloseTo(0.0735 + 0.6 + 5 - 0.1835 ** 2, 12);
    expect(tickets).toBe(0.63);
  });

  test('keep the precision of the variance for large and similar prizes', () => {
    const prizes = [prizeOf('cash_usd', 1_000_000, 1_000_000), prizeOf('cash_usd', 999_999, 1_000_000)];
    expect(meanWinnings(prizes).cashVariance).toBe(0.25);
  });
});

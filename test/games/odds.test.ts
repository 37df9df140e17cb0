import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cashByPlays, inDrawAt, oddsOfDay, oddsOfPlay } from '../../shared/games/odds.ts';
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

/**
 * For each play, returns the amounts of cash that can remain before it, with their probabilities. Enumerates all draws.
 */
function cashLeftBefore(prizes: readonly Prize[], limitUsd: number, plays: number): Map<number, number>[] {
  const chances = [new Map([[limitUsd, 1]])];
  for (let play = 1; play < plays; play++) {
    const next = new Map<number, number>();
    for (const [left, chance] of chances.at(-1)!) {
      const inDraw = inDrawAt(prizes, left);
      const lots = inDraw.flatMap((prize) => Array.from({ length: prize.weight }, () => prize));
      for (const lot of lots) {
        const after = left - cash(lot);
        next.set(after, (next.get(after) ?? 0) + chance / lots.length);
      }
    }
    chances.push(next);
  }
  return chances;
}

describe('the odds of a play', () => {
  test('equal the mean over all equally likely draws', () => {
    fc.assert(
      fc.property(small, (prizes) => {
        const lots = prizes.flatMap((prize) => Array.from({ length: prize.weight }, () => prize));
        const mean = (of: (prize: Prize) => number) =>
          lots.reduce((sum, lot) => sum + of(lot), 0) / lots.length;
        const odds = oddsOfPlay(prizes);
        expect(odds.cash).toBeCloseTo(mean(cash), 12);
        const valued = prizes.map((prize) => (cash(prize) ? prize : { ...prize, value_usd: 19.99 }));
        const others = mean((lot) => (cash(lot) ? 0 : 19.99));
        expect(oddsOfPlay(valued).value).toBeCloseTo(odds.value + others, 9);
        expect(odds.value).toBeCloseTo(odds.cash, 12);
        expect(odds.cashVariance).toBeCloseTo(
          mean((lot) => (cash(lot) - mean(cash)) ** 2),
          12,
        );
        expect(odds.tickets).toBeCloseTo(
          mean(({ kind, amount }) => (kind === 'tickets' ? amount : 0)),
          12,
        );
        for (const [kind, share] of Object.entries(odds.kinds)) {
          expect(share).toBeCloseTo(
            mean((lot) => (lot.kind === kind ? 1 : 0)),
            12,
          );
        }
      }),
    );
  });

  test('of the prize wheel match its weights', () => {
    const { cash, cashVariance, tickets, kinds } = oddsOfPlay(defaultPrizeTables.prizewheel.prizes);
    expect(cash).toBe(0.1835);
    expect(cashVariance).toBeCloseTo(0.0735 + 0.6 + 5 - 0.1835 ** 2, 12);
    expect(tickets).toBe(0.63);
    expect(kinds).toMatchObject({ cash_usd: 0.08, tickets: 0.4, entry_truck: 0.2 });
  });

  test('keep the precision of the variance for large and similar prizes', () => {
    const prizes = [prizeOf('cash_usd', 1_000_000, 1_000_000), prizeOf('cash_usd', 999_999, 1_000_000)];
    expect(oddsOfPlay(prizes).cashVariance).toBe(0.25);
  });
});

describe('the odds of a day', () => {
  test('equal the mean over all possible days', () => {
    fc.assert(
      fc.property(small, fc.nat({ max: 8 }), (prizes, limitUsd) => {
        const odds = oddsOfDay(prizes, limitUsd);
        const amounts = prizes.map(cash).filter((amount) => amount > 0);
        if (amounts.length === 0) {
          expect(odds).toBeUndefined();
          return;
        }
        // With 1,200 plays, almost surely no cash remains: each play wins cash with a probability of at least 1 in 25.
        const before = cashLeftBefore(prizes, limitUsd, 1200);
        const within = (fromUsd: number) =>
          before
            .flatMap((chances) => [...chances])
            .reduce((sum, [left, chance]) => sum + (left >= fromUsd ? chance : 0), 0);
        expect(odds!.playsUntilTicketsOnly).toBeCloseTo(within(Math.min(...amounts)), 6);
        expect(odds!.playsUntilDearestIsOut).toBeCloseTo(within(Math.max(...amounts)), 6);
        const leftOver = [...before.at(-1)!].reduce((sum, [left, chance]) => sum + left * chance, 0);
        expect(odds!.leftOverUsd).toBeCloseTo(leftOver, 6);
      }),
      { numRuns: 30 },
    );
  });

  test('count in USD what remains, even if all cash prizes have a common divisor', () => {
    const prizes = [prizeOf('cash_usd', 20, 1), prizeOf('cash_usd', 30, 1), prizeOf('tickets', 1, 2)];
    const last = cashLeftBefore(prizes, 50, 1200).at(-1)!;
    const leftOver = [...last].reduce((sum, [left, chance]) => sum + left * chance, 0);
    expect(leftOver).toBeCloseTo(2.5, 6);
    expect(oddsOfDay(prizes, 50)!.leftOverUsd).toBeCloseTo(leftOver, 6);
  });

  test('list the prizes of each phase, and the phases add up to the limit', () => {
    const { prizes } = defaultPrizeTables.prizewheel;
    const { phases, leftOverUsd, ...plays } = oddsOfDay(prizes, 500)!;
    expect(phases.map(({ fromUsd }) => fromUsd)).toEqual([100, 10, 1, 0]);
    expect(phases.map((phase) => phase.prizes.length)).toEqual([15, 14, 13, 3]);
    const won = phases
      .slice(0, -1)
      .reduce((sum, phase) => sum + phase.plays * oddsOfPlay(phase.prizes).cash, 0);
    expect(won).toBeCloseTo(500, 9);
    expect(leftOverUsd).toBe(0);
    expect(plays.playsUntilDearestIsOut).toBe(phases[0]!.plays);
    expect(phases.at(-1)!.plays).toBe(Infinity);
  });

  test('start without the highest cash prize, or with tickets only, if the limit is too low', () => {
    const { prizes } = defaultPrizeTables.truck;
    expect(oddsOfDay(prizes, 99)).toMatchObject({
      playsUntilDearestIsOut: 0,
      phases: [{ fromUsd: 20 }, {}, {}],
    });
    expect(oddsOfDay(prizes, 1)).toMatchObject({
      playsUntilTicketsOnly: 0,
      leftOverUsd: 1,
      phases: [{ fromUsd: 0 }],
    });
  });

  test('grow linearly for limits beyond exact computation', () => {
    const { prizes } = defaultPrizeTables.flight;
    const plays = (limitUsd: number) => oddsOfDay(prizes, limitUsd)!.playsUntilTicketsOnly;
    const mean = oddsOfPlay(prizes).cash;
    expect(((plays(1_000_000_000) - plays(100_000)) * mean) / 999_900_000).toBeCloseTo(1, 8);
  });
});

describe('the mean cash by number of plays', () => {
  test('equals the mean over all possible days', () => {
    fc.assert(
      fc.property(small, fc.nat({ max: 12 }), (prizes, limitUsd) => {
        const won = cashLeftBefore(prizes, limitUsd, 60).map((chances) =>
          [...chances].reduce((sum, [left, chance]) => sum + (limitUsd - left) * chance, 0),
        );
        const odds = cashByPlays(prizes, limitUsd, 59)!;
        for (const [plays, mean] of won.entries()) expect(odds[plays] ?? odds.at(-1)).toBeCloseTo(mean, 9);
      }),
    );
  });

  test('grows linearly until the limit is near, and ends when no cash can be won', () => {
    const { prizes } = defaultPrizeTables.flight;
    const won = cashByPlays(prizes, 503, 1_000_000)!;
    expect(won[4]).toBeCloseTo(4 * oddsOfPlay(prizes).cash, 12);
    expect(won.at(-1)).toBeCloseTo(500, 9);
    expect(won.length).toBeLessThan(20_000);
    expect(cashByPlays([prizeOf('tickets', 1, 1)], 500, 9)).toEqual([0]);
  });

  test('is undefined if the computation would take too long', () => {
    expect(cashByPlays(defaultPrizeTables.flight.prizes, 1_000_000_000, 10)).toBeUndefined();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawSetOf } from '../../shared/games/draw.ts';
import { inDrawAt } from '../../shared/games/odds.ts';
import { defaultPrizeTables, type Prize } from '../../shared/games/prize-tables.ts';
import {
  alarmsIn,
  allCash,
  chanceOf,
  checksPerFalseAlarm,
  type Deviation,
  type Drawn,
  updateTests,
} from '../../shared/payouts/evidence.ts';
import { addOutcome, newTally, type Tallied } from '../../shared/payouts/tally.ts';
import { games } from '../../shared/vocabulary.ts';
import { prizeOf } from '../support/prize.ts';
import { createRandom } from '../world/random.ts';

const since = '2026-03-02T12:00:00.000Z';
const wheel = defaultPrizeTables.prizewheel.prizes;
const setOf = (prizes: readonly Prize[], cashLeftUsd: number | null = null) =>
  drawSetOf(inDrawAt(prizes, cashLeftUsd));

/** Draws `draws` prizes and returns how often each was drawn. `weightOf` sets the probabilities. */
function drawn(
  set: Drawn['set'],
  draws: number,
  random: () => number,
  weightOf = ({ weight }: Prize) => weight,
): Drawn {
  const weights = set.prizes.map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const counts = weights.map(() => 0);
  for (let i = 0; i < draws; i++) {
    let [index, left] = [0, random() * total - weights[0]!];
    while (left >= 0) left -= weights[++index]!;
    counts[index]!++;
  }
  return { game: 'prizewheel', set, counts };
}

const ofSet = (set: Drawn['set'], index: number): Drawn => ({
  game: 'prizewheel',
  set,
  counts: set.prizes.map((_, i) => Number(i === index)),
});

describe('fair draws', () => {
  const table = fc
    .array(
      fc.record({
        kind: fc.constantFrom('cash_usd' as const, 'tickets' as const),
        amount: fc.constantFrom(1, 2, 7, 100, 1_000_000),
        weight: fc.integer({ min: 1, max: 1_000_000 }),
      }),
      { minLength: 2, maxLength: 6 },
    )
    .map((lines) =>
      lines.map(({ kind, amount, weight }, i) => ({ ...prizeOf(kind, amount, weight), id: `${i}` })),
    );

  test('do not change the expected stake, for any table', () => {
    fc.assert(
      fc.property(table, (prizes) => {
        const set = setOf(prizes);
        const before = updateTests([], [drawn(set, 0, Math.random)], since);
        expect(before.deviations).toEqual([]);
        const means = new Map<string, number>();
        for (const [index, { weight }] of set.prizes.entries()) {
          // Starts with much evidence, because `updateTests` drops tests whose evidence becomes too low.
          const rich = testsOf(set).map((one) => ({ ...one, evidence: 100 }));
          for (const { prize, factor, evidence } of updateTests(rich, [ofSet(set, index)], since)
            .deviations) {
            const name = `${prize} ${factor}`;
            means.set(name, (means.get(name) ?? 0) + (weight / set.total) * Math.exp(evidence - 100));
          }
        }
        expect(means.size).toBe(testsOf(set).length);
        for (const mean of means.values()) expect(mean).toBeCloseTo(1, 6);
      }),
    );
  });

  /** Returns all statistical tests of a set of prizes, before they have any evidence. */
  const testsOf = (set: Drawn['set']): Deviation[] => {
    const hasCash = set.prizes.some(({ kind }) => kind === 'cash_usd');
    const watched = [
      ...set.prizes.map(({ id }) => ({ game: 'prizewheel' as const, prize: id })),
      ...(hasCash ? [{ prize: allCash } as const] : []),
    ];
    return watched.flatMap((one) =>
      [0.5, 1.5, 3].map((factor) => ({ ...one, factor, since, won: 0, expected: 0, evidence: 0 })),
    );
  };

  test('of three games raise no alarm in 3,000 hours, and few with a lower threshold', () => {
    const { next } = createRandom('fair hours');
    const leftIn = (hour: number) => (hour % 24 < 12 ? null : hour % 24 < 20 ? 50 : 0);
    let [deviations, alarms, nearAlarms]: [Deviation[], number, number] = [[], 0, 0];
    for (let hour = 0; hour < 3000; hour++) {
      const played = games.map((game) => {
        const set = setOf(defaultPrizeTables[game].prizes, leftIn(hour));
        return { ...drawn(set, 100, next), game };
      });
      const weighed = updateTests(deviations, played, since);
      alarms += alarmsIn(weighed.deviations, weighed.tests).alarms.length;
      // Counts near alarms. Their lower threshold allows one false alarm in 20 hours, not one in 10,000 hours.
      const near = alarmsIn(weighed.deviations, (weighed.tests * 20) / checksPerFalseAlarm);
      nearAlarms += near.alarms.length;
      deviations = near.open;
    }
    expect(alarms).toBe(0);
    expect(nearAlarms).toBeGreaterThan(0);
    expect(nearAlarms).toBeLessThanOrEqual(3000 / 20);
  });
});

describe('a prize that is won too often or too seldom', () => {
  /** Simulates plays in which the prize `id` is `factor` times as likely as it should be. Returns its first alarm. */
  function untilAlarm(id: string, factor: number, seed: string): Deviation {
    const { next } = createRandom(seed);
    const weightOf = (prize: Prize) => prize.weight * (prize.id === id ? factor : 1);
    let deviations: Deviation[] = [];
    for (let hour = 0; ; hour++) {
      const set = setOf(wheel, hour % 24 < 18 ? null : 50);
      const weighed = updateTests(deviations, [drawn(set, 500, next, weightOf)], since);
      const { alarms, open } = alarmsIn(weighed.deviations, weighed.tests);
      const found = alarms.find(({ prize }) => prize === id);
      if (found) return found;
      deviations = open;
    }
  }
  const trials = 30;

  // Columns: prize, factor on its probability, median and upper bound of wins until the alarm. In 1,000 trials, none
  // exceeded the bound.
  test.each([
    ['cash-10', 1.5, 150, 600],
    ['gift-card', 1.5, 150, 600],
    ['cash-10', 3, 31, 120],
    ['cash-10', 0.5, 31, 120],
  ])(
    'is detected: %s, %f times as often, after about %i wins, and after %i at most',
    (id, times, expectedMedian, maxWins) => {
      const wins = Array.from({ length: trials }, (_, seed) => untilAlarm(id, times, `${id} ${seed}`).won);
      wins.sort((a, b) => a - b);
      const median = wins[trials / 2]!;
      expect(median).toBeGreaterThan(0.75 * expectedMedian);
      expect(median).toBeLessThan(1.25 * expectedMedian);
      expect(wins.at(-1)).toBeLessThanOrEqual(maxWins);
    },
  );
});

describe('the cash of an hour', () => {
  const set = setOf(wheel);
  const hourOf = (cash: Record<string, number>): Drawn => ({
    game: 'prizewheel',
    set,
    counts: set.prizes.map(({ id, weight }) => cash[id] ?? Math.round(weight / 10)),
  });
  const alarmsAfter = (hours: Drawn[]) => {
    const { deviations, tests } = updateTests([], hours, since);
    return alarmsIn(deviations, tests).alarms.filter(({ prize }) => prize === allCash);
  };

  test('raises no alarm at the expected amount', () => {
    expect(alarmsAfter([hourOf({})])).toEqual([]);
  });

  test('raises an alarm far above the expected amount, with both amounts', () => {
    const [found] = alarmsAfter([hourOf({ 'cash-100': 12, 'cash-10': 6, 'cash-1': 74 })]);
    expect(found).toMatchObject({ prize: allCash, since, won: 1334 });
    expect(found!.expected).toBeCloseTo(1012 * 0.1835, 6);
    expect(chanceOf(found!, (wheel.length + 1) * 3)).toBeLessThanOrEqual(1e-4);
  });

  test('raises an alarm if no cash is won any more', () => {
    const without = hourOf({ 'cash-100': 0, 'cash-10': 0, 'cash-1': 0 });
    expect(alarmsAfter(Array.from({ length: 100 }, () => without))).toMatchObject([{ factor: 0.5, won: 0 }]);
  });
});

test('a test that goes on keeps the instant of its first draws', () => {
  const set = setOf(wheel);
  const wins = [{ game: 'prizewheel', set, counts: set.prizes.map(() => 9) } as const];
  const { deviations } = updateTests([], wins, since);
  const continued = updateTests(deviations, wins, '2026-03-02T13:00:00.000Z').deviations;
  const sinceAll = (tests: Deviation[]) => new Set(tests.map(({ since }) => since));
  expect(continued.length).toBe(deviations.length);
  expect(sinceAll(continued)).toEqual(new Set([since]));
});

test('debug plays are not counted', () => {
  const { prizes, version } = defaultPrizeTables.prizewheel;
  const played = { game: 'prizewheel', play_type: 'regular', prize_table_version: version } as const;
  const [{ id }] = prizes as [Prize];
  const tally = newTally();
  addOutcome(tally, { ...played, prize_id: id, debug: 'jackpot' } as Tallied, prizes);
  expect(tally).toEqual(newTally());
});

import { expect, test } from 'vitest';
import { simulate } from '../../../../infra/operate/admin/simulation.ts';
import { draw } from '../../../../shared/games/draw.ts';
import { inDrawAt, oddsOfPlay } from '../../../../shared/games/odds.ts';
import { defaultPrizeTables } from '../../../../shared/games/prize-tables.ts';
import { hmac } from '../../../../shared/hmac.ts';
import { prizeOf } from '../../../support/prize.ts';

const { prizes } = defaultPrizeTables.flight;
const played = { prizes, days: 1, playsPerDay: 2000, limitUsd: 500, chains: 1, seed: 'a seed' };
const mostlyCash = [
  prizeOf('cash_usd', 2, 4),
  prizeOf('cash_usd', 5, 2),
  prizeOf('cash_usd', 20, 1),
  prizeOf('tickets', 1, 8),
  prizeOf('prize_imt', 1, 5),
];

test('each play is a real draw with the remaining cash of its day', () => {
  const days = 3;
  const drawn = new Map<string, number>();
  for (let day = 0; day < days; day++) {
    const serverSeed = hmac(Buffer.from('simulation'), `${day}\n${played.seed}`);
    let left = played.limitUsd;
    for (let spinIndex = 0; spinIndex < played.playsPerDay; spinIndex++) {
      const prize = draw(inDrawAt(prizes, left), { serverSeed, clientSeed: '', spinIndex });
      if (prize.kind === 'cash_usd') left -= prize.amount;
      drawn.set(prize.id, (drawn.get(prize.id) ?? 0) + 1);
    }
  }
  const simulated = simulate({ ...played, days });
  expect(simulated.prizes.map(({ id, drawn }) => [id, drawn])).toEqual(
    prizes.map(({ id }) => [id, drawn.get(id) ?? 0]),
  );
  expect(simulated.plays).toBe(6000);
});

test('the same seed repeats the plays, and another seed does not', () => {
  expect(simulate(played)).toEqual(simulate(played));
  expect(simulate({ ...played, seed: 'another' }).prizes).not.toEqual(simulate(played).prizes);
});

test('a prize in stock is won as often as its stock and its stock of a day allow, over several days', () => {
  const stocked = (stock: object) =>
    simulate({
      ...played,
      prizes: [{ ...prizeOf('prize_imt', 1, 1), ...stock }, prizeOf('tickets', 1, 1)],
      days: 3,
      playsPerDay: 50,
    }).prizes[0]!.drawn;
  expect([{ stock: 1 }, { stock_per_day: 2 }, { stock: 5, stock_per_day: 2 }].map(stocked)).toEqual([
    1, 6, 5,
  ]);
});

test('plays without a limit win within 2 % of the odds', () => {
  const plays = 250_000;
  const { cash_usd, chi_square, plays_until_tickets_only, ...simulated } = simulate({
    ...played,
    playsPerDay: plays,
    limitUsd: null,
  });
  const { cash, cashVariance } = oddsOfPlay(prizes);
  expect(cash_usd.expected).toBeCloseTo(plays * cash, 6);
  expect(cash_usd.expected_of_draws).toBe(cash_usd.expected);
  expect(cash_usd.standard_deviation / Math.sqrt(plays * cashVariance)).toBeCloseTo(1, 4);
  expect(Math.abs(cash_usd.won / cash_usd.expected! - 1)).toBeLessThan(0.02);
  for (const { id, drawn, expected } of simulated.prizes) {
    expect([id, Math.abs(drawn - expected) < 4.5 * Math.sqrt(expected)]).toEqual([id, true]);
  }
  expect(chi_square.prizes).toMatchObject({ freedom: prizes.length - 1 });
  expect(chi_square.prizes!.probability).toBeGreaterThan(0.001);
  expect(chi_square.cash_usd!.probability).toBeGreaterThan(0.001);
  expect(plays_until_tickets_only).toBeNull();
});

test("a day's cash lasts as long as the odds predict", () => {
  const days = 1500;
  const simulated = simulate({ ...played, prizes: mostlyCash, days, playsPerDay: 120, limitUsd: 50 });
  const { mean, expected } = simulated.plays_until_tickets_only!;
  expect(Math.abs(mean / expected - 1)).toBeLessThan(0.02);
  expect(simulated.cash_usd.won / simulated.cash_usd.expected!).toBeCloseTo(1, 3);
  expect(simulated.chi_square.prizes!.probability).toBeGreaterThan(0.001);
  expect(simulated.chi_square.cash_usd!.probability).toBeGreaterThan(0.001);
  const several = { ...played, prizes: mostlyCash, days: 9, playsPerDay: 240, limitUsd: 50, chains: 2 };
  expect(simulate(several).plays_until_tickets_only).toBeNull();
});

test.each([1, 3])('days with remaining cash win what the odds predict, with %i chains', (chains) => {
  const days = 1500;
  const short = {
    ...played,
    prizes: mostlyCash,
    days,
    playsPerDay: 15 * chains,
    limitUsd: 40 * chains,
    chains,
  };
  const { cash_usd, by_day, plays_until_tickets_only } = simulate(short);
  expect(Math.abs(cash_usd.won / cash_usd.expected! - 1)).toBeLessThan(0.02);
  expect(cash_usd.expected! / days).toBeLessThan(15 * chains * oddsOfPlay(mostlyCash).cash);
  expect(plays_until_tickets_only).toBeNull();
  expect(by_day).toHaveLength(days);
  const sum = by_day.reduce((all, day) => all + day.cash_usd.won, 0);
  expect(sum).toBe(cash_usd.won);
  for (const day of by_day) expect(day.cash_usd.won).toBeLessThanOrEqual(short.limitUsd);
});

test('without cash prizes there is no cash test, and with too few draws no test', () => {
  const ofTickets = simulate({ ...played, prizes: [prizeOf('tickets', 1, 1), prizeOf('prize_imt', 1, 1)] });
  expect(ofTickets.cash_usd).toEqual({ won: 0, expected: 0, expected_of_draws: 0, standard_deviation: 0 });
  expect(ofTickets.chi_square).toMatchObject({ prizes: { freedom: 1 }, cash_usd: null });
  expect(simulate({ ...played, playsPerDay: 3 }).chi_square).toEqual({ prizes: null, cash_usd: null });
});

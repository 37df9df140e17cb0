import type { Prize } from './prize-tables.ts';
import { centsOf } from './prizes.ts';

type PlayOdds = {
  /** Mean cash won per play, in USD. */
  cash: number;
  /** Variance of the cash won per play, in USD squared. */
  cashVariance: number;
  /** Mean value won per play, in USD. Includes cash; prizes without a known value count as 0. */
  value: number;
  tickets: number;
};

/** Sums are exact (`BigInt`); only divisions round. */
export function meanWinnings(prizes: readonly Prize[]): PlayOdds {
  const weights = sum(prizes.map(({ weight }) => weight));
  const cash = cashOf(prizes);
  const total = weighted(cash, ({ amount }) => amount);
  const squares = weighted(cash, ({ amount }) => amount ** 2);
  return {
    cash: Number(total) / weights,
    // Subtracts in BigInt: the terms are large and nearly equal, so a floating-point difference would be imprecise.
    cashVariance: Number(BigInt(weights) * squares - total ** 2n) / weights ** 2,
    value: Number(weighted(prizes, (prize) => centsOf(prize) ?? 0)) / 100 / weights,
    tickets: Number(weighted(prizes, ({ kind, amount }) => (kind === 'tickets' ? amount : 0))) / weights,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const weighted = (prizes: readonly Prize[], value: (prize: Prize) => number): bigint =>
  prizes.reduce((all, prize) => all + BigInt(prize.weight) * BigInt(value(prize)), 0n);

const cashOf = (prizes: readonly Prize[]) => prizes.filter(({ kind }) => kind === 'cash_usd');

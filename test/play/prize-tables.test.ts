import { describe, expect, test } from 'vitest';
import { defaultPrizeTables } from '../../shared/games/prize-tables.ts';
import { type Game, games, type PrizeKind, prizeKinds } from '../../shared/vocabulary.ts';

const mostFrequentPrize: Record<Game, PrizeKind> = {
  prizewheel: 'tickets',
  truck: 'entry_truck',
  flight: 'entry_flight',
};

describe.each(games)('the default table of %s', (game) => {
  const { prizes } = defaultPrizeTables[game];
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  const shareOf = (kind: PrizeKind) =>
    prizes.filter((prize) => prize.kind === kind).reduce((sum, { weight }) => sum + weight, 0) / total;

  test('has weights with a sum of 10,000, unique ids, and labels in both languages', () => {
    expect(total).toBe(10_000);
    expect(new Set(prizes.map(({ id }) => id)).size).toBe(prizes.length);
    expect(prizes.every(({ weight }) => Number.isInteger(weight) && weight > 0)).toBe(true);
    expect(prizes.every(({ label }) => label.en.length > 0 && label.es.length > 0)).toBe(true);
  });

  test('of the prize wheel has every kind of prize', () => {
    const kinds = defaultPrizeTables.prizewheel.prizes.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(prizeKinds));
  });

  test('gives one entry or other prize at a time', () => {
    const single = prizes.filter(({ kind }) => kind !== 'tickets' && kind !== 'cash_usd');
    expect(single.every(({ amount }) => amount === 1)).toBe(true);
  });

  test('allows hundreds of plays within 500 USD a day', () => {
    const cash = prizes.filter(({ kind }) => kind === 'cash_usd');
    const perPlay = cash.reduce((sum, { amount, weight }) => sum + (amount * weight) / total, 0);
    expect(500 / perPlay).toBeGreaterThan(600);
    expect(Math.max(...cash.map(({ amount }) => amount))).toBe(100);
  });

  test('has the most frequent prize of its game', () => {
    expect(shareOf(mostFrequentPrize[game])).toBeGreaterThan(game === 'prizewheel' ? 0.35 : 0.5);
  });
});

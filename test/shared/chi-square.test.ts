import { describe, expect, test } from 'vitest';
import { testEquality, testFit, upperTail } from '../../shared/chi-square.ts';

describe('the upper tail of the chi-square distribution', () => {
  // Published critical values: degrees of freedom, value, and the probability of exceeding the value.
  test.each([
    [1, 3.841459, 0.05],
    [1, 6.634897, 0.01],
    [2, 13.815511, 0.001],
    [5, 11.070498, 0.05],
    [14, 23.684791, 0.05],
    [14, 36.123274, 0.001],
    [30, 50.892181, 0.01],
    [100, 124.342113, 0.05],
  ])('with %i degrees of freedom above %f', (freedom, value, probability) => {
    expect(upperTail(value, freedom)).toBeCloseTo(probability, 6);
  });

  test('is 1 at zero and 0 far out', () => {
    expect(upperTail(0, 3)).toBe(1);
    expect(upperTail(10_000, 3)).toBeLessThan(1e-300);
  });

  test('with two degrees of freedom is exponential', () => {
    for (const x of [0.1, 1, 3, 10, 50]) expect(upperTail(x, 2)).toBeCloseTo(Math.exp(-x / 2), 11);
  });
});

describe('the test of fit', () => {
  test('matches a worked example of 120 dice throws', () => {
    const result = testFit([20, 22, 17, 18, 19, 24], [1, 1, 1, 1, 1, 1])!;
    expect(result.freedom).toBe(5);
    expect(result.statistic).toBeCloseTo(1.7, 12);
    expect(result.probability).toBeCloseTo(0.889, 3);
  });

  test('merges rare outcomes', () => {
    expect(testFit([990, 6, 4], [990, 6, 4])).toMatchObject({ statistic: 0, freedom: 1 });
  });

  test('has no result for a few draws', () => {
    expect(testFit([2, 3], [1, 1])).toBeUndefined();
    expect(testFit([0, 0], [1, 1])).toBeUndefined();
    expect(testFit([100], [1])).toBeUndefined();
  });
});

describe('the test of equality', () => {
  test('matches a worked two-by-two table', () => {
    const result = testEquality([10, 20], [30, 15])!;
    expect(result.statistic).toBeCloseTo(8.0357, 4);
    expect(result.freedom).toBe(1);
    expect(result.probability).toBeCloseTo(0.00459, 5);
  });

  test('finds no difference between equal shares', () => {
    expect(testEquality([100, 200, 300], [10, 20, 30])).toMatchObject({ statistic: 0, freedom: 2 });
  });

  test('has no result without draws', () => {
    expect(testEquality([0, 0], [10, 10])).toBeUndefined();
    expect(testEquality([0, 0], [0, 0])).toBeUndefined();
  });
});

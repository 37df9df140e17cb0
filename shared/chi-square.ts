/** `probability` is the probability that chance alone gives a statistic at least this large. */
export type ChiSquare = { statistic: number; freedom: number; probability: number };

// The usual minimum expected count of a cell. Below 5, the chi-square distribution is a poor approximation.
const minExpected = 5;

export function testFit(counts: readonly number[], shares: readonly number[]): ChiSquare | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const cells = counts.map((count, i) => ({ counts: [count], expected: [(total * shares[i]!) / whole] }));
  return test(pooled(cells));
}

/** Tests whether two rows of counts have the same distribution. Returns undefined if the counts are too small. */
export function testEquality(one: readonly number[], other: readonly number[]): ChiSquare | undefined {
  const rows = [one, other];
  const totals = rows.map((row) => row.reduce((sum, count) => sum + count, 0));
  const all = totals[0]! + totals[1]!;
  const cells = one.map((_, i) => {
    const counts = rows.map((row) => row[i]!);
    const column = counts[0]! + counts[1]!;
    return { counts, expected: totals.map((total) => (column * total) / all) };
  });
  return test(pooled(cells));
}

type Cell = { counts: number[]; expected: number[] };

/** Merges cells until each expected count reaches the minimum, starting with the smallest cells. */
function pooled(cells: readonly Cell[]): Cell[] {
  const left = cells.toSorted((a, b) => Math.min(...a.expected) - Math.min(...b.expected));
  while (left.length > 1 && Math.min(...left[0]!.expected) < minExpected) {
    const [first, second] = left.splice(0, 2) as [Cell, Cell];
    const sum = (a: number[], b: number[]) => a.map((value, i) => value + b[i]!);
    const both = {
      counts: sum(first.counts, second.counts),
      expected: sum(first.expected, second.expected),
    };
    left.push(both);
    left.sort((a, b) => Math.min(...a.expected) - Math.min(...b.expected));
  }
  return left;
}

function test(cells: readonly Cell[]): ChiSquare | undefined {
  const freedom = cells.length - 1;
  // The comparison is negated because without draws the expected counts are NaN, and comparisons with NaN are
  // false.
  if (freedom < 1 || !(Math.min(...cells[0]!.expected) >= minExpected)) return undefined;
  let statistic = 0;
  for (const { counts, expected } of cells) {
    for (const [i, count] of counts.entries()) statistic += (count - expected[i]!) ** 2 / expected[i]!;
  }
  return { statistic, freedom, probability: upperTail(statistic, freedom) };
}

/** Returns the probability that a chi-square variable with `freedom` degrees of freedom is at least `value`. */
export function upperTail(value: number, freedom: number): number {
  return upperGamma(freedom / 2, value / 2);
}

function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(-x + a * Math.log(x) - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; Math.abs(term) > Math.abs(sum) * 1e-15; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return Math.max(0, 1 - sum * scale);
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let fraction = d;
  for (let i = 1, change = 0; Math.abs(change - 1) > 1e-15 && i < 10_000; i++) {
    const an = -i * (i - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    change = c * d;
    fraction *= change;
  }
  return fraction * scale;
}

function logGamma(x: number): number {
  let [at, below] = [x, 0];
  // Stirling's series is imprecise for small x, so this first uses Γ(x + 1) = x Γ(x).
  for (; at < 10; at++) below += Math.log(at);
  const series = 1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1260 * at ** 5) - 1 / (1680 * at ** 7);
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - below;
}

/** Result of a measurement. `detail` and `tables` show the figures behind the value. */
export type Measured = { value: number; detail: string; tables?: Table[] };
/** A result table. The first line has the names of the columns. */
export type Table = { title: string; lines: string[][] };
/** A row of the bench: a measured value, the baseline (`floor`) for comparison, and a target. */
export type Row = {
  /** Name of the row. On the command line, it selects the row: `npm run bench credit-time`. */
  name: string;
  what: string;
  floor: string;
  target?: { atMost: number } | { atLeast: number };
  unit?: string;
  /** True if the row counts and does not time. The test suite requires its target, at the smallest size. */
  isExact?: true;
  /** True if the measurement takes minutes. At full size, such a row runs only if the command line names it. */
  isLong?: true;
  /** Measures at a fraction of the full size: 1 is full, 0 the smallest size that yields a value. */
  measure: (size: number) => Promise<Measured>;
};

/** Returns a count scaled by a row's size, and at least `least`. */
export const scaled = (count: number, size: number, least = 1) => Math.max(least, Math.round(count * size));

export function median(samples: number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Samples of the service (`ours`) and of the baseline (`floor`). The two samples with the same index were taken in the
 * same turn.
 */
export type Pairs = { ours: number[]; floor: number[] };
/** Number of samples of each side, after a warm-up. */
export type Turns = { turns: number; warmUp: number };
export const scaledTurns = ({ turns, warmUp }: Turns, size: number): Turns => ({
  turns: scaled(turns, size),
  warmUp: scaled(warmUp, size, 0),
});
type Runs = Record<keyof Pairs, () => Promise<() => Promise<unknown>>>;

/** Times the service and the baseline alternately, in milliseconds, so that other processes slow both equally. */
export async function timedByTurns(runs: Runs, turns: Turns): Promise<Pairs> {
  return byTurns(async (name) => {
    // The preparation is not timed.
    const run = await runs[name]();
    const started = performance.now();
    await run();
    return performance.now() - started;
  }, turns);
}

/** Takes samples of the service and the baseline alternately. Discards the samples of the warm-up. */
export async function byTurns(
  sample: (name: keyof Pairs) => Promise<number>,
  { turns, warmUp }: Turns,
): Promise<Pairs> {
  const pairs: Pairs = { ours: [], floor: [] };
  const names = ['ours', 'floor'] as const;
  for (let turn = -warmUp; turn < turns; turn++) {
    // The second sample of a turn benefits from warm caches, so service and baseline take turns at being
    // first.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const value = await sample(name);
      if (turn >= 0) pairs[name].push(value);
    }
  }
  return pairs;
}

/** Returns the median ratio of service to baseline over all pairs, and the quartiles as text. */
export function ratioOf({ ours, floor }: Pairs): { value: number; spread: string } {
  const ratios = ours.map((value, index) => value / floor[index]!).sort((a, b) => a - b);
  const quartile = (share: number) => ratios[Math.floor((ratios.length - 1) * share)]!.toFixed(2);
  return { value: median(ratios), spread: `quartiles ${quartile(0.25)} to ${quartile(0.75)}` };
}

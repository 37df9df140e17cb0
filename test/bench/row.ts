/** Result of a row. `detail` and `tables` show how the value came about. */
export type Measured = { value: number; detail: string; tables?: Table[] };
/** A table; the first line has the column names. */
export type Table = { title: string; lines: string[][] };
/** A row of the bench: a value, its floor and its target. */
export type Row = {
  /** Name of the row, also for the command line: `npm run bench credit-time`. */
  name: string;
  what: string;
  floor: string;
  /** Absent if the row has no limit. */
  target?: { atMost: number } | { atLeast: number };
  unit?: string;
  /** Whether the row takes minutes. Long rows run only by name. */
  isLong?: true;
  measure: () => Promise<Measured>;
};

/** Returns the median. */
export function median(samples: number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Samples of the service and of the floor. Samples with the same index were taken one right after the other.
 */
export type Pairs = { ours: number[]; floor: number[] };
type Runs = Record<keyof Pairs, () => Promise<() => Promise<unknown>>>;

/**
 * Times the service and the floor alternately, in ms, so that other load slows both alike. Returned functions
 * are timed; the preparation before them is not.
 */
export async function timedByTurns(runs: Runs, turns: { turns: number; warmUp: number }): Promise<Pairs> {
  return byTurns(async (name) => {
    const run = await runs[name]();
    const started = performance.now();
    await run();
    return performance.now() - started;
  }, turns);
}

/** Takes samples of both alternately, and drops those of the warm-up. */
export async function byTurns(
  sample: (name: keyof Pairs) => Promise<number>,
  { turns, warmUp }: { turns: number; warmUp: number },
): Promise<Pairs> {
  const pairs: Pairs = { ours: [], floor: [] };
  const names = ['ours', 'floor'] as const;
  for (let turn = -warmUp; turn < turns; turn++) {
    // The second run finds warmer caches, so the order alternates.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const value = await sample(name);
      if (turn >= 0) pairs[name].push(value);
    }
  }
  return pairs;
}

/** Returns the median ratio of all pairs, and its quartiles as text. */
export function ratioOf({ ours, floor }: Pairs): { value: number; spread: string } {
  const ratios = ours.map((value, index) => value / floor[index]!).sort((a, b) => a - b);
  const quartile = (share: number) => ratios[Math.floor((ratios.length - 1) * share)]!.toFixed(2);
  return { value: median(ratios), spread: `quartiles ${quartile(0.25)} to ${quartile(0.75)}` };
}

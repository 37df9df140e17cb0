/** What a row of the bench measured; its detail says what the value is made of, its tables say it at length. */
export type Measured = { value: number; detail: string; tables?: Table[] };
/** Lines of cells, the names of the columns first. */
export type Table = { title: string; lines: string[][] };
/** One row of the bench: a number, the floor that it can't be below, and what it should not be worse than. */
export type Row = {
  /** Short, to run the row alone: `npm run bench credit-time`. */
  name: string;
  what: string;
  floor: string;
  /** Absent if the row is only told. */
  target?: { atMost: number } | { atLeast: number };
  unit?: string;
  /** Whether it takes minutes, and is run only if it is named. */
  isLong?: true;
  measure: () => Promise<Measured>;
};

/** The middle one of a number of samples. */
export function median(samples: number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Samples of ours and of the floor; those of one index were taken one right after the other. */
export type Pairs = { ours: number[]; floor: number[] };
type Runs = Record<keyof Pairs, () => Promise<() => Promise<unknown>>>;

/**
 * Times ours and the floor by turns, in milliseconds, so that whatever else the machine does slows both alike. Each
 * may prepare a turn first, outside of its time.
 */
export async function timedByTurns(runs: Runs, turns: { turns: number; warmUp: number }): Promise<Pairs> {
  return byTurns(async (name) => {
    const run = await runs[name]();
    const started = performance.now();
    await run();
    return performance.now() - started;
  }, turns);
}

/** Takes samples of both by turns, after some that do not count. */
export async function byTurns(
  sample: (name: keyof Pairs) => Promise<number>,
  { turns, warmUp }: { turns: number; warmUp: number },
): Promise<Pairs> {
  const pairs: Pairs = { ours: [], floor: [] };
  const names = ['ours', 'floor'] as const;
  for (let turn = -warmUp; turn < turns; turn++) {
    // Whoever goes second finds warmer caches, so they take turns in that too.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const value = await sample(name);
      if (turn >= 0) pairs[name].push(value);
    }
  }
  return pairs;
}

/** The median of ours ÷ floor over all pairs, with its quartiles in words. */
export function ratioOf({ ours, floor }: Pairs): { value: number; spread: string } {
  const ratios = ours.map((value, index) => value / floor[index]!).sort((a, b) => a - b);
  const quartile = (share: number) => ratios[Math.floor((ratios.length - 1) * share)]!.toFixed(2);
  return { value: median(ratios), spread: `quartiles ${quartile(0.25)} to ${quartile(0.75)}` };
}

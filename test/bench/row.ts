/** What a row of the bench measured; its detail says what the ratio is made of. */
export type Measured = { value: number; detail: string };
/** One row of the bench: a number, the floor that it can't be below, and what it should not be worse than. */
export type Row = {
  /** Short, to run the row alone: `npm run bench credit-time`. */
  name: string;
  what: string;
  floor: string;
  target: { atMost: number } | { atLeast: number };
  unit?: string;
  measure: () => Promise<Measured>;
};

/** The middle one of a number of samples. */
export function median(samples: number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Runs several things by turns, so that whatever else the machine does befalls all of them alike, and answers
 * the median time of each in milliseconds. Each may prepare a turn first, outside of its time.
 */
export async function medianTimes<Name extends string>(
  things: Record<Name, () => Promise<() => Promise<unknown>>>,
  { turns, warmUp }: { turns: number; warmUp: number },
): Promise<Record<Name, number>> {
  const names = Object.keys(things) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let turn = -warmUp; turn < turns; turn++) {
    // Whoever goes second finds warmer caches, so they take turns in that too.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const run = await things[name]();
      const started = performance.now();
      await run();
      if (turn >= 0) samples[name].push(performance.now() - started);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples[name])])) as Record<Name, number>;
}

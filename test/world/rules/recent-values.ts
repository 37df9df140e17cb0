/** Stores recent values of settings and budgets, which may change between a request's read and write. */

/** A history of values by name. */
export type Values<T> = {
  /** Notes that a name has this value from `at`, in epoch milliseconds. */
  set(name: string, value: T, at: number): void;
  /** Returns a name's values at or after `from`. The first is undefined without a value at `from`. */
  since(name: string, from: number): (T | undefined)[];
};

/** Creates a history that keeps replaced values for at least `keptMs` milliseconds. */
export function trackValues<T>(keptMs: number): Values<T> {
  const known = new Map<string, { value: T; at: number }[]>();
  return {
    set(name, value, at) {
      const values = known.get(name) ?? [];
      known.set(name, values);
      values.push({ value, at });
      // Drops values that were replaced more than `keptMs` ago.
      while (values.length > 1 && values[1]!.at < at - keptMs) values.shift();
    },
    since(name, from) {
      const values = known.get(name) ?? [];
      const first = values.findLastIndex(({ at }) => at <= from);
      const inForce = values.slice(Math.max(0, first)).map(({ value }) => value);
      return first < 0 ? [undefined, ...inForce] : inForce;
    },
  };
}

/** Recent values of settings and budgets, for rules about decisions that were based on an earlier read. */

/** Values over time, by name. */
export type Values<T> = {
  /** Sets a value from a time on. */
  set(name: string, value: T, at: number): void;
  /** Returns all values since a time. Includes undefined if there was none at that time. */
  since(name: string, from: number): (T | undefined)[];
};

/** Creates a history that keeps values for at least this long. */
export function trackValues<T>(keptMs: number): Values<T> {
  const known = new Map<string, { value: T; at: number }[]>();
  return {
    set(name, value, at) {
      const values = known.get(name) ?? [];
      known.set(name, values);
      values.push({ value, at });
      // Drops values that were replaced before that.
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

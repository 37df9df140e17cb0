/** What was in force at some time in the last while: for rules of reads that may have been made a moment ago. */

/** The values that something had, by its name. */
export type Values<T> = {
  /** Notes that something has a value from a time on. */
  set(name: string, value: T, at: number): void;
  /** All values that it has had since a time; undefined is among them if it had none then. */
  since(name: string, from: number): (T | undefined)[];
};

/** Makes a memory of values that remembers at least as long as asked for. */
export function rememberValues<T>(keptMs: number): Values<T> {
  const known = new Map<string, { value: T; at: number }[]>();
  return {
    set(name, value, at) {
      const values = known.get(name) ?? [];
      known.set(name, values);
      values.push({ value, at });
      // What was replaced before is of no use any more.
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

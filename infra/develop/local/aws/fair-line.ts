/** A line in which groups take turns, and each group keeps its own order. */
export type FairLine<T> = {
  push(group: string, item: T): void;
  shift(): T | undefined;
};

/** Makes an empty line. A group that was just served goes behind all others that wait. */
export function createFairLine<T>(): FairLine<T> {
  const groups = new Map<string, T[]>();
  return {
    push(group, item) {
      const waiting = groups.get(group);
      if (waiting) waiting.push(item);
      else groups.set(group, [item]);
    },
    shift() {
      for (const [group, waiting] of groups) {
        const item = waiting.shift();
        groups.delete(group);
        if (waiting.length > 0) groups.set(group, waiting);
        return item;
      }
      return undefined;
    },
  };
}

/** What comes due at a time, earliest first; equal times keep the order in which they were added. */
export type DueList<T> = {
  add(at: number, item: T): void;
  /** The time of the earliest item, or infinity. */
  next(): number;
  /** The earliest item, which stays in. */
  first(): T | undefined;
  /** Takes out the earliest item if it is due by then. */
  take(now: number): T | undefined;
};

/** A list that is kept in order: what comes due soon is near its end, so that little has to be moved for it. */
export function createDueList<T>(): DueList<T> {
  const latestFirst: { at: number; item: T }[] = [];
  const next = () => latestFirst.at(-1)?.at ?? Number.POSITIVE_INFINITY;
  return {
    add(at, item) {
      let [low, high] = [0, latestFirst.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (latestFirst[middle]!.at > at) low = middle + 1;
        else high = middle;
      }
      latestFirst.splice(low, 0, { at, item });
    },
    next,
    first: () => latestFirst.at(-1)?.item,
    take: (now) => (next() <= now ? latestFirst.pop()?.item : undefined),
  };
}

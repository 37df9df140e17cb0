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

type Entry<T> = { at: number; order: number; item: T };

const before = (a: Entry<unknown>, b: Entry<unknown>) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** A binary heap, so that adding and taking cost O(log n). */
export function createDueList<T>(): DueList<T> {
  const heap: Entry<T>[] = [];
  let order = 0;

  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };
  const rise = (index: number) => {
    for (let at = index; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!before(heap[at]!, heap[parent]!)) return;
      swap(at, parent);
      at = parent;
    }
  };
  const sink = () => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const right = left + 1;
      const child = right < heap.length && before(heap[right]!, heap[left]!) ? right : left;
      if (!before(heap[child]!, heap[at]!)) return;
      swap(at, child);
      at = child;
    }
  };

  return {
    add(at, item) {
      heap.push({ at, order: order++, item });
      rise(heap.length - 1);
    },
    next: () => heap[0]?.at ?? Number.POSITIVE_INFINITY,
    first: () => heap[0]?.item,
    take(now) {
      const first = heap[0];
      if (!first || first.at > now) return undefined;
      const last = heap.pop()!;
      if (heap.length > 0) {
        heap[0] = last;
        sink();
      }
      return first.item;
    },
  };
}

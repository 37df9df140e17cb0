export type DueList<T> = {
  add(at: number, item: T): void;
  next(): number;
  first(): T | undefined;
  /** Removes and returns the earliest item if the item is due at `now`. */
  take(now: number): T | undefined;
};

export function createDueList<T>(): DueList<T> {
  const heap: { at: number; order: number; item: T }[] = [];
  let added = 0;
  const isBefore = (a: number, b: number) => {
    const [first, second] = [heap[a]!, heap[b]!];
    return first.at < second.at || (first.at === second.at && first.order < second.order);
  };
  const swap = (a: number, b: number) => {
    const first = heap[a]!;
    heap[a] = heap[b]!;
    heap[b] = first;
  };
  const rise = (from: number) => {
    for (let index = from; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!isBefore(index, parent)) return;
      swap(index, parent);
      index = parent;
    }
  };
  const sink = () => {
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      if (left >= heap.length) return;
      const child = right < heap.length && isBefore(right, left) ? right : left;
      if (!isBefore(child, index)) return;
      swap(index, child);
      index = child;
    }
  };
  const next = () => heap[0]?.at ?? Number.POSITIVE_INFINITY;
  return {
    add(at, item) {
      heap.push({ at, order: added++, item });
      rise(heap.length - 1);
    },
    next,
    first: () => heap[0]?.item,
    take(now) {
      if (next() > now) return undefined;
      const first = heap[0];
      const last = heap.pop()!;
      if (heap.length > 0) {
        heap[0] = last;
        sink();
      }
      return first?.item;
    },
  };
}

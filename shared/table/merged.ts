/** Reads several ranges as one list, in the order of their positions. */
import type { Item } from './client.ts';
import type { Range } from './keys.ts';
import { batches, positionOf, type ReadOptions } from './ranges.ts';

export type Positioned = { position: string; item: Item };

/** Yields the items of several ranges in batches, merged by position. `limit` is the number of items per query. */
export async function* merged(
  ranges: Range[],
  options: ReadOptions & { limit?: number } = {},
): AsyncGenerator<Positioned[], undefined> {
  let open = ranges.map((range) => ({
    next: reader(range, options),
    unmerged: [] as Positioned[],
    lastRead: 0,
    isAll: false,
  }));
  for (;;) {
    // Refills every range of which less than half of the last read is left, because each refill takes a round trip.
    const short = open.filter(({ unmerged, lastRead, isAll }) => !isAll && unmerged.length <= lastRead / 2);
    await Promise.all(
      short.map(async (source) => {
        const more = await source.next();
        source.unmerged.push(...more);
        source.lastRead = more.length;
        source.isAll = more.length === 0;
      }),
    );
    open = open.filter(({ unmerged }) => unmerged.length > 0);
    if (open.length === 0) return;
    // The smallest last position of the ranges with unread items. All unread items have greater positions.
    const unread = open.filter(({ isAll }) => !isAll);
    const [safe] = unread.map(({ unmerged }) => unmerged.at(-1)!.position).sort();
    const batch: Positioned[] = [];
    for (const { unmerged } of open) {
      const end = unmerged.findIndex(({ position }) => safe !== undefined && position > safe);
      for (const one of unmerged.splice(0, end === -1 ? unmerged.length : end)) batch.push(one);
    }
    yield open.length > 1 ? batch.sort((a, b) => (a.position < b.position ? -1 : 1)) : batch;
  }
}

/** Returns a function that returns a range's next items, or an empty array at the range's end. */
function reader(range: Range, options: ReadOptions & { limit?: number }): () => Promise<Positioned[]> {
  const queries = batches(range, options);
  return async () => {
    for (;;) {
      const { value: items, done } = await queries.next();
      if (done) return [];
      if (items.length > 0) return items.map((item) => ({ position: positionOf(range, item), item }));
    }
  };
}

import type { Item } from './client.ts';
import type { KeyRange } from './keys.ts';
import { itemsPerQuery, positionOf, queryOnce, type ReadOptions } from './ranges.ts';

export type PositionedItem = { position: string; item: Item };

/** The items of all ranges after the previous batch, up to the position `end`. The last batch has no `end`. */
type Batch = { items: PositionedItem[]; end: string | undefined };

type MergeOptions = ReadOptions & {
  limit?: number | ((ranges: number) => number);
};

/** A range being read: its `unmerged` items are not yet yielded, and the last query read `lastRead` items. */
type Source = {
  range: KeyRange;
  unmerged: PositionedItem[];
  lastRead: number;
  last: Item | undefined;
  isOpen: boolean;
};

/** Yields the items of several ranges in the order of positions. Batches can be empty if `where` is set. */
export async function* mergeRanges(
  ranges: KeyRange[],
  { limit = itemsPerQuery, ...options }: MergeOptions = {},
): AsyncGenerator<Batch, undefined> {
  const sources = ranges.map(
    (range): Source => ({ range, unmerged: [], lastRead: 0, last: undefined, isOpen: true }),
  );
  let end: string | undefined;
  do {
    // Refills every range of which less than half of the last read is left, because each refill takes a round trip.
    const short = sources.filter(
      ({ isOpen, unmerged, lastRead }) => isOpen && unmerged.length <= lastRead / 2,
    );
    const perQuery = typeof limit === 'number' ? limit : limit(short.length);
    await Promise.all(short.map((source) => refill(source, { ...options, limit: perQuery })));
    // Items after `end` stay for the next batch, because an unread item of another range can be before them.
    end = sources.flatMap(({ range, last, isOpen }) => (isOpen ? positionOf(range, last!) : [])).sort()[0];
    yield { items: sources.flatMap((source) => removed(source, end)).sort(byPosition), end };
  } while (end !== undefined);
}

async function refill(source: Source, options: ReadOptions & { limit: number }): Promise<void> {
  const { range, last, unmerged } = source;
  const { items, end } = await queryOnce(range, { ...options, after: last });
  for (const item of items) unmerged.push({ position: positionOf(range, item), item });
  Object.assign(source, { lastRead: items.length, last: end, isOpen: end !== undefined });
}

/** Removes and returns a range's items up to the position `end`, or all items if `end` is absent. */
function removed({ unmerged }: Source, end: string | undefined): PositionedItem[] {
  const later = end === undefined ? -1 : unmerged.findIndex(({ position }) => position > end);
  return unmerged.splice(0, later === -1 ? unmerged.length : later);
}

const byPosition = (a: PositionedItem, b: PositionedItem): number =>
  a.position < b.position ? -1 : Number(a.position > b.position);

/** Rows in the order of their sort keys, as a partition has them. */
import { compareText } from './values.ts';

/** A row's place: its sort key, and what tells it from others with the same one. */
export type Place = { sort: string; tie: string };

/** Rows in their order, in lists short enough that nothing moves many of them. */
export type Rows<Row extends Place> = {
  /** The row at a place. */
  at(place: Place): Row | undefined;
  /** Puts a row in its place, where none is. */
  put(row: Row): void;
  /** Takes out the row at a place. */
  remove(place: Place): void;
  /**
   * Rows in their order from the first that does not come before something, or backwards from the last that does.
   * All that come before it must be first.
   */
  from(isBefore: (row: Row) => boolean, forward: boolean): Iterable<Row>;
  isEmpty(): boolean;
};

const longest = 512;

/** The order of two places. */
export const comparePlaces = (a: Place, b: Place): number =>
  compareText(a.sort, b.sort) || compareText(a.tie, b.tie);

/** Whether rows come before a place. */
function comesBefore({ sort, tie }: Place): (row: Place) => boolean {
  // Up there, and only there, the order of bytes is not that of JavaScript.
  if (/[\ud800-\uffff]/.test(sort + tie)) return (row) => comparePlaces(row, { sort, tie }) < 0;
  return (row) => row.sort < sort || (row.sort === sort && row.tie < tie);
}

/** Makes an empty list. */
export function createRows<Row extends Place>(): Rows<Row> {
  const lists: Row[][] = [];
  const find = (isBefore: (row: Row) => boolean) => {
    const list = Math.max(0, firstNot(lists, (rows) => isBefore(rows[0]!)) - 1);
    return { list, index: firstNot(lists[list] ?? [], isBefore) };
  };
  const findPlace = (place: Place) => find(comesBefore(place));
  const isAt = (row: Row | undefined, place: Place) =>
    row !== undefined && row.sort === place.sort && row.tie === place.tie;
  return {
    at(place) {
      const { list, index } = findPlace(place);
      // After the end of a list comes the beginning of the next.
      const row = lists[list]?.[index] ?? lists[list + 1]?.[0];
      return isAt(row, place) ? row : undefined;
    },
    put(row) {
      const { list, index } = findPlace(row);
      const into = lists[list];
      if (!into) lists.push([row]);
      else if (into.length < longest) into.splice(index, 0, row);
      else if (index === into.length) lists.splice(list + 1, 0, [row]);
      else {
        into.splice(index, 0, row);
        lists.splice(list + 1, 0, into.splice(longest >> 1));
      }
    },
    remove(place) {
      const { list, index } = findPlace(place);
      const [found, at] = lists[list]?.[index] ? [list, index] : [list + 1, 0];
      if (!isAt(lists[found]?.[at], place)) return;
      lists[found]!.splice(at, 1);
      if (lists[found]!.length === 0) lists.splice(found, 1);
    },
    *from(isBefore, forward) {
      let { list, index } = find(isBefore);
      for (; forward && list < lists.length; list++, index = 0) yield* lists[list]!.slice(index);
      for (; !forward && list >= 0; list--, index = Number.POSITIVE_INFINITY) {
        yield* (lists[list] ?? []).slice(0, index).reverse();
      }
    },
    isEmpty: () => lists.length === 0,
  };
}

/** The index of the first member that does not come before something; all that do come first. */
function firstNot<T>(members: readonly T[], isBefore: (member: T) => boolean): number {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(members[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

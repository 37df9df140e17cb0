/** Stores the rows of a partition in the order of their sort keys. */
import { compareText } from './values.ts';

/** Position of a row in its partition: the sort key, and `tie`, which orders rows with equal sort keys. */
export type Place = { sort: string; tie: string };

/** Sorted rows, stored in lists of up to 512 rows, so that an insertion moves few rows. */
export type Rows<Row extends Place> = {
  /** Returns the row at a position, or undefined if the position is free. */
  at(place: Place): Row | undefined;
  /** Inserts a row. Its position must be free. */
  put(row: Row): void;
  /** Removes the row at a position, if there is one. */
  remove(place: Place): void;
  /**
   * Iterates forward from the first row for which `isBefore` is false, or backward from the last row for which it is
   * true.
   */
  from(isBefore: (row: Row) => boolean, forward: boolean): Iterable<Row>;
  isEmpty(): boolean;
};

const maxBlockLength = 512;

export const comparePlaces = (a: Place, b: Place): number =>
  compareText(a.sort, b.sort) || compareText(a.tie, b.tie);

/** Returns a function that tells whether a row is before the position. */
function comesBefore({ sort, tie }: Place): (row: Place) => boolean {
  // DynamoDB orders UTF-8 bytes. JavaScript's faster `<` gives the same order for texts without the characters in this
  // pattern.
  if (/[\ud800-\uffff]/.test(sort + tie)) return (row) => comparePlaces(row, { sort, tie }) < 0;
  return (row) => row.sort < sort || (row.sort === sort && row.tie < tie);
}

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
      // If the list ends at the index, the next row in order is the first row of the next list.
      const row = lists[list]?.[index] ?? lists[list + 1]?.[0];
      return isAt(row, place) ? row : undefined;
    },
    put(row) {
      const { list, index } = findPlace(row);
      const into = lists[list];
      if (!into) lists.push([row]);
      else if (into.length < maxBlockLength) into.splice(index, 0, row);
      else if (index === into.length) lists.splice(list + 1, 0, [row]);
      else {
        into.splice(index, 0, row);
        lists.splice(list + 1, 0, into.splice(maxBlockLength >> 1));
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

/** Returns the index of the first member for which `isBefore` is false, by binary search. */
function firstNot<T>(members: readonly T[], isBefore: (member: T) => boolean): number {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(members[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

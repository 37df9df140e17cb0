/** Builds the keys of books and of the tiles of their Merkle trees. */
import type { Key, Range } from './keys.ts';

export const bookKey = (organizationId: string, day: string): Key => ({
  pk: booksPartition(organizationId),
  sk: day,
});
/** Returns the range of an organization's books, oldest first. Positions (see `Range`) are the books' days. */
export const booksOf = (organizationId: string): Range => ({
  partition: booksPartition(organizationId),
  prefix: '',
});
const booksPartition = (organizationId: string) => `BOOKS#${organizationId}`;

/** Returns the key of the item with the result of checking a day's book. */
export const bookCheckKey = (organizationId: string, day: string): Key => ({
  pk: bookChecksPartition(organizationId),
  sk: day,
});
/**
 * Returns the range of the results of checking an organization's books. Positions (see `Range`) are the books' days.
 */
export const bookChecksOf = (organizationId: string): Range => ({
  partition: bookChecksPartition(organizationId),
  prefix: '',
});
const bookChecksPartition = (organizationId: string) => `CHECKS#${organizationId}`;

/** Returns the key of the item with the progress of closing a day's book. */
export const closingKey = (organizationId: string, day: string): Key => ({
  pk: tilesPartition(organizationId, day),
  sk: 'CLOSING',
});
/** Returns the key of a book's tile. `name` is the first record's ULID at level 0, otherwise the tile's number. */
export const tileKey = (organizationId: string, day: string, level: number, name: string): Key => ({
  pk: tilesPartition(organizationId, day),
  sk: tilePrefix(level) + name,
});
/** Returns the range of a book's lowest tiles. A position (see `Range`) is the ULID of a tile's first record. */
export const lowestTilesOf = (organizationId: string, day: string): Range => ({
  partition: tilesPartition(organizationId, day),
  prefix: tilePrefix(0),
});
const tilesPartition = (organizationId: string, day: string) => `TILES#${organizationId}#${day}`;
const tilePrefix = (level: number) => `TILE#${level}#`;

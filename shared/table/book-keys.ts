/** Builds the keys of books and of the tiles of their Merkle trees. */
import type { Key, Range } from './keys.ts';

export const bookKey = (organizationId: string, day: string): Key => ({
  pk: booksPartition(organizationId),
  sk: day,
});
/**
 * Returns the range of an organization's books, oldest first. A position in this range (a sort key) is a day.
 */
export const booksOf = (organizationId: string): Range => ({
  partition: booksPartition(organizationId),
  prefix: '',
});
const booksPartition = (organizationId: string) => `BOOKS#${organizationId}`;

/** Returns the key of the item with the progress of closing a day's book. */
export const closingKey = (organizationId: string, day: string): Key => ({
  pk: tilesPartition(organizationId, day),
  sk: 'CLOSING',
});
/**
 * Returns the key of a tile of a book's tree. At level 0, `name` is the ULID of the tile's first record. At
 * higher levels, `name` is the number of the tile.
 */
export const tileKey = (organizationId: string, day: string, level: number, name: string): Key => ({
  pk: tilesPartition(organizationId, day),
  sk: tilePrefix(level) + name,
});
/**
 * Returns the range of the lowest tiles of a book's tree. A position in this range (a sort key without its
 * prefix) is the ULID of a tile's first record.
 */
export const lowestTilesOf = (organizationId: string, day: string): Range => ({
  partition: tilesPartition(organizationId, day),
  prefix: tilePrefix(0),
});
const tilesPartition = (organizationId: string, day: string) => `TILES#${organizationId}#${day}`;
const tilePrefix = (level: number) => `TILE#${level}#`;

/** The keys of the books of days, and of the tiles of hashes in them. */
import type { Key, Range } from './keys.ts';

/** The book of an organization's day. */
export const bookKey = (organizationId: string, day: string): Key => ({
  pk: booksPartition(organizationId),
  sk: day,
});
/** An organization's books, oldest first; a position is a day. */
export const booksOf = (organizationId: string): Range => ({
  partition: booksPartition(organizationId),
  prefix: '',
});
const booksPartition = (organizationId: string) => `BOOKS#${organizationId}`;

/** How far the closing of a day has come. */
export const closingKey = (organizationId: string, day: string): Key => ({
  pk: tilesPartition(organizationId, day),
  sk: 'CLOSING',
});
/**
 * A tile of the hashes in a book's tree, of a level: of the records themselves (0) by the ULID of its first one, of
 * those above by its number.
 */
export const tileKey = (organizationId: string, day: string, level: number, name: string): Key => ({
  pk: tilesPartition(organizationId, day),
  sk: tilePrefix(level) + name,
});
/** The lowest tiles of a book's tree; a position is the ULID of a tile's first record. */
export const lowestTilesOf = (organizationId: string, day: string): Range => ({
  partition: tilesPartition(organizationId, day),
  prefix: tilePrefix(0),
});
const tilesPartition = (organizationId: string, day: string) => `TILES#${organizationId}#${day}`;
const tilePrefix = (level: number) => `TILE#${level}#`;

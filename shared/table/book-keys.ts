import type { Key, KeyRange } from './keys.ts';

export const bookKey = (organizationId: string, day: string): Key => ({
  pk: booksPartition(organizationId),
  sk: day,
});
export const booksOf = (organizationId: string): KeyRange => ({
  partition: booksPartition(organizationId),
  prefix: '',
});
const booksPartition = (organizationId: string) => `BOOKS#${organizationId}`;

export const bookCheckKey = (organizationId: string, day: string): Key => ({
  pk: bookChecksPartition(organizationId),
  sk: day,
});
/** Positions (see `KeyRange`) are the books' days. */
export const bookChecksOf = (organizationId: string): KeyRange => ({
  partition: bookChecksPartition(organizationId),
  prefix: '',
});
const bookChecksPartition = (organizationId: string) => `CHECKS#${organizationId}`;

export const bookClosingKey = (organizationId: string, day: string): Key => ({
  pk: tilesPartition(organizationId, day),
  sk: 'CLOSING',
});
/** `name` is the first record's ULID at level 0, otherwise the tile's number. */
export const tileKey = (organizationId: string, day: string, level: number, name: string): Key => ({
  pk: tilesPartition(organizationId, day),
  sk: tilePrefix(level) + name,
});
/** A position (see `KeyRange`) is the ULID of a tile's first record. */
export const lowestTilesOf = (organizationId: string, day: string): KeyRange => ({
  partition: tilesPartition(organizationId, day),
  prefix: tilePrefix(0),
});
const tilesPartition = (organizationId: string, day: string) => `TILES#${organizationId}#${day}`;
const tilePrefix = (level: number) => `TILE#${level}#`;

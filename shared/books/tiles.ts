/**
 * A book's tree as it is stored: in tiles of 256 hashes. The lowest tiles hold those of the records; each
 * hash in a tile above is the root over a tile below. Since 256 is a power of 2, the root over the last of
 * them is that of RFC 6962.
 */
import { pathFrom, rootOver } from './tree.ts';

/** How many hashes a tile has, the last of its level aside. */
export const tileSize = 256;

/** A tile: its level (0 is the lowest), its number there, the ULID of the first record below it, and its hashes. */
export type Tile = { level: number; number: number; first: string; hashes: Uint8Array[] };

/** How far a tree is built, as plain data: of each level the tiles that are full, and the one that is being filled. */
export type TilesState = { level: Level[] };
type Level = { full: number; first: string; hashes: string[] };

/** Builds the tiles of a tree leaf by leaf. */
export type TileBuilder = {
  /** Adds the hash of the next record. Returns the tiles that are full by that. */
  add: (leaf: Uint8Array, ulid: string) => Tile[];
  /** The tiles that are left when there is no further record, and the root over all. */
  finish: () => { tiles: Tile[]; root: Uint8Array };
  state: () => TilesState;
};

/** A builder that goes on from a state; a new one without. */
export function tilesFrom({ level: levels }: TilesState = { level: [] }): TileBuilder {
  const filling: { full: number; first: string; hashes: Uint8Array[] }[] = levels.map(
    ({ hashes, ...level }) => ({ ...level, hashes: hashes.map((hash) => Buffer.from(hash, 'base64')) }),
  );

  function push(level: number, hash: Uint8Array, first: string): Tile[] {
    filling[level] ??= { full: 0, first, hashes: [] };
    const tile = filling[level];
    if (tile.hashes.length === 0) tile.first = first;
    tile.hashes.push(hash);
    return tile.hashes.length < tileSize ? [] : close(level);
  }
  function close(level: number): Tile[] {
    const { full, first, hashes } = filling[level]!;
    filling[level] = { full: full + 1, first: '', hashes: [] };
    return [{ level, number: full, first, hashes }, ...push(level + 1, rootOver(hashes), first)];
  }
  return {
    add: (leaf, ulid) => push(0, leaf, ulid),
    finish() {
      const tiles: Tile[] = [];
      // Closing a level can begin the one above it, up to the one that has a single hash.
      for (let level = 0; level < filling.length; level++) {
        const { full, hashes } = filling[level]!;
        if (level > 0 && full === 0 && hashes.length === 1) return { tiles, root: hashes[0]! };
        if (hashes.length > 0) tiles.push(...close(level));
      }
      return { tiles, root: rootOver([]) };
    },
    state: () => ({
      level: filling.map(({ full, first, hashes }) => ({
        full,
        first,
        hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')),
      })),
    }),
  };
}

/** The path from a record to the root, by the tiles over it, from the lowest on; undefined if its hash is not there. */
export async function pathIn(
  leaf: Uint8Array,
  lowest: Tile,
  tileAbove: (level: number, number: number) => Promise<Tile | undefined>,
): Promise<{ index: number; path: Uint8Array[] } | undefined> {
  const place = lowest.hashes.findIndex((hash) => Buffer.from(hash).equals(leaf));
  if (place < 0) return undefined;
  const path = pathFrom(place, lowest.hashes);
  for (let { level, number } = lowest; ; ) {
    const above = await tileAbove(level + 1, Math.floor(number / tileSize));
    if (!above) return { index: lowest.number * tileSize + place, path };
    path.push(...pathFrom(number % tileSize, above.hashes));
    level++;
    number = above.number;
  }
}

/** Splits a book's Merkle tree into tiles of up to 256 hashes. The tree has the same root as in RFC 6962. */
import { inclusionPath, rootOfLeaves } from '../tree.ts';

export const hashesPerTile = 256;

/** `level` and `number` count from 0. `first` is the ULID of the tile's first record. */
export type Tile = { level: number; number: number; first: string; hashes: Uint8Array[] };

export type TileBuilderState = { level: Level[] };
type Level = { full: number; first: string; hashes: string[] };

/** Returns a builder of tiles that continues from a saved state, or starts with an empty tree. */
export function createTileBuilder({ level: levels }: TileBuilderState = { level: [] }) {
  const filling: { full: number; first: string; hashes: Uint8Array[] }[] = levels.map(
    ({ hashes, ...level }) => ({ ...level, hashes: hashes.map((hash) => Buffer.from(hash, 'base64')) }),
  );

  function push(level: number, hash: Uint8Array, first: string): Tile[] {
    filling[level] ??= { full: 0, first, hashes: [] };
    const tile = filling[level];
    if (tile.hashes.length === 0) tile.first = first;
    tile.hashes.push(hash);
    return tile.hashes.length < hashesPerTile ? [] : close(level);
  }
  function close(level: number): Tile[] {
    const { full, first, hashes } = filling[level]!;
    filling[level] = { full: full + 1, first: '', hashes: [] };
    return [{ level, number: full, first, hashes }, ...push(level + 1, rootOfLeaves(hashes), first)];
  }
  return {
    add: (leaf: Uint8Array, ulid: string) => push(0, leaf, ulid),
    /** Call this after the last record. */
    finish(): { tiles: Tile[]; root: Uint8Array } {
      const tiles: Tile[] = [];
      // Closing a level adds a hash to the level above. The loop ends at a level with a single hash, the root.
      for (let level = 0; level < filling.length; level++) {
        const { full, hashes } = filling[level]!;
        if (level > 0 && full === 0 && hashes.length === 1) return { tiles, root: hashes[0]! };
        if (hashes.length > 0) tiles.push(...close(level));
      }
      return { tiles, root: rootOfLeaves([]) };
    },
    state: (): TileBuilderState => ({
      level: filling.map(({ full, first, hashes }) => ({
        full,
        first,
        hashes: hashes.map((hash) => Buffer.from(hash).toString('base64')),
      })),
    }),
  };
}

/** Returns a record's index and its sibling hashes up to the root, or undefined if it is not in `lowest`. */
export async function readMerklePath(
  leaf: Uint8Array,
  lowest: Tile,
  tileAbove: (level: number, number: number) => Promise<Tile | undefined>,
): Promise<{ index: number; path: Uint8Array[] } | undefined> {
  const place = lowest.hashes.findIndex((hash) => Buffer.from(hash).equals(leaf));
  if (place < 0) return undefined;
  const path = inclusionPath(place, lowest.hashes);
  for (let { level, number } = lowest; ; ) {
    const above = await tileAbove(level + 1, Math.floor(number / hashesPerTile));
    if (!above) return { index: lowest.number * hashesPerTile + place, path };
    path.push(...inclusionPath(number % hashesPerTile, above.hashes));
    level++;
    number = above.number;
  }
}

import { lowestTilesOf, tileKey } from '../table/book-keys.ts';
import { getItem, type Item, putItems } from '../table/client.ts';
import type { Key } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import type { Tile } from './tiles.ts';

const keyOf = (organizationId: string, day: string, { level, number, first }: Tile): Key =>
  tileKey(organizationId, day, level, level === 0 ? first : String(number));

const maxPerWrite = 25;

/** Stores tiles without a condition, because a repeated closing stores the same bytes. */
export async function storeTiles(organizationId: string, day: string, tiles: Tile[]): Promise<void> {
  const items = tiles.map(({ hashes, ...tile }) => ({
    ...keyOf(organizationId, day, { hashes, ...tile }),
    ...tile,
    hashes: Buffer.concat(hashes),
  }));
  for (let i = 0; i < items.length; i += maxPerWrite) await putItems(items.slice(i, i + maxPerWrite));
}

const tileIn = ({ level, number, first, hashes }: Item): Tile => {
  const bytes = hashes as Uint8Array;
  const each = Array.from({ length: bytes.length / 32 }, (_, i) => bytes.subarray(32 * i, 32 * (i + 1)));
  return { level: Number(level), number: Number(number), first: String(first), hashes: each };
};

/** Returns the only lowest-level tile that can contain the record with this ULID, if there is one. */
export async function readLowestTile(
  organizationId: string,
  day: string,
  ulid: string,
): Promise<Tile | undefined> {
  const range = { ...lowestTilesOf(organizationId, day), between: ['0', ulid] as [string, string] };
  const [item] = await readRange(range, { limit: 1, newestFirst: true });
  return item && tileIn(item);
}

export async function readTile(
  organizationId: string,
  day: string,
  level: number,
  number: number,
): Promise<Tile | undefined> {
  const item = await getItem(tileKey(organizationId, day, level, String(number)));
  return item && tileIn(item);
}

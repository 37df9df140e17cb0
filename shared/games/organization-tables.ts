/**
 * Reads and caches organizations' prize tables. A cached table is never stale, because a version is a digest
 * of the prizes.
 */

import { canonicalJson } from '../ids.ts';
import { get } from '../table/client.ts';
import { prizeTableKey } from '../table/keys.ts';
import { Tampered } from '../table/seals.ts';
import type { Game } from '../vocabulary.ts';
import { defaultPrizeTables, matchesVersion, type PrizeTable } from './prize-tables.ts';

const cache = new Map<string, PrizeTable>();
const maxCached = 300;

/**
 * Returns a game's prize table with this version. Throws if the organization has none, and `Tampered` if `version` is
 * not the digest of the stored prizes.
 */
export async function readPrizeTable(
  organizationId: string,
  game: Game,
  version: string,
): Promise<PrizeTable> {
  if (version === defaultPrizeTables[game].version) return defaultPrizeTables[game];
  const key = prizeTableKey(organizationId, game, version);
  const name = `${key.pk} ${key.sk}`;
  const found = cache.get(name) ?? (await get<PrizeTable>(key));
  if (!found) throw new Error(`organization ${organizationId} has no prize table ${version} for ${game}`);
  // Also compares the stored version with the requested one: somebody with write access to DynamoDB could have
  // copied another valid prize table to this key.
  if (found.version !== version || !matchesVersion(game, found))
    throw new Tampered(`the prize table ${version} of organization ${organizationId}`);
  if (cache.size >= maxCached) cache.clear();
  // Copies only what the version covers. A stored map named `__proto__` would add fields that the version lacks.
  const table = { version, prizes: JSON.parse(canonicalJson(found.prizes)) };
  cache.set(name, table);
  return table;
}

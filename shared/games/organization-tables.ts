/** Reads prize tables. A cached table is never stale, because a version is a digest of the prizes. */

import { getItem } from '../table/client.ts';
import { prizeTableKey } from '../table/keys.ts';
import type { Game } from '../vocabulary.ts';
import { defaultPrizeTables, matchesVersion, type PrizeTable } from './prize-tables.ts';

const cache = new Map<string, PrizeTable>();
const maxCached = 300;

/** Throws if the organization has no such table, or if `version` is not the digest of the stored prizes. */
export async function readPrizeTable(
  organizationId: string,
  game: Game,
  version: string,
): Promise<PrizeTable> {
  if (version === defaultPrizeTables[game].version) return defaultPrizeTables[game];
  const key = prizeTableKey(organizationId, game, version);
  const name = `${key.pk} ${key.sk}`;
  const found = cache.get(name) ?? (await getItem<PrizeTable>(key));
  if (!found) throw new Error(`organization ${organizationId} has no prize table ${version} for ${game}`);
  if (found.version !== version || !matchesVersion(game, found))
    throw new Error(
      `the prize table ${version} of organization ${organizationId} does not match its version`,
    );
  if (cache.size >= maxCached) cache.clear();
  const { prizes } = found;
  const table = { version, prizes };
  cache.set(name, table);
  return table;
}

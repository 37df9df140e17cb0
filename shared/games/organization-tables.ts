/** The prize tables of organizations; the table of a version never changes. */

import { get } from '../table/client.ts';
import { prizeTableKey } from '../table/keys.ts';
import type { Game } from '../vocabulary.ts';
import { defaultPrizeTables, isItsVersion, type PrizeTable } from './prize-tables.ts';

const kept = new Map<string, PrizeTable>();
const mostKept = 300;

/**
 * The prize table of an organization's game by its version. No round trip for today's default tables and for those
 * that this process has read before, else one. Throws if the organization has no such version.
 */
export async function readPrizeTable(
  organizationId: string,
  game: Game,
  version: string,
): Promise<PrizeTable> {
  if (version === defaultPrizeTables[game].version) return defaultPrizeTables[game];
  const key = prizeTableKey(organizationId, game, version);
  const name = `${key.pk} ${key.sk}`;
  const found = kept.get(name) ?? (await get<PrizeTable>(key));
  if (!found) throw new Error(`organization ${organizationId} has no prize table ${version} for ${game}`);
  if (!isItsVersion(game, found)) throw new Error(`prize table ${version} is not what its version says`);
  if (kept.size >= mostKept) kept.clear();
  kept.set(name, found);
  return found;
}

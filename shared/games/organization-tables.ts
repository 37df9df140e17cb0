/** The prize tables that organizations put in place of the project's own; a version never changes. */

import { get } from '../table/client.ts';
import { prizeTableKey } from '../table/keys.ts';
import type { Game } from '../vocabulary.ts';
import { defaultPrizeTables, formerPrizeTables, isItsVersion, type PrizeTable } from './prize-tables.ts';

const kept = new Map<string, PrizeTable>();
const mostKept = 300;

/**
 * A version of a game's prize table. No round trip for the project's own and for those that this process has
 * met before, else one. Throws if the organization has no such version.
 */
export async function readPrizeTable(
  organizationId: string,
  game: Game,
  version: string,
): Promise<PrizeTable> {
  const projectTables = [defaultPrizeTables[game], ...formerPrizeTables[game]];
  const ours = projectTables.find((table) => table.version === version);
  if (ours) return ours;
  const key = prizeTableKey(organizationId, game, version);
  const name = `${key.pk} ${key.sk}`;
  const found = kept.get(name) ?? (await get<PrizeTable>(key));
  if (!found) throw new Error(`organization ${organizationId} has no prize table ${version} for ${game}`);
  if (!isItsVersion(game, found)) throw new Error(`prize table ${version} is not what its version says`);
  if (kept.size >= mostKept) kept.clear();
  kept.set(name, found);
  return found;
}

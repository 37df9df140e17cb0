/** The prize tables that organizations put in place of the project's own; a version never changes. */

import { get } from '../table/client.ts';
import { prizeTableKey } from '../table/keys.ts';
import type { Game } from '../vocabulary.ts';
import { changeSettings } from './change-settings.ts';
import type { By } from './operations.ts';
import {
  defaultPrizeTables,
  formerPrizeTables,
  isItsVersion,
  type Prize,
  type PrizeTable,
  versionOf,
} from './prize-tables.ts';

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

/**
 * Puts a table in place for a game's next plays and returns its version, which follows from its prizes. The
 * same prizes again are the same version. Throws if there is no such organization.
 */
export async function putPrizeTable(
  organizationId: string,
  game: Game,
  prizes: Prize[],
  by: By,
): Promise<string> {
  const version = versionOf(game, prizes);
  await changeSettings(organizationId, { [`prize_table_${game}`]: version }, by, { game, version, prizes });
  return version;
}

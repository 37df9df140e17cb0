/** Lets operators change settings and prize tables. Each change is recorded as an operator action. */

import { chainsBefore } from '../games/cash-limit.ts';
import { defaultPrizeTables, type Prize, type PrizeTable, versionOf } from '../games/prize-tables.ts';
import { newGamesFor, type Settings, settingsOf } from '../games/settings.ts';
import { liveKeyParts } from '../organizations/api-keys.ts';
import { RETRY } from '../retry.ts';
import { stageBeacon } from '../stage-beacon.ts';
import type { Item, Part } from '../table/client.ts';
import { prizeTableKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import type { By } from './operation-records.ts';
import { recordAction } from './record-action.ts';

/**
 * Changes some settings and records the action. Does nothing if no setting would change. If the change makes
 * the prize table `table` the game's current table, the transaction also stores it; otherwise `table` is
 * ignored. Takes two round trips to DynamoDB, or three to suspend or resume an organization. Throws if the
 * organization does not exist.
 */
export function changeSettings(
  organizationId: string,
  changes: Partial<Settings> | ((organization: Item) => Partial<Settings>),
  by: By,
  table?: PrizeTable & { game: Game },
): Promise<void> {
  return recordAction(
    organizationId,
    async (organization) => {
      const given = typeof changes === 'function' ? changes(organization) : changes;
      // `settingsOf` adds the settings of games that a release has added since the last change of settings,
      // so this change stores them too.
      const changed = differences(organization, { ...settingsOf(organization), ...given });
      if (Object.keys(changed.after).length === 0) return undefined;
      const keys = await keyParts(organization, changed.after);
      if (!keys) return RETRY;
      const further = { ...keys, ...newGameParts(organization, by) };
      const fields =
        changed.after.cash_chains === undefined
          ? {}
          : { chains_before: chainsBefore(settingsOf(organization), by.now) };
      if (!table || changed.after[`prize_table_${table.game}`] === undefined)
        return { action: 'changed', ...changed, fields, parts: further };
      const parts = { ...further, table: tablePart(organizationId, table, by) };
      return { action: 'changed', ...changed, fields, table, parts };
    },
    by,
  );
}

/**
 * Makes a prize table the game's current table, for new play URLs and new orders of free spins. Returns the
 * table's version. The same prizes always have the same version. Throws if the organization does not exist.
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

/**
 * If the change suspends or resumes the organization, returns the parts of a transaction that copy
 * `suspended` to all live API keys. The authorizer then does not have to read the organization. Returns
 * undefined if the index of keys lags, so that some live keys were not found.
 */
async function keyParts(organization: Item, { suspended }: Partial<Settings>) {
  const is = settingsOf(organization).suspended;
  return suspended === undefined || suspended === is ? {} : liveKeyParts(organization, { suspended });
}

/**
 * Records the settings that a deploy changes: the stage's beacon, and the settings of new games. New games
 * start paused. Takes one round trip to DynamoDB if nothing has changed.
 */
export const recordDeploy = (organizationId: string, now: number): Promise<void> =>
  changeSettings(organizationId, { beacon: stageBeacon()?.chain ?? '' }, { operator: 'deploy', now });

/**
 * Returns the settings whose values in `changes` differ from those in `recorded`, with the values before and
 * after the change.
 */
export function differences(recorded: Partial<Settings>, changes: Partial<Settings>) {
  const names = Object.keys(changes) as (keyof Settings)[];
  const different = names.filter((name) => changes[name] !== recorded[name]);
  const some = (of: Partial<Settings>) =>
    Object.fromEntries(different.filter((name) => of[name] !== undefined).map((name) => [name, of[name]]));
  return { before: some(recorded), after: some(changes) };
}

/**
 * Returns the parts of a transaction that store the default prize tables of games that were added since the
 * last change of settings.
 */
function newGameParts(organization: Item, by: By): Record<string, Part> {
  const partOf = (game: Game) =>
    tablePart(String(organization.organization_id), { game, ...defaultPrizeTables[game] }, by);
  return Object.fromEntries(newGamesFor(organization).map((game) => [`table_${game}`, partOf(game)]));
}

/** Returns the part of a transaction that stores a prize table under its version. */
export function tablePart(
  organizationId: string,
  { game, ...table }: PrizeTable & { game: Game },
  { now }: By,
): Part {
  const key = prizeTableKey(organizationId, game, table.version);
  return { Put: { Item: { ...key, ...table, date_created: isoOf(now) } } };
}

/** How settings change: with a record of who changed what. */

import { chainsBefore } from '../games/cash-limit.ts';
import { type Prize, type PrizeTable, versionOf } from '../games/prize-tables.ts';
import { type Settings, settingsOf } from '../games/settings.ts';
import { liveKeyParts } from '../organizations/api-keys.ts';
import { RETRY } from '../retry.ts';
import { stageBeacon } from '../stage-beacon.ts';
import type { Item, Part } from '../table/client.ts';
import { prizeTableKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import type { By } from './operation-records.ts';
import { operate } from './record-action.ts';

/**
 * Changes some settings and leaves the others, and records who did it; nothing if they are so already.
 * `table` is a prize table that is put in place with them, unless it is in place. Two round trips, one more
 * to suspend or resume an organization. Throws if there is no such organization.
 */
export function changeSettings(
  organizationId: string,
  changes: Partial<Settings> | ((organization: Item) => Partial<Settings>),
  by: By,
  table?: PrizeTable & { game: Game },
): Promise<void> {
  return operate(
    organizationId,
    async (organization) => {
      const said = differences(organization, typeof changes === 'function' ? changes(organization) : changes);
      if (Object.keys(said.after).length === 0) return undefined;
      const keys = await keyParts(organization, said.after);
      if (!keys) return RETRY;
      const fields =
        said.after.cash_chains === undefined
          ? {}
          : { chains_before: chainsBefore(settingsOf(organization), by.now) };
      if (!table || said.after[`prize_table_${table.game}`] === undefined)
        return { action: 'changed', ...said, fields, parts: keys };
      const parts = { ...keys, table: tablePart(organizationId, table, by) };
      return { action: 'changed', ...said, fields, table, parts };
    },
    by,
  );
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

/** All live keys know whether their organization is suspended, so that no request has to read it. */
async function keyParts(organization: Item, { suspended }: Partial<Settings>) {
  const is = settingsOf(organization).suspended;
  return suspended === undefined || suspended === is ? {} : liveKeyParts(organization, { suspended });
}

/**
 * Records what a deploy has changed for an organization: the beacon of the stage, and settings that there were not
 * before. One round trip if that is nothing.
 */
export const recordDeploy = (organizationId: string, now: number): Promise<void> =>
  changeSettings(
    organizationId,
    (organization) => ({ ...settingsOf(organization), beacon: stageBeacon()?.chain ?? '' }),
    { operator: 'deploy', now },
  );

/** What changes really change, as it was and as it will be. */
export function differences(recorded: Partial<Settings>, changes: Partial<Settings>) {
  const names = Object.keys(changes) as (keyof Settings)[];
  const different = names.filter((name) => changes[name] !== recorded[name]);
  const some = (of: Partial<Settings>) => Object.fromEntries(different.map((name) => [name, of[name]]));
  return { before: some(recorded), after: some(changes) };
}

/** The part of a transaction that puts a prize table where draws find it; its version says what is in it. */
export function tablePart(
  organizationId: string,
  { game, ...table }: PrizeTable & { game: Game },
  { now }: By,
): Part {
  const key = prizeTableKey(organizationId, game, table.version);
  return { Put: { Item: { ...key, ...table, date_created: isoOf(now) } } };
}

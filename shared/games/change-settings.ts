/** How settings change: with a record of who changed what. */
import { again, retry } from '../retry.ts';
import { stageBeacon } from '../stage-beacon.ts';
import { get, type Item, type Part, transact } from '../table/client.ts';
import { organizationKey, prizeTableKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import { openOrganization } from './open-organization.ts';
import { type By, operationOf, operationParts } from './operations.ts';
import type { PrizeTable } from './prize-tables.ts';
import { type Settings, settingsOf } from './settings.ts';

/**
 * Changes some settings and leaves the others, and records who did it; nothing if they are so already. `table` is a prize
 * table that is put in place with them. Two round trips. Throws if there is no such organization.
 */
export function changeSettings(
  organizationId: string,
  changes: Partial<Settings> | ((organization: Item) => Partial<Settings>),
  by: By,
  table?: PrizeTable & { game: Game },
): Promise<void> {
  return retry(async () => {
    const organization = await get(organizationKey(organizationId));
    if (!organization) throw new Error(`no organization ${organizationId}`);
    // One that was made before there were such records begins with what was in force.
    if (organization.operations === undefined) {
      await openOrganization(organizationId, by);
      return again;
    }
    const said = differences(organization, typeof changes === 'function' ? changes(organization) : changes);
    if (Object.keys(said.after).length === 0) return undefined;
    const operation = { action: 'changed' as const, ...said, ...(table ? { table } : {}) };
    const made = operationOf(organizationId, organization, operation, by);
    const failed = await transact<string>({
      ...operationParts(organizationId, organization, made),
      ...(table && { table: tablePart(organizationId, table, by) }),
    });
    return failed ? again : undefined;
  });
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
function differences(recorded: Partial<Settings>, changes: Partial<Settings>) {
  const names = Object.keys(changes) as (keyof Settings)[];
  const different = names.filter((name) => changes[name] !== recorded[name]);
  const some = (of: Partial<Settings>) => Object.fromEntries(different.map((name) => [name, of[name]]));
  return { before: some(recorded), after: some(changes) };
}

function tablePart(
  organizationId: string,
  { game, ...table }: PrizeTable & { game: Game },
  { now }: By,
): Part {
  const key = prizeTableKey(organizationId, game, table.version);
  return { Put: { Item: { ...key, ...table, date_created: isoOf(now) } } };
}

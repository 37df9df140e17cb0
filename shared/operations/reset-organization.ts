/**
 * Resets an organization: its API keys move to a new organization with the same settings, prize tables and page
 * settings, and no other data.
 */
import { currentStage } from '../environment.ts';
import { requireNoHold } from '../games/holds.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { type Settings, settingsOf, tableVersionOf } from '../games/settings.ts';
import { liveKeyParts, movedKey } from '../organizations/api-keys.ts';
import { newOrganization } from '../organizations/organizations.ts';
import { RETRY } from '../retry.ts';
import { debugStages } from '../stage.ts';
import { get, type Item, type Part } from '../table/client.ts';
import { definition, pageKey } from '../table/keys.ts';
import { type Game, games } from '../vocabulary.ts';
import { openingParts } from './create-organization.ts';
import type { ActionContext } from './operation-records.ts';
import { recordAction } from './record-action.ts';

/**
 * Resets an organization's data, once even if called twice at the same time. The old organization is suspended and no
 * longer listed, so that its play URLs and queued spins end. Throws on stages without debug routes.
 */
export function resetOrganization(organizationId: string, context: ActionContext): Promise<void> {
  if (!debugStages.includes(currentStage())) throw new Error(`${currentStage()} has no resets`);
  return recordAction(
    organizationId,
    async (organization, current) => {
      if (organization.replaced_by !== undefined) return undefined;
      requireNoHold(settingsOf(organization), []);
      const {
        name,
        token_secret,
        live_keys,
        alias = organizationId,
      } = organization as ResettableOrganization;
      const fresh = { ...newOrganization(name, current.now, true), token_secret, live_keys, alias };
      const keys = await liveKeyParts(organization, (key) => movedKey(key, fresh));
      if (!keys) return RETRY;
      return {
        action: 'changed',
        before: { suspended: false },
        after: { suspended: true },
        fields: { ...unlisted, live_keys: 0, replaced_by: fresh.organization_id },
        parts: { ...keys, ...(await copyParts(organization, fresh, current)) },
      };
    },
    { ...context, why: 'reset' },
  );
}

type NewOrganization = ReturnType<typeof newOrganization>;
type ResettableOrganization = Pick<NewOrganization, 'name' | 'token_secret' | 'live_keys'> & {
  alias?: string;
};

const { partitionKey, sortKey } = definition.byTime;
const unlisted = { [partitionKey]: undefined, [sortKey]: undefined };

/** Returns transaction parts that store `fresh` with the settings, prize tables and page of `organization`. */
async function copyParts(
  organization: Item,
  fresh: NewOrganization,
  context: ActionContext,
): Promise<Record<string, Part>> {
  const organizationId = String(organization.organization_id);
  const settings = settingsOf(organization);
  const [tables, page] = await Promise.all([
    currentTables(organizationId, settings),
    get(pageKey(organizationId)),
  ]);
  const { organization_id } = fresh;
  const opening = await openingParts(fresh, settings, tables, context);
  const renamed = Object.entries(opening).map(([name, part]) => [`fresh_${name}`, part]);
  const copied = page && {
    page: { Put: { Item: { ...page, ...pageKey(organization_id), organization_id } } },
  };
  return { ...Object.fromEntries(renamed), ...copied };
}

/** Reads the current prize tables without their DynamoDB keys. */
async function currentTables(organizationId: string, settings: Settings): Promise<Record<Game, PrizeTable>> {
  const tables = games.map(async (game) => {
    const { version, prizes } = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
    return [game, { version, prizes }] as const;
  });
  return Object.fromEntries(await Promise.all(tables)) as Record<Game, PrizeTable>;
}

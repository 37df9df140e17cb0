/** How an organization begins: with a record of all that is in force for it from then on. */

import { daySecret } from '../games/day-secrets.ts';
import { fingerprintOf } from '../games/seeds.ts';
import { settingsOf } from '../games/settings.ts';
import { newOrganization } from '../organizations/organizations.ts';
import { again, retry } from '../retry.ts';
import type { Stage } from '../stage.ts';
import { stageBeacon } from '../stage-beacon.ts';
import { get, type Item, transact } from '../table/client.ts';
import { organizationKey } from '../table/keys.ts';
import { addDays, dayOf } from '../time.ts';
import { type By, operationOf, operationParts } from './operation-records.ts';

/** Makes an organization with its first API key; the key's text can't be had again. */
export async function createOrganization(
  name: string,
  stage: Stage,
  by: By,
): Promise<{ organization_id: string; api_key: string }> {
  const { organization, key } = newOrganization(name, stage, by.now);
  const { organization_id } = organization;
  const { record, fields } = await opening(organization_id, organization, by);
  const failed = await transact({
    organization: {
      Put: {
        Item: { ...organization, ...record.after, ...fields },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    key: { Put: { Item: key.item } },
    operation: { Put: { Item: record } },
  });
  if (failed) throw new Error('there is an organization of this id already');
  return { organization_id, api_key: key.text };
}

/** Gives an organization that was made before there were such records its first one. */
export function openOrganization(organizationId: string, by: By): Promise<void> {
  return retry(async () => {
    const organization = await get(organizationKey(organizationId));
    if (!organization || organization.operations !== undefined) return undefined;
    const opened = await opening(organizationId, organization, by, { existing: true });
    const failed = await transact(operationParts(organizationId, organization, opened));
    return failed ? again : undefined;
  });
}

/**
 * The first record of an organization: its settings, which no later release changes unseen, and the fingerprints of the
 * secrets of that day and the next. Those of later days are told by books.
 */
async function opening(organizationId: string, organization: Item, by: By, of: { existing?: true } = {}) {
  const today = dayOf(by.now);
  const days = [today, addDays(today, 1)];
  const told = days.map(async (day) => [day, fingerprintOf(await daySecret(organizationId, day))]);
  const said = {
    action: 'opened' as const,
    before: {},
    after: { ...settingsOf(organization), beacon: stageBeacon()?.chain ?? '' },
    fingerprints: Object.fromEntries(await Promise.all(told)),
    ...of,
  };
  return operationOf(organizationId, organization, said, by);
}

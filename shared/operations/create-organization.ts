/** How an organization begins: with a record of all that is in force for it from then on. */

import { daySecret } from '../games/day-secrets.ts';
import { defaultPrizeTables } from '../games/prize-tables.ts';
import { fingerprintOf } from '../games/seeds.ts';
import { defaultSettings, type Settings, settingsParts } from '../games/settings.ts';
import { newOrganization } from '../organizations/organizations.ts';
import type { Stage } from '../stage.ts';
import { stageBeacon } from '../stage-beacon.ts';
import { type Item, transact } from '../table/client.ts';
import { addDays, dayOf } from '../time.ts';
import { games } from '../vocabulary.ts';
import { tablePart } from './change-settings.ts';
import { type By, operationOf } from './operation-records.ts';

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
    ...settingsParts(organization_id, record.after as Settings),
    key: { Put: { Item: key.item } },
    operation: { Put: { Item: record } },
    ...Object.fromEntries(
      games.map((game) => [game, tablePart(organization_id, { game, ...defaultPrizeTables[game] }, by)]),
    ),
  });
  if (failed) throw new Error('there is an organization of this id already');
  return { organization_id, api_key: key.text };
}

/**
 * The first record of an organization: its settings, which no later release changes unseen, and the fingerprints of the
 * secrets of that day and the next. Those of later days are told by books.
 */
async function opening(organizationId: string, organization: Item, by: By) {
  const today = dayOf(by.now);
  const days = [today, addDays(today, 1)];
  const told = days.map(async (day) => [day, fingerprintOf(await daySecret(organizationId, day))]);
  const said = {
    action: 'opened' as const,
    before: {},
    after: { ...defaultSettings, beacon: stageBeacon()?.chain ?? '' },
    fingerprints: Object.fromEntries(await Promise.all(told)),
  };
  return operationOf(organizationId, organization, said, by);
}

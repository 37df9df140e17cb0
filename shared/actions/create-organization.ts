import { daySecret } from '../games/day-secrets.ts';
import { defaultPrizeTables } from '../games/prize-tables.ts';
import { secretFingerprint } from '../games/seeds.ts';
import { defaultSettings, settingsWrites } from '../games/settings.ts';
import { newApiKey } from '../organizations/api-keys.ts';
import { newOrganization } from '../organizations/organizations.ts';
import type { Stage } from '../stage.ts';
import { transact } from '../table/client.ts';
import { addDays, dayOf } from '../time.ts';
import { games } from '../vocabulary.ts';
import { type ActionContext, liveContext, newAction } from './action-records.ts';
import { prizeTableWrite } from './change-settings.ts';

/** With `isListed` false, scheduled workers skip the organization. */
export async function createOrganization(
  name: string,
  stage: Stage,
  context: ActionContext,
  { isListed = true }: { isListed?: boolean } = {},
): Promise<{ organization_id: string; api_key: string }> {
  const current = liveContext(context)();
  const organization = newOrganization(name, current.now, isListed);
  const { organization_id } = organization;
  const key = newApiKey(organization, stage, current.now);
  const { record, fields } = await firstRecord(organization_id, current);
  const failed = await transact<string>({
    organization: {
      Put: {
        Item: { ...organization, ...record.after, ...fields },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    ...settingsWrites(organization_id, { ...organization, ...record.after }),
    action: { Put: { Item: record } },
    ...Object.fromEntries(
      games.map((game) => [
        game,
        prizeTableWrite(organization_id, { game, ...defaultPrizeTables[game] }, current),
      ]),
    ),
    key: { Put: { Item: key.item } },
  });
  if (failed) throw new Error('an organization with this id already exists');
  return { organization_id, api_key: key.text };
}

/** Makes the first record, with all settings, because the defaults of later releases can differ. */
async function firstRecord(organizationId: string, context: ActionContext) {
  const today = dayOf(context.now);
  const days = [today, addDays(today, 1)];
  const fingerprints = days.map(async (day) => [
    day,
    secretFingerprint(await daySecret(organizationId, day)),
  ]);
  const action = {
    action: 'opened' as const,
    before: {},
    after: defaultSettings,
    fingerprints: Object.fromEntries(await Promise.all(fingerprints)),
  };
  return newAction(organizationId, {}, action, context);
}

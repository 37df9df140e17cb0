import { newId, newSecret } from '../ids.ts';
import type { Stage } from '../stage.ts';
import { transact } from '../table/client.ts';
import { organizationKey, organizations, organizationTimeKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { isoOf } from '../time.ts';
import { newApiKey } from './api-keys.ts';

/** Makes an organization with its first API key; the key's text can't be had again. */
export async function createOrganization(
  name: string,
  stage: Stage,
  now: number,
): Promise<{ organization_id: string; api_key: string }> {
  const organizationId = newId('org', now);
  const owner = { organization_id: organizationId, token_secret: newSecret() };
  const { text, item } = newApiKey(owner, stage, now);
  const organization = {
    ...organizationKey(organizationId),
    ...organizationTimeKey(organizationId),
    ...owner,
    name,
    date_created: isoOf(now),
    live_keys: 1,
  };
  const failed = await transact({
    organization: { Put: { Item: organization, ConditionExpression: 'attribute_not_exists(pk)' } },
    key: { Put: { Item: item } },
  });
  if (failed) throw new Error('there is an organization of this id already');
  return { organization_id: organizationId, api_key: text };
}

/** The ids of all organizations, oldest first: for an operator's question alone. */
export async function allOrganizations(): Promise<string[]> {
  const items = await readRange(organizations());
  return items.map(({ organization_id }) => String(organization_id));
}

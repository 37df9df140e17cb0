import { newId, newSecret } from '../ids.ts';
import type { Stage } from '../stage.ts';
import { format } from '../table/format.ts';
import { organizationKey, organizations, organizationTimeKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { isoOf } from '../time.ts';
import { newApiKey } from './api-keys.ts';

/**
 * Makes a new organization and its first API key. Returns the items to store and the key's text, which is
 * stored nowhere. With `isListed` false, `allOrganizations` omits the organization.
 */
export function newOrganization(name: string, stage: Stage, now: number, isListed: boolean) {
  const organizationId = newId('org', now);
  const owner = { organization_id: organizationId, token_secret: newSecret() };
  const key = newApiKey(owner, stage, now);
  const organization = {
    ...organizationKey(organizationId),
    ...(isListed ? organizationTimeKey(organizationId) : {}),
    ...owner,
    format,
    name,
    date_created: isoOf(now),
    live_keys: 1,
  };
  return { organization, key };
}

/**
 * Returns the ids of all organizations, oldest first. API requests must not call this: each may read only its
 * own organization.
 */
export async function allOrganizations(): Promise<string[]> {
  const items = await readRange(organizations(), { ifTampered: 'show' });
  return items.map(({ organization_id }) => String(organization_id));
}

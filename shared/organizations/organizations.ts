import { newId, newSecret } from '../ids.ts';
import { tableFormat } from '../table/format.ts';
import { organizationKey, organizationsRange, organizationTimeKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { isoOf } from '../time.ts';

/** If `isListed` is false, `readOrganizationIds` omits the organization. */
export function newOrganization(name: string, now: number, isListed: boolean) {
  const organization_id = newId('org', now);
  return {
    ...organizationKey(organization_id),
    ...(isListed ? organizationTimeKey(organization_id) : {}),
    organization_id,
    token_secret: newSecret(),
    format: tableFormat,
    name,
    date_created: isoOf(now),
    live_keys: 1,
  };
}

/** Returns ids, oldest first. API requests must not call this: each may read only its own organization. */
export async function readOrganizationIds(): Promise<string[]> {
  const items = await readRange(organizationsRange());
  return items.map(({ organization_id }) => String(organization_id));
}

import { type Settings, settingsOf } from '../../../shared/games/settings.ts';
import { getItem, type Item } from '../../../shared/table/client.ts';
import { requireFormat } from '../../../shared/table/format.ts';
import { organizationKey, organizationsRange } from '../../../shared/table/keys.ts';
import { readRange } from '../../../shared/table/ranges.ts';
import { Problem } from '../../common/problem.ts';

/** Throws a Problem if an organization does not exist. */
export async function requireOrganization(organizationId: string): Promise<void> {
  const organization = await getItem(organizationKey(organizationId));
  if (!organization) throw new Problem(`There is no organization ${organizationId}.`);
  requireFormat(organization);
}

/** Reads an organization's item. The organization must exist. */
export const readOrganization = async (organizationId: string): Promise<Item> =>
  (await getItem(organizationKey(organizationId)))!;

/** Lists the organizations of the stage, oldest first. */
export async function listOrganizations() {
  const fields = ['organization_id', 'name', 'date_created'];
  return readRange(organizationsRange(), { fields });
}

/** The organization must exist. */
export async function readSettings(organizationId: string): Promise<Settings> {
  return settingsOf(await readOrganization(organizationId));
}

import { type StoredSettings, settingsOf } from '../../../shared/games/settings.ts';
import { get, type Item } from '../../../shared/table/client.ts';
import { requireFormat } from '../../../shared/table/format.ts';
import { organizationKey, organizations } from '../../../shared/table/keys.ts';
import { readRange } from '../../../shared/table/ranges.ts';
import { Problem } from '../../common/problem.ts';

/** Reads an organization's DynamoDB item. Throws a Problem if it does not exist, or a reset has replaced it. */
export async function readOrganization(organizationId: string): Promise<Item> {
  const organization = await readAnyOrganization(organizationId);
  const { replaced_by } = organization;
  if (replaced_by)
    throw new Problem(`Its host has reset ${organizationId}. The new data is in ${replaced_by}.`);
  return organization;
}

/** Reads an organization's DynamoDB item, even if a reset has replaced it. Throws a Problem if it does not exist. */
export async function readAnyOrganization(organizationId: string): Promise<Item> {
  const organization = await get(organizationKey(organizationId));
  if (!organization) throw noOrganization(organizationId);
  requireFormat(organization);
  return organization;
}

/** Throws a Problem if an organization does not exist. Accepts an organization whose item was tampered with. */
export async function requireOrganization(organizationId: string): Promise<void> {
  if (!(await get(organizationKey(organizationId), { ifTampered: 'show' })))
    throw noOrganization(organizationId);
}

const noOrganization = (organizationId: string) => new Problem(`There is no organization ${organizationId}.`);

/**
 * Returns the id, name and creation time of each organization of the stage, oldest first. After a reset, `alias` is the
 * id that the host sends.
 */
export async function listOrganizations() {
  const fields = ['organization_id', 'name', 'date_created', 'alias'];
  return readRange(organizations(), { fields, ifTampered: 'show' });
}

/** Reads an organization's settings. Throws a Problem if there is no such organization. */
export async function readSettings(organizationId: string): Promise<StoredSettings> {
  return settingsOf(await readOrganization(organizationId));
}

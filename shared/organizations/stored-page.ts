import { get } from '../table/client.ts';
import { pageKey } from '../table/keys.ts';
import { type PageSettings, pageSettingsIn } from './page-settings.ts';

/** Reads an organization's page settings. Takes one round trip to DynamoDB. */
export async function readPageSettings(organizationId: string): Promise<PageSettings> {
  return pageSettingsIn(await get(pageKey(organizationId)));
}

import { get } from '../table/client.ts';
import { pageKey } from '../table/keys.ts';
import { type PageSettings, pageSettingsIn } from './page-settings.ts';

/** The settings of an organization's page as they are now. One round trip. */
export async function readPageSettings(organizationId: string): Promise<PageSettings> {
  return pageSettingsIn(await get(pageKey(organizationId)));
}

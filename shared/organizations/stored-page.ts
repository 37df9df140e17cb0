import { getItem } from '../table/client.ts';
import { pageKey } from '../table/keys.ts';
import { type PageSettings, pageSettingsIn } from './page-settings.ts';

export async function readPageSettings(organizationId: string): Promise<PageSettings> {
  return pageSettingsIn(await getItem(pageKey(organizationId)));
}

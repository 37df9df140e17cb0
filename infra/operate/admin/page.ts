import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { changePageSettings } from '../../../shared/actions/change-page.ts';
import { maxLogoLength, pageChanges, pageFieldsOf, pageSettingsOf } from '../../../shared/api/page-fields.ts';
import { validate } from '../../../shared/api/validate.ts';
import { type PageSettings, pageSettingNames } from '../../../shared/organizations/page-settings.ts';
import { readPageSettings } from '../../../shared/organizations/stored-page.ts';
import { requireUsablePage } from '../../../shared/organizations/usable-page.ts';
import { readLogo } from './logo.ts';

/** The value `none` removes a setting. */
export type TypedPageSettings = { [name in keyof PageSettings]?: string | undefined };

export async function showPageSettings(organizationId: string) {
  return shown(organizationId, await readPageSettings(organizationId));
}

/** With `isDry`, only checks the settings. Throws a Refusal for an invalid setting or unreadable colors. */
export async function setPageSettings(
  organizationId: string,
  typed: TypedPageSettings,
  context: ActionContext,
  isDry = false,
) {
  const changes = pageSettingsOf(validate(pageChanges, await valuesTyped(typed)));
  const after = isDry
    ? requireUsablePage({ ...(await readPageSettings(organizationId)), ...changes })
    : await changePageSettings(organizationId, changes, context);
  return shown(organizationId, after);
}

async function valuesTyped(typed: TypedPageSettings): Promise<Record<string, string | string[]>> {
  const values: Record<string, string | string[]> = {};
  for (const name of pageSettingNames) {
    const value = typed[name]?.trim();
    if (value !== undefined) values[name] = await settingTyped(name, value === 'none' ? '' : value);
  }
  return values;
}

function settingTyped(name: keyof PageSettings, value: string): string | string[] | Promise<string> {
  if (name === 'frame_origins') return value.split(/[\s,]+/).filter(Boolean);
  return name === 'brand_logo' && value ? readLogo(value, bytesOf(maxLogoLength)) : value;
}

/** Returns the maximum size of a file (bytes) whose data URL has at most this many characters. */
const bytesOf = (characters: number) =>
  Math.floor(((characters - 'data:image/svg+xml;base64,'.length) * 3) / 4);

const shown = (organizationId: string, page: PageSettings) => ({
  organization_id: organizationId,
  ...pageFieldsOf(page),
});

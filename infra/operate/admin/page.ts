/** Shows and changes the play page's settings: return URL, framing and brand. */
import { changePage } from '../../../shared/operations/change-page.ts';
import type { ActionContext } from '../../../shared/operations/operation-records.ts';
import { colourFault } from '../../../shared/organizations/page-colours.ts';
import {
  frameOriginsIn,
  type PageSettings,
  pageSettingNames,
} from '../../../shared/organizations/page-settings.ts';
import { readPageSettings } from '../../../shared/organizations/stored-page.ts';
import { refusals } from '../../../shared/refusals.ts';
import { logoTyped } from './logo.ts';
import { readOrganization } from './organization.ts';
import { maxLogoLength, normalizedOrigin, parsePage } from './page-schema.ts';

/** Play page settings as typed. The value `none` removes a setting. The logo can be a file name. */
export type TypedPage = { [name in keyof PageSettings]?: string | undefined };

/** Returns the settings of an organization's play page. Throws a Problem if there is no such organization. */
export async function showPage(organizationId: string) {
  await readOrganization(organizationId);
  return shown(organizationId, await readPageSettings(organizationId));
}

/**
 * Changes the play page's settings; `isDry` only checks them. Throws a Refusal for an invalid setting or
 * unreadable colors.
 */
export async function setPage(
  organizationId: string,
  typed: TypedPage,
  context: ActionContext,
  isDry = false,
) {
  await readOrganization(organizationId);
  const changes = parsePage(await valuesTyped(typed));
  let after = check({ ...(await readPageSettings(organizationId)), ...changes });
  if (!isDry) {
    const decide = (page: PageSettings) => {
      after = check({ ...page, ...changes });
      return changes;
    };
    await changePage(organizationId, decide, context);
  }
  return shown(organizationId, after);
}

async function valuesTyped(typed: TypedPage): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const name of pageSettingNames) {
    const value = typed[name]?.trim();
    if (value !== undefined) values[name] = value === 'none' ? '' : await settingTyped(name, value);
  }
  return values;
}

function settingTyped(name: keyof PageSettings, value: string): string | Promise<string> {
  if (name === 'brand_logo') return logoTyped(value, bytesOf(maxLogoLength));
  if (name === 'frame_origins') return originsTyped(value);
  return /^brand_(accent|background|text)/.test(name) ? value.toLowerCase() : value;
}

/** Returns the maximum size of a file (bytes) whose data URL has at most this many characters. */
const bytesOf = (characters: number) =>
  Math.floor(((characters - 'data:image/svg+xml;base64,'.length) * 3) / 4);

/** Returns the origins in the spelling of browsers. Keeps an invalid origin, which the schema then rejects. */
const originsTyped = (value: string) =>
  [
    ...new Set(
      value
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((one) => normalizedOrigin(one) ?? one),
    ),
  ].join(' ');

/** Returns the settings unchanged. Throws a Refusal for a logo without a brand name, or unreadable colors. */
function check(page: PageSettings): PageSettings {
  if (page.brand_logo && !page.brand_name) {
    throw refusals.invalid('brand_name: Required with a logo, for users who cannot see images');
  }
  const fault = colourFault(page);
  if (!fault) return page;
  const { name, contrast, minContrast, behind, remedy } = fault;
  const ofPage = Object.values(page).includes(behind) ? '' : ', a color of the page,';
  const has = `On ${behind}${ofPage} its contrast is ${Math.floor(contrast * 10) / 10}:1, and must be at least ${minContrast}:1`;
  const nearest = Object.entries(remedy).map(([of, colour]) => `${of} ${colour}`);
  throw refusals.invalid(`${name}: ${has}. Nearest readable colors: ${nearest.join(', ')}`);
}

const shown = (organizationId: string, page: PageSettings) => ({
  organization_id: organizationId,
  ...page,
  frame_origins: frameOriginsIn(page),
});

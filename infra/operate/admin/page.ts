/** The play page as an operator sets it: where it leads, who may frame it, and whose it is. */
import { changePage } from '../../../shared/operations/change-page.ts';
import type { By } from '../../../shared/operations/operation-records.ts';
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
import { mostLogo, originOf, parsePage } from './page-schema.ts';

/** Settings of the page as they are typed: `none` unsets one, and a logo may be a file. */
export type TypedPage = { [name in keyof PageSettings]?: string | undefined };

/** What is set about an organization's page. Throws a Problem if there is no such organization. */
export async function showPage(organizationId: string) {
  await readOrganization(organizationId);
  return shown(organizationId, await readPageSettings(organizationId));
}

/**
 * Sets what is given of an organization's page, or says what would then be set. Returns what is set. Throws a
 * Refusal for what cannot be, and changes nothing then: among these colours that could not be read.
 */
export async function setPage(organizationId: string, typed: TypedPage, by: By, isDry = false) {
  await readOrganization(organizationId);
  const changes = parsePage(await valuesTyped(typed));
  let after = check({ ...(await readPageSettings(organizationId)), ...changes });
  if (!isDry) {
    const decide = (page: PageSettings) => {
      after = check({ ...page, ...changes });
      return changes;
    };
    await changePage(organizationId, decide, by);
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
  if (name === 'brand_logo') return logoTyped(value, bytesOf(mostLogo));
  if (name === 'frame_origins') return originsTyped(value);
  return /^brand_(accent|background|text)/.test(name) ? value.toLowerCase() : value;
}

/** How many bytes so many characters in base64 stand for, those before them left out. */
const bytesOf = (characters: number) =>
  Math.floor(((characters - 'data:image/svg+xml;base64,'.length) * 3) / 4);

/** Each origin once, as browsers spell it; what is none stays as it is, to be refused. */
const originsTyped = (value: string) =>
  [
    ...new Set(
      value
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((one) => originOf(one) ?? one),
    ),
  ].join(' ');

/** Throws a Refusal if settings do not go together. */
function check(page: PageSettings): PageSettings {
  if (page.brand_logo && !page.brand_name) {
    throw refusals.invalid('brand_name: A logo needs one, for those who cannot see it');
  }
  const fault = colourFault(page);
  if (!fault) return page;
  const { name, contrast, least, behind, remedy } = fault;
  const ofPage = Object.values(page).includes(behind) ? '' : ', a colour of the page,';
  const has = `On ${behind}${ofPage} its contrast is ${Math.floor(contrast * 10) / 10}:1, and has to be ${least}:1`;
  const nearest = Object.entries(remedy).map(([of, colour]) => `${of} ${colour}`);
  throw refusals.invalid(`${name}: ${has}. The nearest that would do: ${nearest.join(', ')}`);
}

const shown = (organizationId: string, page: PageSettings) => ({
  organization_id: organizationId,
  ...page,
  frame_origins: frameOriginsIn(page),
});

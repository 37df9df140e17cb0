/** How what is set about the play page changes: with a record of who did it. */
import { sha256 } from '../ids.ts';
import { type PageSettings, pageSettingNames } from '../organizations/page-settings.ts';
import { readPageSettings } from '../organizations/stored-page.ts';
import { pageKey } from '../table/keys.ts';
import type { By } from './operation-records.ts';
import { operate } from './record-action.ts';

/**
 * Changes what `decide` returns of the settings of an organization's page, given those that are set, and
 * records who did it; nothing if they are so already. Three round trips. Throws if there is no such
 * organization.
 */
export function changePage(
  organizationId: string,
  decide: (page: PageSettings) => Partial<PageSettings>,
  by: By,
): Promise<void> {
  return operate(
    organizationId,
    async () => {
      // Whoever changes them makes an operation: with another one since then, all is decided anew.
      const page = await readPageSettings(organizationId);
      const after = { ...page, ...decide(page) };
      const changed = pageSettingNames.filter((name) => after[name] !== page[name]);
      if (changed.length === 0) return undefined;
      const said = (of: PageSettings) =>
        Object.fromEntries(changed.map((name) => [name, recorded(of[name])]));
      return {
        action: 'page_changed',
        about: { page: { before: said(page), after: said(after) } },
        before: {},
        after: {},
        parts: {
          page: { Put: { Item: { ...pageKey(organizationId), organization_id: organizationId, ...after } } },
        },
      };
    },
    by,
  );
}

/** A setting as a record has it: an image, which may be long, by its digest. */
const recorded = (value: string) => (value.startsWith('data:') ? `sha256:${sha256(value)}` : value);

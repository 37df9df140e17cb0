/** Changes the settings of the play page as an operator's action. */
import { sha256 } from '../ids.ts';
import { type PageSettings, pageSettingNames } from '../organizations/page-settings.ts';
import { readPageSettings } from '../organizations/stored-page.ts';
import { pageKey } from '../table/keys.ts';
import type { By } from './operation-records.ts';
import { recordAction } from './record-action.ts';

/**
 * Changes the page settings that `decide` returns, given the current ones, and records the action. Does
 * nothing if no setting would change. Three round trips. Throws if the organization does not exist.
 */
export function changePage(
  organizationId: string,
  decide: (page: PageSettings) => Partial<PageSettings>,
  by: By,
): Promise<void> {
  return recordAction(
    organizationId,
    async () => {
      // Any change of the page is an action of the organization. If one is recorded after this read, the
      // write fails and everything is decided again.
      const page = await readPageSettings(organizationId);
      const after = { ...page, ...decide(page) };
      const changed = pageSettingNames.filter((name) => after[name] !== page[name]);
      if (changed.length === 0) return undefined;
      const changedFields = (of: PageSettings) =>
        Object.fromEntries(changed.map((name) => [name, recorded(of[name])]));
      return {
        action: 'page_changed',
        about: { page: { before: changedFields(page), after: changedFields(after) } },
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

/** Returns a setting as recorded: an image as its digest, because images can be long. */
const recorded = (value: string) => (value.startsWith('data:') ? `sha256:${sha256(value)}` : value);

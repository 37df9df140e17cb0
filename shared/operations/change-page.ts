/** Operator action: change the settings of an organization's play page. */
import { sha256 } from '../ids.ts';
import { type PageSettings, pageSettingNames } from '../organizations/page-settings.ts';
import { readPageSettings } from '../organizations/stored-page.ts';
import { pageKey } from '../table/keys.ts';
import type { ActionContext } from './operation-records.ts';
import { recordAction } from './record-action.ts';

/**
 * Changes page settings and records the action. `decide` gets the current settings and returns the changed
 * ones. Throws if the organization does not exist.
 */
export function changePage(
  organizationId: string,
  decide: (page: PageSettings) => Partial<PageSettings>,
  context: ActionContext,
): Promise<void> {
  return recordAction(
    organizationId,
    async () => {
      // The write of the page settings needs no condition: a concurrent change would record another action,
      // which makes this transaction fail.
      const page = await readPageSettings(organizationId);
      const after = { ...page, ...decide(page) };
      const changed = pageSettingNames.filter((name) => after[name] !== page[name]);
      if (changed.length === 0) return undefined;
      const changedFields = (settings: PageSettings) =>
        Object.fromEntries(changed.map((name) => [name, recorded(settings[name])]));
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
    context,
  );
}

/** Returns a setting's value for the action's record. Images are replaced by their digests, because images are long. */
const recorded = (value: string) => (value.startsWith('data:') ? `sha256:${sha256(value)}` : value);

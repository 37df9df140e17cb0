import { sha256 } from '../ids.ts';
import { type PageSettings, pageSettingNames } from '../organizations/page-settings.ts';
import { readPageSettings } from '../organizations/stored-page.ts';
import { requireUsablePage } from '../organizations/usable-page.ts';
import { pageKey } from '../table/keys.ts';
import type { ActionContext } from './action-records.ts';
import { recordAction } from './record-action.ts';

/** Throws a Refusal for unusable settings. */
export async function changePageSettings(
  organizationId: string,
  changes: Partial<PageSettings>,
  context: ActionContext,
): Promise<PageSettings> {
  let after: PageSettings | undefined;
  await recordAction(
    organizationId,
    async () => {
      // The write of the page settings needs no condition: a concurrent change would record another action,
      // which makes this transaction fail.
      const page = await readPageSettings(organizationId);
      const changedPage = requireUsablePage({ ...page, ...changes });
      after = changedPage;
      const changed = pageSettingNames.filter((name) => changedPage[name] !== page[name]);
      if (changed.length === 0) return undefined;
      const changedFields = (settings: PageSettings) =>
        Object.fromEntries(changed.map((name) => [name, recorded(settings[name])]));
      const Item = { ...pageKey(organizationId), organization_id: organizationId, ...changedPage };
      return {
        action: 'page_changed',
        about: { page: { before: changedFields(page), after: changedFields(changedPage) } },
        before: {},
        after: {},
        writes: { page: { Put: { Item } } },
      };
    },
    context,
  );
  return after!;
}

/** Images are replaced by their digests, because images are long. */
const recorded = (value: string) => (value.startsWith('data:') ? `sha256:${sha256(value)}` : value);

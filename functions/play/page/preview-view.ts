import { readPrizeTable } from '../../../shared/games/organization-tables.ts';
import type { readPreview } from '../../../shared/games/previews.ts';
import { costOf, settingsOf, tableVersionOf } from '../../../shared/games/settings.ts';
import { readPageSettings } from '../../../shared/organizations/stored-page.ts';
import { isoOf } from '../../../shared/time.ts';
import { rulesFieldsOf } from './session-view.ts';
import type { PageView } from './view.ts';

type Preview = NonNullable<Awaited<ReturnType<typeof readPreview>>>;

export async function previewView(
  { organizationId, game, lang, organization }: Preview,
  now: number,
): Promise<PageView> {
  const settings = settingsOf(organization);
  const [page, table] = await Promise.all([
    readPageSettings(organizationId),
    readPrizeTable(organizationId, game, tableVersionOf(settings, game)),
  ]);
  return {
    lang,
    game,
    state: 'preview',
    now: isoOf(now),
    cost: costOf(settings, game),
    prizes: table.prizes.map((prize) => ({ ...prize, available: prize.weight > 0 })),
    prize_table_version: table.version,
    ...rulesFieldsOf(lang, page, settings),
    page,
  };
}

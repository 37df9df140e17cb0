import { defaultPrizeTables, type PrizeTable } from '../games/prize-tables.ts';
import type { Promotion } from '../games/promotion.ts';
import {
  alteredPromotion,
  gamesMissingIn,
  type Settings,
  settingsChange,
  settingsOf,
} from '../games/settings.ts';
import { readLiveKeyWrites } from '../organizations/api-keys.ts';
import { refusals } from '../refusals.ts';
import { RETRY } from '../retry.ts';
import type { Item, TableWrite } from '../table/client.ts';
import { prizeTableKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import type { ActionContext } from './action-records.ts';
import { recordAction } from './record-action.ts';

/** Records a change. Stores `table` if the change makes it the game's current table. */
export function changeSettings(
  organizationId: string,
  changes: Partial<Settings> | ((organization: Item) => Partial<Settings>),
  context: ActionContext,
  table?: PrizeTable & { game: Game },
): Promise<void> {
  return recordAction(
    organizationId,
    async (organization, current) => {
      const changedSettings = typeof changes === 'function' ? changes(organization) : changes;
      // `settingsOf` adds the settings of new games, so this change stores them too.
      const changed = settingsChange(organization, { ...settingsOf(organization), ...changedSettings });
      if (Object.keys(changed.after).length === 0) return undefined;
      const keys = await apiKeyWrites(organization, changed.after);
      if (!keys) return RETRY;
      const altered = alteredPromotion(organization, changed.after, current.now);
      const about = altered && requireDespiteRules(altered, current);
      const further = { ...keys, ...newGameWrites(organization, current) };
      if (!table || changed.after[`prize_table_${table.game}`] === undefined)
        return { action: 'changed', ...(about && { about }), ...changed, writes: further };
      const writes = { ...further, table: prizeTableWrite(organizationId, table, current) };
      return { action: 'changed', ...(about && { about }), ...changed, table, writes };
    },
    context,
  );
}

/** Throws a Refusal unless the operator gave `--despite-rules`, which the record then shows. */
export function requireDespiteRules(altered: Promotion, context: ActionContext): { despite_rules: string } {
  if (!context.despiteRules) throw refusals.invalid(oddsStandMessage(altered));
  return { despite_rules: altered.name };
}

export const oddsStandMessage = ({ name, last_day }: Promotion): string =>
  `The promotion “${name}” has begun, so its odds stand until ${last_day}. If you have to change them despite its rules, add --despite-rules; the record will say so`;

async function apiKeyWrites(organization: Item, { suspended }: Partial<Settings>) {
  const is = settingsOf(organization).suspended;
  const isSame = suspended === undefined || suspended === is;
  return isSame ? {} : readLiveKeyWrites(organization, (key) => ({ ...key, suspended }));
}

export const applyDeployedSettings = (organizationId: string, now: number): Promise<void> =>
  changeSettings(organizationId, {}, { operator: 'deploy', now });

function newGameWrites(organization: Item, context: ActionContext): Record<string, TableWrite> {
  const partOf = (game: Game) =>
    prizeTableWrite(String(organization.organization_id), { game, ...defaultPrizeTables[game] }, context);
  return Object.fromEntries(gamesMissingIn(organization).map((game) => [`table_${game}`, partOf(game)]));
}

export function prizeTableWrite(
  organizationId: string,
  { game, ...table }: PrizeTable & { game: Game },
  { now }: ActionContext,
): TableWrite {
  const key = prizeTableKey(organizationId, game, table.version);
  return { Put: { Item: { ...key, ...table, date_created: isoOf(now) } } };
}

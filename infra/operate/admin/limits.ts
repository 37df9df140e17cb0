import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { changeSettings } from '../../../shared/actions/change-settings.ts';
import type { Settings } from '../../../shared/games/settings.ts';
import { BadUsage } from '../../common/arguments.ts';
import { readSettings } from './organization.ts';
import { parseFromTime, scheduleSettings } from './schedule-games.ts';
import { limitNames, parseSettingsChanges } from './settings-schema.ts';

/** An organization's limits, such as the daily cash limit, and the URL of its rules. */
export type OrganizationLimits = Omit<Pick<Settings, (typeof limitNames)[number]>, 'daily_win_limit'> & {
  daily_win_limit: number | 'off';
};
export const limitsOf = (settings: Settings): OrganizationLimits => ({
  ...(Object.fromEntries(limitNames.map((name) => [name, settings[name]])) as OrganizationLimits),
  daily_win_limit: settings.daily_win_limit || 'off',
});

/** The limits to set, as the operator typed them: numbers, `on`, `off` or `none`. Absent limits stay unchanged. */
type TypedLimits = {
  [name in 'dailyCash' | 'cashPacing' | 'dailySpins' | 'dailyWins' | 'rulesUrl' | 'from']?:
    | string
    | undefined;
};

export async function setLimits(
  organizationId: string,
  { from, ...typed }: TypedLimits,
  context: ActionContext,
) {
  const changes = limitsTyped(typed);
  if (from === undefined) {
    await changeSettings(organizationId, changes, context);
    return limitsOf(await readSettings(organizationId));
  }
  if (Object.keys(changes).length === 0) throw new BadUsage('Give at least one limit.');
  return scheduleSettings(organizationId, { from: parseFromTime(from), changes }, context);
}

/** Throws a BadUsage or a Refusal for the first error. */
function limitsTyped(typed: TypedLimits): Partial<Settings> {
  const { dailyCash, cashPacing, dailySpins, dailyWins, rulesUrl } = typed;
  if (cashPacing !== undefined && cashPacing !== 'on' && cashPacing !== 'off')
    throw new BadUsage(`--cash-pacing must be on or off, but is "${cashPacing}".`);
  const turned = dailySpins === 'on' || dailySpins === 'off';
  return parseSettingsChanges({
    daily_cash_limit_usd: dailyCash,
    daily_cash_paced: cashPacing === undefined ? undefined : cashPacing === 'on',
    daily_win_limit: dailyWins === 'off' ? 0 : dailyWins,
    daily_spin_limit_on: dailySpins === undefined ? undefined : dailySpins !== 'off',
    daily_spin_limit: turned ? undefined : dailySpins,
    rules_url: rulesUrl === 'none' ? '' : rulesUrl,
  });
}

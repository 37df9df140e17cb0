import type { ActionRecord } from '../../../shared/actions/action-records.ts';
import { readPrizeTable } from '../../../shared/games/organization-tables.ts';
import type { Settings } from '../../../shared/games/settings.ts';
import { ulidFloor } from '../../../shared/ids.ts';
import { actionsByTime, between, withoutKeys } from '../../../shared/table/keys.ts';
import { readRange } from '../../../shared/table/ranges.ts';
import { isoOf, parseInstant, zone } from '../../../shared/time.ts';
import { BadUsage } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';
import { gameOf } from './game-file.ts';
import { boundsOf, type Period, parsePeriodOptions } from './report/period.ts';

/**
 * Returns operators' actions on an organization, oldest first. The optional `from` and `to` are New York
 * days, both included.
 */
export async function listActions(organizationId: string, typed: Partial<Period>, now: number) {
  if ((typed.from === undefined) !== (typed.to === undefined))
    throw new BadUsage('Give --from and --to, or neither.');
  const { begins, ends } =
    typed.from === undefined
      ? { begins: 0, ends: now + dayMs }
      : boundsOf(parsePeriodOptions(typed as Period, now));
  const operations = await actionsBetween(organizationId, begins, ends - 1);
  return { organization_id: organizationId, operations: operations.map(withoutKeys) };
}

const dayMs = 24 * 3600_000;

async function actionsBetween(organizationId: string, from: number, to: number): Promise<ActionRecord[]> {
  const range = between(actionsByTime(organizationId), ulidFloor(from), `${ulidFloor(to)}~`);
  return (await readRange(range)) as ActionRecord[];
}

/** `scheduled_by` is the id of the action that scheduled the change, if one did. */
function setBy(operation: ActionRecord, all: ActionRecord[]) {
  const { date_created: since, operation_id, about } = operation;
  const scheduled = about?.sequence && all.find(({ sequence }) => sequence === about.sequence);
  const { operator, why } = scheduled || operation;
  return {
    since,
    operator,
    operation_id,
    ...(scheduled ? { scheduled_by: scheduled.operation_id } : {}),
    ...(why ? { why } : {}),
  };
}

/** Throws a Problem if the time precedes all settings. */
export async function settingsAt(organizationId: string, typedAt: string, typedGame?: string) {
  const game = typedGame === undefined ? undefined : gameOf(typedGame);
  const at = parseInstant(typedAt, zone);
  if (at === undefined)
    throw new BadUsage(`--at must be a time such as 2026-05-03T15:00, but is "${typedAt}".`);
  const settings: Partial<Record<keyof Settings, { value: unknown } & ReturnType<typeof setBy>>> = {};
  const operations = await actionsBetween(organizationId, 0, at);
  for (const operation of operations) {
    const context = setBy(operation, operations);
    for (const [name, value] of Object.entries(operation.after))
      settings[name as keyof Settings] = { value, ...context };
  }
  if (Object.keys(settings).length === 0)
    throw new Problem(`There is no record of the settings in force at ${isoOf(at)}.`);
  const found = { organization_id: organizationId, at: isoOf(at) };
  if (game === undefined) return { ...found, settings };
  const ofGame = Object.entries(settings).filter(([name]) => name.endsWith(`_${game}`));
  const { value: version } = settings[`prize_table_${game}`]!;
  const { prizes } = await readPrizeTable(organizationId, game, String(version));
  return { ...found, settings: Object.fromEntries(ofGame) as typeof settings, prizes };
}

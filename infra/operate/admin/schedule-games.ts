/** What an operator sets of an organization's games for a day to come. */
import type { By } from '../../../shared/operations/operation-records.ts';
import {
  type ScheduledChange,
  scheduleChange,
  scheduledIn,
  unschedule,
} from '../../../shared/operations/scheduled-changes.ts';
import { parseInstant } from '../../../shared/time.ts';
import { Problem } from '../../common/problem.ts';
import { readGame, type TypedGame } from './game-file.ts';
import { requireFit } from './games.ts';
import { limitsTyped, requireShares, type TypedLimits } from './limits.ts';
import { readOrganization, readSettings } from './organization.ts';
import { wholeNumber } from './whole-number.ts';

/**
 * Sets a prize table, a cost, or both, for a day to come in New York. Returns the changes that wait. Throws a Refusal if
 * the day has begun.
 */
export async function scheduleGame(
  organizationId: string,
  named: string,
  { from, ...typed }: TypedGame & { from: string },
  by: By,
) {
  const change = await readGame(named, typed);
  await requireFit(organizationId, change, by.now);
  const { changes, table } = change;
  await scheduleChange(organizationId, { from: dayToCome(from), changes }, by, table);
  return showScheduled(organizationId);
}

/** Sets limits or the rules URL for a day to come in New York. Returns the changes that wait. */
export async function scheduleLimits(
  organizationId: string,
  { from, ...typed }: Omit<TypedLimits, 'cashChains'> & { from: string },
  by: By,
) {
  const changes = limitsTyped(typed);
  if (Object.keys(changes).length === 0) throw new Problem('Say which limit.');
  await requireShares(organizationId, { ...(await readSettings(organizationId)), ...changes });
  await scheduleChange(organizationId, { from: dayToCome(from), changes }, by);
  return showScheduled(organizationId);
}

/** The changes that wait for their day, in the order in which they will be made. */
export async function showScheduled(organizationId: string): Promise<{ scheduled: ScheduledChange[] }> {
  return { scheduled: scheduledIn(await readOrganization(organizationId)) };
}

/** Takes back a change that waits, by its number. Returns those that still wait. */
export async function cancelScheduled(organizationId: string, typed: string, by: By) {
  await unschedule(organizationId, wholeNumber('change', typed, Number.MAX_SAFE_INTEGER), by);
  return showScheduled(organizationId);
}

function dayToCome(typed: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(typed) && parseInstant(typed) !== undefined) return typed;
  throw new Problem(`--from is "${typed}", and must be a day such as 2026-01-31.`);
}

/** Schedules changes to games and limits for a future time. */
import type { ActionContext } from '../../../shared/actions/action-records.ts';
import {
  type ScheduledChange,
  scheduleChangeCall,
  scheduleSettingsChange,
  unschedule,
  waitingChangesIn,
} from '../../../shared/actions/scheduled-changes.ts';
import { newYorkTime, parseInstant, serviceZone } from '../../../shared/time.ts';
import { BadUsage, parseInteger } from '../../common/arguments.ts';
import { readOrganization } from './organization.ts';

/** If EventBridge fails, a sweep makes the change up to 15 minutes late. */
export async function scheduleSettings(
  ...[organizationId, change, context, table]: Parameters<typeof scheduleSettingsChange>
) {
  const sequence = await scheduleSettingsChange(organizationId, change, context, table);
  const late = await scheduleChangeCall(organizationId, sequence, change.from).then(
    () => ({}),
    (error: Error) => ({
      warning: `Change ${sequence} is stored, but its schedule could not be created (${error.message}). The sweep will make the change up to 15 minutes late.`,
    }),
  );
  return { ...late, ...(await showScheduled(organizationId)) };
}

/** `change` is the number that `game unschedule --change` takes. */
type ShownChange = { change: number } & Omit<ScheduledChange, 'sequence'>;

export async function showScheduled(organizationId: string): Promise<{ scheduled: ShownChange[] }> {
  const scheduled = waitingChangesIn(await readOrganization(organizationId));
  return {
    scheduled: scheduled.map(({ sequence: change, from, ...others }) => {
      return { change, from: newYorkTime(Date.parse(from)), ...others };
    }),
  };
}

/** The change's EventBridge schedule still fires, without effect. */
export async function cancelScheduled(organizationId: string, typed: string, context: ActionContext) {
  await unschedule(organizationId, parseInteger('--change', typed, [1, Number.MAX_SAFE_INTEGER]), context);
  return showScheduled(organizationId);
}

/**
 * Parses a time and rounds it down to whole seconds: EventBridge schedules have no milliseconds. A day means the day's
 * start in New York.
 */
export function parseFromTime(typed: string): number {
  const at = parseInstant(typed, serviceZone);
  if (at !== undefined) return Math.floor(at / 1000) * 1000;
  throw new BadUsage(
    `--from must be a future time such as 2026-12-01 or 2026-12-01T15:00, but is "${typed}".`,
  );
}

import * as z from 'zod/mini';
import { currentStage } from './environment.ts';
import { isId } from './ids.ts';
import { parseInstant } from './time.ts';

const isInstant = (text: string) => parseInstant(text) !== undefined;
const isOrganization = (text: string) => isId('org', text);
const scheduled = z.object({
  now: z.optional(z.string().check(z.refine(isInstant, 'Input should be a valid datetime'))),
  organization_id: z.optional(z.string().check(z.refine(isOrganization, 'Input should be an organization'))),
});

/**
 * The time in a schedule's event can be ahead of the current time by at most this many milliseconds. A time
 * further ahead is reduced to this maximum.
 */
const mostAheadMs = 60_000;

/**
 * Returns the time (epoch milliseconds) that a scheduled worker treats as the current time: the later of
 * `now` and the time in the schedule's event. A time more than one minute after `now` is reduced to one
 * minute after `now`, because somebody who can create schedules could otherwise make work due too early. The
 * local stage accepts any time. Throws if the event is not from a schedule.
 */
export function asOfSchedule(event: unknown, now: number): number {
  const time = parseInstant(scheduled.parse(event).now ?? '') ?? 0;
  return currentStage() === 'local' ? Math.max(now, time) : Math.max(now, Math.min(time, now + mostAheadMs));
}

/**
 * Returns the id of the organization that a one-time schedule is for, or undefined if the schedule is for all
 * organizations. Throws if the event is not from a schedule.
 */
export const scheduledFor = (event: unknown): string | undefined => scheduled.parse(event).organization_id;

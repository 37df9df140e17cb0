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

/** Largest accepted lead of a schedule's time over this machine's clock, in milliseconds. */
const mostAheadMs = 60_000;

/**
 * Returns the time, in epoch milliseconds, as of which work is due: now, or the time of a schedule's event if
 * that is up to a minute ahead. The bound keeps whoever can create schedules from bringing a day forward. On a
 * laptop any time is accepted. Throws for an event that is not a schedule's.
 */
export function asOfSchedule(event: unknown, now: number): number {
  const time = parseInstant(scheduled.parse(event).now ?? '') ?? 0;
  return currentStage() === 'local' ? Math.max(now, time) : Math.max(now, Math.min(time, now + mostAheadMs));
}

/** Returns the organization that a one-time schedule is for, or undefined for all. Throws for any other event. */
export const scheduledFor = (event: unknown): string | undefined => scheduled.parse(event).organization_id;

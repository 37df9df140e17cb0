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

/** Maximum milliseconds by which a schedule's time can be ahead of now. Later times are reduced to this maximum. */
const maxAheadMs = 60_000;

/** Returns the later of `now` and a schedule's time (epoch milliseconds): at most a minute ahead, except locally. */
export function scheduledTime(event: unknown, now: number): number {
  const time = parseInstant(scheduled.parse(event).now ?? '') ?? 0;
  // A later time would let anybody who can create schedules make work due early.
  return currentStage() === 'local' ? Math.max(now, time) : Math.max(now, Math.min(time, now + maxAheadMs));
}

/** Throws if the event is malformed. */
export const scheduledOrganization = (event: unknown): string | undefined =>
  scheduled.parse(event).organization_id;

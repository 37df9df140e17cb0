import * as z from 'zod/mini';
import { parseInstant } from './time.ts';

const isInstant = (text: string) => parseInstant(text) !== undefined;
const scheduled = z.object({
  now: z.optional(z.string().check(z.refine(isInstant, 'Input should be a valid datetime'))),
});

/** The time in a schedule's event, in epoch milliseconds; 0 if it names none. Throws for an event that is not a schedule's. */
export const scheduledTime = (event: unknown): number => parseInstant(scheduled.parse(event).now ?? '') ?? 0;

import * as z from 'zod/mini';
import { parseInstant } from './time.ts';

const isInstant = (text: string) => parseInstant(text) !== undefined;
const scheduled = z.object({
  now: z.optional(z.string().check(z.refine(isInstant, 'Input should be a valid datetime'))),
});

/**
 * Returns the `now` of a schedule's event in epoch milliseconds, or 0 if absent. Throws if it is no
 * timestamp.
 */
export const scheduledTime = (event: unknown): number => parseInstant(scheduled.parse(event).now ?? '') ?? 0;

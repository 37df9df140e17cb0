/** When a delivery is tried again. */

const minute = 60;
const hour = 60 * minute;

/** Seconds between one attempt and the next; after the last of them a delivery is parked. */
export const retryDelays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** How much longer a wait may be than it has to be. */
export const jitter = 0.1;
/** The longest that a receiver may ask to wait. */
export const longestRetryAfterSeconds = 24 * hour;

/**
 * The longest that a delivery can be on its way, in milliseconds, if its receiver asks for a day before each
 * attempt.
 */
export const longestDeliveryMs = retryDelays.length * longestRetryAfterSeconds * (1 + jitter) * 1000;

/**
 * Seconds to wait after a failed attempt (the first is 1), or undefined after the last one. A receiver may ask for
 * more, up to a day; `random` is a number from 0 to 1, for up to 10 % of jitter.
 */
export function delayAfter(
  attempt: number,
  {
    delays = retryDelays,
    retryAfter = 0,
    random,
  }: { delays?: number[]; retryAfter?: number; random: number },
): number | undefined {
  const delay = delays[attempt - 1];
  if (delay === undefined) return undefined;
  return Math.max(delay, Math.min(retryAfter, longestRetryAfterSeconds)) * (1 + jitter * random);
}

/** Seconds that a `Retry-After` header asks for: a number, or a date; undefined if it says neither. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}

/**
 * The delays in force, in seconds: those of RETRY_DELAYS_SECONDS (`"1,2,3"`, for trials), or the service's own if it is
 * not set. Throws an Error if it holds anything but numbers.
 */
export function delaysFrom(text: string | undefined): number[] {
  if (text === undefined) return retryDelays;
  const delays = text.split(',');
  if (!delays.every((delay) => /^\d+(\.\d+)?$/.test(delay))) {
    throw new Error(`RETRY_DELAYS_SECONDS is "${text}". It holds seconds, as in "1,2,3".`);
  }
  return delays.map(Number);
}

/** The schedule of a delivery's retries. */

const minute = 60;
const hour = 60 * minute;

/**
 * Seconds to wait before each retry. If the last retry fails, the delivery moves to the dead-letter queue.
 */
export const retryDelays = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** Maximum random increase of a delay, as a fraction of the delay. */
export const jitter = 0.1;
/** Longest wait that a `Retry-After` header can cause, in seconds. Longer waits are shortened to it. */
export const longestRetryAfterSeconds = 24 * hour;

/**
 * Longest time between a delivery's first and last attempt, in milliseconds. Assumes that every response asks
 * for a wait of 24 hours.
 */
export const longestDeliveryMs = retryDelays.length * longestRetryAfterSeconds * (1 + jitter) * 1000;

/**
 * Returns the seconds to wait after a failed attempt (from 1), or undefined after the last. `retryAfter` can
 * lengthen the wait to a day; `random` adds up to 10 %.
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

/**
 * Parses a `Retry-After` header, which holds a number of seconds or a date. Returns the seconds to wait, or
 * undefined for any other text.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now) / 1000);
}

/**
 * Parses RETRY_DELAYS_SECONDS (for example `1,2,3`), which shortens the delays in tests. Throws an Error if
 * `text` contains anything but numbers.
 */
export function delaysFrom(text: string | undefined): number[] {
  if (text === undefined) return retryDelays;
  const delays = text.split(',');
  if (!delays.every((delay) => /^\d+(\.\d+)?$/.test(delay))) {
    throw new Error(`RETRY_DELAYS_SECONDS is "${text}". It holds seconds, as in "1,2,3".`);
  }
  return delays.map(Number);
}

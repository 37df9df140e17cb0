import { parseHttpDate } from '../http-date.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds to wait before each retry. If the last retry fails, the delivery moves to the dead-letter queue. */
export const retryDelaySeconds = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** Maximum random increase of a delay, as a fraction of the delay. */
const jitter = 0.1;
/** Longest wait in seconds that a `Retry-After` header can cause. */
export const maxRetryAfterSeconds = 24 * hour;

/** Returns the seconds until the next attempt, or undefined after the last. `random` (0 to 1) adds up to 10 %. */
export function retryDelayAfter(
  attempt: number,
  {
    delays = retryDelaySeconds,
    retryAfter = 0,
    random,
  }: { delays?: number[]; retryAfter?: number; random: number },
): number | undefined {
  const delay = delays[attempt - 1];
  if (delay === undefined) return undefined;
  return Math.max(delay, Math.min(retryAfter, maxRetryAfterSeconds)) * (1 + jitter * random);
}

/** Returns the seconds that a `Retry-After` header asks for, or undefined for what RFC 9110 does not allow. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text);
  const at = parseHttpDate(text);
  return at === undefined ? undefined : Math.max(0, (at - now) / 1000);
}

/** Parses RETRY_DELAYS_SECONDS (such as `1,2,3`), with which tests shorten delays. Throws for other texts. */
export function parseDelays(text: string | undefined): number[] {
  if (text === undefined) return retryDelaySeconds;
  const delays = text.split(',');
  if (!delays.every((delay) => /^\d+(\.\d+)?$/.test(delay))) {
    throw new Error(`RETRY_DELAYS_SECONDS is "${text}". It holds seconds, as in "1,2,3".`);
  }
  return delays.map(Number);
}

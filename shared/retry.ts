import { Refusal, refusals } from './refusals.ts';

const throttles = /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests/;
const outages =
  /Timeout|^Unanswered$|^Stale$|InternalServerError|ServiceUnavailable|NetworkingError|^Conflict$|TransactionConflict|TransactionInProgress/;
const networkCodes = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;

/**
 * Classifies an error of a call to AWS: `throttled` if AWS refused the call because of a rate limit,
 * `unavailable` for an outage, timeout or conflict. Returns undefined for any other error.
 */
export function faultOf(error: unknown): 'throttled' | 'unavailable' | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, $metadata } = error as {
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  if (throttles.test(error.name)) return 'throttled';
  if (outages.test(error.name) || networkCodes.test(String(code))) return 'unavailable';
  return ($metadata?.httpStatusCode ?? 0) >= 500 ? 'unavailable' : undefined;
}

/** Thrown if a write got no response from AWS. The write may or may not have been carried out. */
export class Unanswered extends Error {
  override name = 'Unanswered';
}

/**
 * Maximum time, in milliseconds, from the start of a change until its write is sent. A request takes at most
 * 30 s, so a time of more than 60 s means that Lambda froze the function in between.
 */
export const staleAfterMs = 60_000;

/** Thrown instead of sending a stale write, which was decided before Lambda froze the function. */
export class Stale extends Error {
  override name = 'Stale';
}

const neverSent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;

/** Returns whether AWS may have carried out the request that failed with this error. */
export function leavesOpen(error: unknown): boolean {
  if (faultOf(error) !== 'unavailable') return false;
  const { name, code } = error as { name: string; code?: unknown };
  return !/^(Stale|Conflict|TransactionConflict)/.test(name) && !neverSent.test(String(code));
}

/**
 * Returns the refusal to send for an error of AWS: `too_many_requests` if AWS throttled the call,
 * `outcome_unknown` if a write got no response, `unavailable` for other failures of AWS. Returns undefined if
 * the error is not from AWS.
 */
export function refusalOfFault(error: unknown): Refusal | undefined {
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  if (error instanceof Unanswered) return refusals.outcomeUnknown(error.cause);
  return Object.assign(fault === 'throttled' ? refusals.tooManyRequests() : refusals.unavailable(), {
    cause: error,
  });
}

const budgetMs = 10_000;

/**
 * A function returns this symbol to make `retry` call it again, for example after a conflict with another
 * request that changes the same item.
 */
export const RETRY = Symbol('retry');

/**
 * Calls `work`, with random pauses, until it returns something other than `RETRY`. Also calls `work` again if
 * it throws because AWS throttled or failed; rethrows any other error at once. After 10 s, throws
 * `too_many_requests` or `unavailable`, or `outcome_unknown` if a write got no response.
 */
export async function retry<T>(work: () => Promise<T | typeof RETRY>): Promise<T> {
  const deadline = performance.now() + budgetMs;
  let unanswered: Refusal | undefined;
  for (let attempt = 0; ; attempt++) {
    const begun = performance.now();
    let isLostRace = true;
    let refusal = refusals.unavailable();
    try {
      const result = await work();
      if (result !== RETRY) return result;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const fault = refusalOfFault(error);
      if (!fault) throw error;
      refusal = fault;
      isLostRace = (error as Error).name === 'Conflict';
      if (error instanceof Unanswered) unanswered = fault;
    }
    if (performance.now() > deadline) throw unanswered ?? refusal;
    await pause(attempt, isLostRace ? pauseInAttempts * (performance.now() - begun) : undefined);
  }
}

/**
 * After a conflict with another write, the pause is at most this multiple of the attempt's duration. Slow
 * attempts thus get longer pauses. With the multiple 8, fifty concurrent writers to one user start about as
 * many attempts per second as can succeed.
 */
const pauseInAttempts = 8;

/**
 * Waits for a random time (full jitter). The maximum is 25 ms after attempt 0, then 100 ms, 400 ms and 1.6 s,
 * but never more than `longestMs`. The maximum grows quickly, because only one of several concurrent writes
 * to a user can succeed at a time.
 */
export function pause(attempt: number, longestMs = Number.POSITIVE_INFINITY): Promise<void> {
  const limitMs = Math.min(1600, 25 * 4 ** attempt, longestMs);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * limitMs));
}

/**
 * Returns the result of `work`, or undefined if `work` takes longer than `ms` milliseconds. Does not stop the
 * work after that time.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Runs `work`, which writes something. If `work` throws `outcome_unknown`, calls `findOut` to read the result
 * of the write. Throws `outcome_unknown` only if `findOut` returns undefined, fails or takes too long.
 */
export async function orFindOut<T>(
  work: () => Promise<T>,
  findOut: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'outcome_unknown') throw error;
    const found = await within(findOutMs, findOut()).catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

// Timeout of `findOut` in milliseconds. It is short, because the attempts to write may already have used most
// of API Gateway's timeout of 29 s.
const findOutMs = 2000;

import { Refusal, refusals } from './refusals.ts';

const throttles = /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests/;
const outages =
  /Timeout|^Unanswered$|^Stale$|InternalServerError|ServiceUnavailable|NetworkingError|^Conflict$|TransactionConflict|TransactionInProgress/;
const networkCodes = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;

/** Tells whether AWS throttled a call or could not be reached. Returns undefined for any other error. */
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

/** Thrown if a write got no answer, so that it may have been carried out. */
export class Unanswered extends Error {
  override name = 'Unanswered';
}

/**
 * Age in milliseconds from which an unfinished write is stale. A request takes at most 30 s, so Lambda must
 * have frozen the function meanwhile.
 */
export const staleAfterMs = 60_000;

/** Thrown instead of a write that was decided before Lambda froze the function. */
export class Stale extends Error {
  override name = 'Stale';
}

const neverSent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;

/** Whether AWS may have carried out a request that failed with this error. */
export function leavesOpen(error: unknown): boolean {
  if (faultOf(error) !== 'unavailable') return false;
  const { name, code } = error as { name: string; code?: unknown };
  return !/^(Stale|Conflict|TransactionConflict)/.test(name) && !neverSent.test(String(code));
}

/**
 * Returns the refusal for an error of AWS: `too_many_requests` if throttled, `outcome_unknown` for a write
 * without an answer, `unavailable` for other failures. Returns undefined for any other error.
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
 * Returned by work that must be repeated: it lost a race, or another request is still working on the same
 * item.
 */
export const RETRY = Symbol('retry');

/**
 * Repeats work, with jittered pauses, until it returns something other than `RETRY`. Also repeats it if AWS
 * throttles or fails; throws any other error at once. After 10 s throws `too_many_requests` or `unavailable`,
 * or `outcome_unknown` if a write got no answer.
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
 * Longest pause after a lost race, as a multiple of the attempt's own duration. With 8, fifty concurrent
 * writes to one user make about as many attempts as can succeed. Pauses grow by themselves where attempts are
 * slow.
 */
const pauseInAttempts = 8;

/**
 * Waits for a random time (full jitter): up to 25 ms after attempt 0, then up to 100 ms, 400 ms and 1.6 s,
 * and never longer than `longestMs`. The limit grows fast, because of concurrent writes to one user only one
 * can succeed at a time.
 */
export function pause(attempt: number, longestMs = Number.POSITIVE_INFINITY): Promise<void> {
  const limitMs = Math.min(1600, 25 * 4 ** attempt, longestMs);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * limitMs));
}

/** Returns the result of work, or undefined after `ms` milliseconds. The work itself is not stopped. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Runs work that writes. If the work throws `outcome_unknown`, looks its result up once more by `findOut`,
 * and throws `outcome_unknown` only if `findOut` finds nothing.
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

// Short, because the attempts may have used up most of the 29 s after which API Gateway gives up.
const findOutMs = 2000;

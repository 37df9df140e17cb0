import { faultRefusals, Refusal } from './refusals.ts';

const throttles = /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests/;
const outages =
  /Timeout|^Unanswered$|^Stale$|InternalServerError|ServiceUnavailable|NetworkingError|^Conflict$|TransactionConflict|TransactionInProgress/;
const networkCodes = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;

export function awsFaultOf(error: unknown): 'throttled' | 'unavailable' | undefined {
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

/** Maximum milliseconds from a change's start to its write. */
export const staleAfterMs = 20_000;

/** Measures by the clock that advanced more: one can stop during sleep, the other can be set back. */
export function stopwatch(): () => number {
  const [steady, wall] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - steady, Date.now() - wall);
}

/** Thrown instead of sending a stale write, which was decided before Lambda froze the function. */
export class Stale extends Error {
  override name = 'Stale';
}

const neverSent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;

export function mayHaveExecuted(error: unknown): boolean {
  if (awsFaultOf(error) !== 'unavailable') return false;
  const { name, code } = error as { name: string; code?: unknown };
  return !/^(Stale|Conflict|TransactionConflict)/.test(name) && !neverSent.test(String(code));
}

export function refusalOfFault(error: unknown): Refusal | undefined {
  const fault = awsFaultOf(error);
  if (fault === undefined) return undefined;
  if (error instanceof Unanswered) return faultRefusals.outcomeUnknown(error.cause);
  const { tooManyRequests, unavailable } = faultRefusals;
  return Object.assign(fault === 'throttled' ? tooManyRequests() : unavailable(), { cause: error });
}

const budgetMs = 10_000;

/** Returned by a function that wants `retry` to call it again, for example after a write conflict. */
export const RETRY = Symbol('retry');

/** Repeats `work` after `RETRY` or a failure of AWS, with random pauses. Throws a Refusal after 10 s. */
export async function retry<T>(work: () => Promise<T | typeof RETRY>): Promise<T> {
  const deadline = performance.now() + budgetMs;
  let unanswered: Refusal | undefined;
  for (let attempt = 0; ; attempt++) {
    const begun = performance.now();
    let isLostRace = true;
    let refusal: Refusal | undefined;
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
    if (performance.now() > deadline) throw unanswered ?? refusal ?? faultRefusals.unavailable();
    await pauseBeforeRetry(attempt, isLostRace ? pauseInAttempts * (performance.now() - begun) : undefined);
  }
}

/** Maximum pause after a conflict, as a multiple of the attempt's duration. */
const pauseInAttempts = 8;

/** Waits for a random time, at most 25 ms after attempt 0, then 100 ms, 400 ms and 1.6 s. */
export function pauseBeforeRetry(attempt: number, maxMs = Number.POSITIVE_INFINITY): Promise<void> {
  const limitMs = Math.min(1600, 25 * 4 ** attempt, maxMs);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * limitMs));
}

/** Returns the result of `work`, or undefined after `ms` milliseconds, while the work continues in the background. */
export async function resultWithin<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * If `work` throws `outcome_unknown`, reads the result with `readResult`. Throws `outcome_unknown` if `readResult`
 * finds nothing.
 */
export async function orReadResult<T>(
  work: () => Promise<T>,
  readResult: () => Promise<T | undefined>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'outcome_unknown') throw error;
    const found = await resultWithin(readResultMs, readResult()).catch(() => undefined);
    if (found === undefined) throw error;
    return found;
  }
}

// Timeout of `readResult` in milliseconds: short, because the write may have used most of API Gateway's 29 s.
const readResultMs = 2000;

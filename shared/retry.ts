import { Refusal, refusals } from './refusals.ts';

const throttles = /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests/;
const outages =
  /Timeout|^Unanswered$|^Stale$|InternalServerError|ServiceUnavailable|NetworkingError|^Conflict$|TransactionConflict|TransactionInProgress/;
const networkCodes = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;

/** Whether an error of an AWS client means that the other side is too busy or out of reach; undefined for any other error. */
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

/** A write that got no answer: it may have been carried out, or not. */
export class Unanswered extends Error {
  override name = 'Unanswered';
}

/** Work is left alone after so long: a request takes half a minute at most, and the function was frozen meanwhile. */
export const staleAfterMs = 60_000;

/** What was decided before a function was frozen is not written after. */
export class Stale extends Error {
  override name = 'Stale';
}

const neverSent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;

/** Whether an error of an AWS client leaves open whether the request was carried out. */
export function leavesOpen(error: unknown): boolean {
  if (faultOf(error) !== 'unavailable') return false;
  const { name, code } = error as { name: string; code?: unknown };
  return !/^(Stale|Conflict|TransactionConflict)/.test(name) && !neverSent.test(String(code));
}

/**
 * The refusal for such a fault: 429 or 503, with `Retry-After`; undefined for any other error. Only that of a write
 * that got no answer does not promise that nothing was done.
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

/** What work returns that has to start again: it lost a race, or found that another is still at it. */
export const again = Symbol('again');

/**
 * Runs work until it returns something other than `again`, and repeats it after a fault. Waits with full jitter
 * in between. After 10 s throws 429 or 503, or `outcome_unknown` if a write of it got no answer; any other error
 * passes through at once.
 */
export async function retry<T>(work: () => Promise<T | typeof again>): Promise<T> {
  const deadline = performance.now() + budgetMs;
  let unanswered: Refusal | undefined;
  for (let attempt = 0; ; attempt++) {
    const begun = performance.now();
    let isLostRace = true;
    let refusal = refusals.unavailable();
    try {
      const result = await work();
      if (result !== again) return result;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const fault = refusalOfFault(error);
      if (!fault) throw error;
      refusal = fault;
      isLostRace = (error as Error).name === 'Conflict';
      if (error instanceof Unanswered) unanswered = fault;
    }
    if (performance.now() > deadline) throw unanswered ?? refusal;
    await pause(attempt, isLostRace ? turns * (performance.now() - begun) : undefined);
  }
}

/**
 * After a lost race the longest pause is the time of so many attempts. Of fifty writers of one user each then comes by
 * about as often as one of them can be done, and a machine on which attempts are slow spreads them further by itself.
 */
const turns = 8;

/**
 * Waits a random while, with full jitter: up to 25 ms at first, then 100 ms, 400 ms and 1.6 s, but no longer than
 * `longestMs`. It widens fast, since of many that write to one user only the first of each moment wins, and the others
 * had better spread out.
 */
export function pause(attempt: number, longestMs = Number.POSITIVE_INFINITY): Promise<void> {
  const most = Math.min(1600, 25 * 4 ** attempt, longestMs);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}

/** What work comes to, or undefined if it takes longer than some milliseconds; it then goes on unheard. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Runs work that writes, and if its outcome is unknown in the end looks once more whether it was done: returns what
 * `findOut` finds, or throws `outcome_unknown` if that finds nothing.
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

// The gateway waits for 29 s, of which the tries may have taken up most.
const findOutMs = 2000;

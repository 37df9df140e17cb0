import { Refusal, refusals } from './refusals.ts';

const throttles = /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests/;
const outages =
  /Timeout|InternalServerError|ServiceUnavailable|NetworkingError|^Conflict$|TransactionConflict|TransactionInProgress/;
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

/** Whether an error of an AWS client leaves open whether the request was carried out. */
export function leavesOpen(error: unknown): boolean {
  const isConflict = error instanceof Error && /^(Conflict|TransactionConflict)/.test(error.name);
  return faultOf(error) === 'unavailable' && !isConflict;
}

/** The refusal for such a fault: 429 or 503, with `Retry-After`; undefined for any other error. */
export function refusalOfFault(error: unknown): Refusal | undefined {
  const fault = faultOf(error);
  if (fault === undefined) return undefined;
  const refusal = fault === 'throttled' ? refusals.tooManyRequests() : refusals.unavailable();
  refusal.cause = error;
  return refusal;
}

const budgetMs = 10_000;

/** What work returns that has to start again: it lost a race, or found that another is still at it. */
export const again = Symbol('again');

/**
 * Runs work until it returns something other than `again`, and repeats it after a fault. Waits with full jitter
 * in between. Throws 429 or 503 after 10 s; any other error passes through at once.
 */
export async function retry<T>(work: () => Promise<T | typeof again>): Promise<T> {
  const deadline = performance.now() + budgetMs;
  for (let attempt = 0; ; attempt++) {
    let refusal = refusals.unavailable();
    try {
      const result = await work();
      if (result !== again) return result;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const fault = refusalOfFault(error);
      if (!fault) throw error;
      refusal = fault;
    }
    if (performance.now() > deadline) throw refusal;
    await pause(attempt);
  }
}

/**
 * Waits a random while, with full jitter: up to 25 ms at first, then 100 ms, then 400 ms. It widens fast, since
 * of many that write to one user only the first of each moment wins, and the others had better spread out.
 */
export function pause(attempt: number): Promise<void> {
  const most = Math.min(400, 25 * 4 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}

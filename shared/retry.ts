import { ClientError, refusals } from './refusals.ts';

const throttles = /Throttl|ProvisionedThroughputExceeded|RequestLimitExceeded|TooManyRequests/;
const outages =
  /Timeout|InternalServerError|ServiceUnavailable|NetworkingError|^Conflict$|TransactionConflict|TransactionInProgress/;
const networkCodes = /^(ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH)/;

/** Whether an error of an AWS client means that the other side is too busy, or out of reach, or neither. */
export function troubleOf(error: unknown): 'throttled' | 'unavailable' | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, $metadata } = error as {
    code?: unknown;
    $metadata?: { httpStatusCode?: number };
  };
  if (throttles.test(error.name)) return 'throttled';
  if (outages.test(error.name) || networkCodes.test(String(code))) return 'unavailable';
  return ($metadata?.httpStatusCode ?? 0) >= 500 ? 'unavailable' : undefined;
}

/** What the caller is told of trouble: 429 or 503, with `Retry-After`; undefined for any other error. */
export function refusalOfTrouble(error: unknown): ClientError | undefined {
  const trouble = troubleOf(error);
  if (trouble === undefined) return undefined;
  const refusal = trouble === 'throttled' ? refusals.tooManyRequests() : refusals.unavailable();
  refusal.cause = error;
  return refusal;
}

const budgetMs = 10_000;

/**
 * Tries until it works: again after trouble, and again while `unsettled` says so of the result. Waits with full
 * jitter in between, and after 10 s throws 429 or 503. Errors that are no trouble pass at once.
 */
export async function insist<T>(
  work: () => Promise<T>,
  unsettled: (result: T) => boolean = () => false,
): Promise<T> {
  const deadline = performance.now() + budgetMs;
  for (let attempt = 0; ; attempt++) {
    let refusal = refusals.unavailable();
    try {
      const result = await work();
      if (!unsettled(result)) return result;
    } catch (error) {
      if (error instanceof ClientError) throw error;
      const trouble = refusalOfTrouble(error);
      if (!trouble) throw error;
      refusal = trouble;
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

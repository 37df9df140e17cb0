import type { ErrorCode } from './operations.ts';

export type ErrorDetails = {
  /** HTTP status; undefined if there was no answer. */
  status?: number | undefined;
  /** Hint at the cause, from the service. */
  detail?: string | undefined;
  /** Id by which the operator of the service finds the request in the log. */
  requestId?: string | undefined;
  /** Seconds to wait before the request is repeated. */
  retryAfter?: number | undefined;
  cause?: unknown;
};

/**
 * Thrown if a request failed after all attempts. `code` is one of the API's codes, `no_answer`, or
 * `unexpected_answer` if a proxy answered instead of the service. After these two and `outcome_unknown`, the
 * request may have been carried out: repeat it with the same idempotency key to get its result.
 */
export class IncentivesError extends Error {
  readonly code: ErrorCode | 'no_answer' | 'unexpected_answer';
  readonly status: number | undefined;
  readonly detail: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  constructor(code: IncentivesError['code'], message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = 'IncentivesError';
    this.code = code;
    this.status = details.status;
    this.detail = details.detail;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}

import type { ErrorCode } from './operations.ts';

/** Details of an error beside its code. */
export type ErrorDetails = {
  /** The HTTP status; undefined if there was no answer. */
  status?: number | undefined;
  detail?: string | undefined;
  /** Id by which an operator finds the request in the log. */
  requestId?: string | undefined;
  /** Seconds to wait before the same request is sent again. */
  retryAfter?: number | undefined;
  cause?: unknown;
};

/**
 * A request that failed after all attempts. `code` is one of the API's codes, `no_answer`, or `unexpected_answer` if a
 * proxy answered instead of the service. After these two and `outcome_unknown` the request may have been carried out:
 * send it again with the same idempotency key to learn its outcome.
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

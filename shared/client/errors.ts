import type { ErrorCode } from './operations.ts';

export type ErrorDetails = {
  /** HTTP status of the response. Undefined if no response arrived. */
  status?: number | undefined;
  /** Hint at the cause, from the error response. */
  detail?: string | undefined;
  /** Id of the request, by which the operator of the API finds the request in the log. */
  requestId?: string | undefined;
  /** Seconds to wait before repeating the request. */
  retryAfter?: number | undefined;
  cause?: unknown;
};

/** Thrown if a request's last attempt failed. `unexpected_answer` means a response from elsewhere, such as a proxy. */
export class IncentivesError extends Error {
  /**
   * After `outcome_unknown`, `internal_error` and the two codes here, the request may have succeeded: repeat it with
   * the same key.
   */
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

import type { ErrorCode } from './operations.ts';

export type ErrorDetails = {
  /** HTTP status of the response. Undefined if there was no response. */
  status?: number | undefined;
  /** Hint at the cause, from the API's response. */
  detail?: string | undefined;
  /** Id of the request. The operator of the API can find the request in the log by this id. */
  requestId?: string | undefined;
  /** Seconds to wait before you repeat the request. */
  retryAfter?: number | undefined;
  cause?: unknown;
};

/**
 * Thrown if a request failed in all attempts. `no_answer`: no response; `unexpected_answer`: a proxy
 * responded. After these codes and `outcome_unknown`, the request may have been carried out: repeat with the
 * same idempotency key.
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

import type { ErrorCode } from './operations.ts';

/** What stands in an error beside its code. */
export type ErrorDetails = {
  /** The HTTP status; undefined if there was no answer. */
  status?: number | undefined;
  detail?: string | undefined;
  /** The id by which an operator finds the request. */
  requestId?: string | undefined;
  /** Seconds after which the same request may be sent again. */
  retryAfter?: number | undefined;
  cause?: unknown;
};

/**
 * A request that did not succeed, after all repetitions. `code` tells why: one of the API's own, `no_answer` if none
 * came, or `unexpected_answer` if something on the way answered instead of the service. After these two, and after
 * `outcome_unknown`, the request may have been carried out: sent again with the same idempotency key, it says so.
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

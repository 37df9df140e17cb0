import type { Refusal } from '../refusals.ts';

/** Headers of every answer: no caching, no MIME sniffing. */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Headers of every JSON answer. */
export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', ...commonHeaders };

/** The body of an error answer. `detail` is a hint beside the contract's message. */
export type ErrorBody = {
  status: 'error';
  message: string;
  code: string;
  detail?: string | undefined;
  request_id: string;
};

/** Returns the error answer of a refusal, as endpoints and API Gateway send it. */
export function errorAnswer({ status, code, message, detail, headers }: Refusal, requestId: string) {
  const body: ErrorBody = { status: 'error', message, code, detail, request_id: requestId };
  return {
    statusCode: status,
    headers: { ...jsonHeaders, 'x-request-id': requestId, ...headers },
    body: JSON.stringify(body),
  };
}

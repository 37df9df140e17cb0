import type { Refusal } from '../refusals.ts';

/** Headers of every answer of the service, whatever it holds: it is nobody else's to keep or to guess at. */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Headers of every JSON answer. */
export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', ...commonHeaders };

/** The body of an error answer; `detail` is a hint that the contract's message has no room for. */
export type ErrorBody = {
  status: 'error';
  message: string;
  code: string;
  detail?: string | undefined;
  request_id: string;
};

/** The error answer for a refusal, from an endpoint as from the gateway in front of it. */
export function errorAnswer({ status, code, message, detail, headers }: Refusal, requestId: string) {
  const body: ErrorBody = { status: 'error', message, code, detail, request_id: requestId };
  return {
    statusCode: status,
    headers: { ...jsonHeaders, 'x-request-id': requestId, ...headers },
    body: JSON.stringify(body),
  };
}

import type { Refusal } from '../refusals.ts';

export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', ...commonHeaders };

/** The API contract prescribes `message`. `detail` is a hint at the cause. */
export type ErrorBody = {
  status: 'error';
  message: string;
  code: string;
  detail?: string | undefined;
  request_id: string;
};

/** CDK also uses this function to configure the error responses of API Gateway. */
export function errorAnswer({ status, code, message, detail, headers }: Refusal, requestId: string) {
  const body: ErrorBody = { status: 'error', message, code, detail, request_id: requestId };
  return {
    statusCode: status,
    headers: { ...jsonHeaders, 'x-request-id': requestId, ...headers },
    body: JSON.stringify(body),
  };
}

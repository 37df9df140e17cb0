import type { Refusal } from '../refusals.ts';

/** Default headers of responses. They forbid caching and MIME sniffing. */
export const commonHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', ...commonHeaders };

/** Body of an error response. The API contract prescribes `message`. `detail` is a hint at the cause. */
export type ErrorBody = {
  status: 'error';
  message: string;
  code: string;
  detail?: string | undefined;
  request_id: string;
};

/** Makes the error response for a refusal. CDK also uses it to configure the error responses of API Gateway. */
export function errorAnswer({ status, code, message, detail, headers }: Refusal, requestId: string) {
  const body: ErrorBody = { status: 'error', message, code, detail, request_id: requestId };
  return {
    statusCode: status,
    headers: { ...jsonHeaders, 'x-request-id': requestId, ...headers },
    body: JSON.stringify(body),
  };
}

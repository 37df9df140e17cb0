import type { Access } from '../../shared/api/route.ts';
import { faultRefusals, refusals } from '../../shared/refusals.ts';
import { workers } from './workers.ts';

export const playPath = 'play';

/** Seconds that API Gateway waits for a Lambda function before it responds with an error. */
export const gatewayTimeoutSeconds = 29;

export const endpointFunctionOptions = {
  // Functions time out one second before API Gateway, so that their own log shows the timeout.
  timeoutSeconds: gatewayTimeoutSeconds - 1,
  // Lambda assigns CPU in proportion to memory. More than 1,024 MB barely shortens cold starts.
  memoryMb: 1024,
};

/** Alarm threshold for an endpoint's p99 latency in milliseconds: 100 times the usual latency. */
export const slowAfterMs = 3000;

export const authorizerFunction: { name: string; access: Access } = {
  name: 'authorizer',
  access: { table: ['GetItem'] },
};

export const timeoutSecondsOf = (functionName: string): number =>
  workers.find(({ name }) => name === functionName)?.timeoutSeconds ?? endpointFunctionOptions.timeoutSeconds;

/** API Gateway's limits in bytes: the request body, and the request line plus all header values. */
export const maxBodyBytes = 10 * 1024 * 1024;
export const maxHeadBytes = 10 * 1024;

const badRequest = refusals.invalid(
  'Bad Request',
  400,
  `The request line and headers must be at most ${maxHeadBytes} bytes, and the query must be UTF-8`,
);

/** Other errors have the refusals of `DEFAULT_4XX` and `DEFAULT_5XX`. */
export const gatewayRefusals = {
  // API Gateway raises this error, despite its name, for an unknown path or method.
  MISSING_AUTHENTICATION_TOKEN: refusals.notFound(),
  RESOURCE_NOT_FOUND: refusals.notFound(),
  // API Gateway raises this error for an unknown method if the request has an `Authorization` header, which it then
  // parses as an AWS signature.
  INVALID_SIGNATURE: refusals.notFound(),
  EXPIRED_TOKEN: refusals.notFound(),
  UNAUTHORIZED: refusals.unauthorized(),
  ACCESS_DENIED: refusals.forbidden(),
  WAF_FILTERED: refusals.forbidden(),
  THROTTLED: faultRefusals.tooManyRequests(),
  REQUEST_TOO_LARGE: refusals.invalid(`Request body must be at most ${maxBodyBytes} bytes`, 413),
  // Covers all other client errors, such as an invalid query or oversized headers.
  DEFAULT_4XX: badRequest,
  // Covers throttled, crashed and timed-out functions. A crashed function may have changed data, so the outcome is
  // unknown.
  DEFAULT_5XX: faultRefusals.outcomeUnknown(),
  AUTHORIZER_FAILURE: faultRefusals.unavailable(),
  AUTHORIZER_CONFIGURATION_ERROR: faultRefusals.unavailable(),
};

const { MISSING_AUTHENTICATION_TOKEN, RESOURCE_NOT_FOUND, INVALID_SIGNATURE, EXPIRED_TOKEN } =
  gatewayRefusals;
const { THROTTLED, REQUEST_TOO_LARGE, DEFAULT_4XX, DEFAULT_5XX } = gatewayRefusals;

/** Refusals for errors of the play pages' API, which has no authorizer and no API keys. */
export const playGatewayRefusals = {
  MISSING_AUTHENTICATION_TOKEN,
  RESOURCE_NOT_FOUND,
  INVALID_SIGNATURE,
  EXPIRED_TOKEN,
  THROTTLED,
  REQUEST_TOO_LARGE,
  DEFAULT_4XX,
  DEFAULT_5XX,
};

/** Settings shared by all endpoints, and those of the authorizer. Plain data for the CDK app and the local stage. */

import type { Access } from '../../shared/api/route.ts';
import { refusals } from '../../shared/refusals.ts';
import { workers } from './workers.ts';

/** First path segment of play pages, which have their own API. */
export const playPath = 'play';

/** API Gateway's time limit for an integration. */
export const gatewayTimeoutSeconds = 29;

/** Timeout and memory of the endpoints' functions and of the authorizer. */
export const endpointFunction = {
  // One second less than API Gateway waits, so that the function itself logs the timeout.
  timeoutSeconds: gatewayTimeoutSeconds - 1,
  // CPU grows with memory; above this size, cold starts hardly get faster.
  memoryMb: 1024,
};

/** Alarm threshold for an endpoint's p99 latency: 100 times the usual, but still acceptable to a user. */
export const slowAfterMs = 3000;

/** The authorizer's access to AWS. */
export const authorizerAccess: Access = { table: ['GetItem'] };

/** How long API Gateway caches the authorizer's result for a key. */
export const authorizerTtlSeconds = 60;

/** Returns the timeout of a function in seconds. */
export const timeoutSecondsOf = (functionName: string): number =>
  workers.find(({ name }) => name === functionName)?.timeoutSeconds ?? endpointFunction.timeoutSeconds;

/** API Gateway's limits in bytes: the body, and the request line with all header values. */
export const maxBodyBytes = 10 * 1024 * 1024;
export const maxHeadBytes = 10 * 1024;

const badRequest = refusals.invalid(
  'Bad Request',
  400,
  `The request line and headers must be at most ${maxHeadBytes} bytes, and the query must be UTF-8`,
);

/** The gateway's own errors by API Gateway's names, with the refusals that callers get for them. */
export const gatewayRefusals = {
  // API Gateway's misleading name for an unknown path or method.
  MISSING_AUTHENTICATION_TOKEN: refusals.notFound(),
  RESOURCE_NOT_FOUND: refusals.notFound(),
  // For an unknown method API Gateway parses the `Authorization` header as an AWS signature.
  INVALID_SIGNATURE: refusals.notFound(),
  EXPIRED_TOKEN: refusals.notFound(),
  UNAUTHORIZED: refusals.unauthorized(),
  ACCESS_DENIED: refusals.forbidden(),
  INVALID_API_KEY: refusals.forbidden(),
  WAF_FILTERED: refusals.forbidden(),
  THROTTLED: refusals.tooManyRequests(),
  QUOTA_EXCEEDED: refusals.tooManyRequests(),
  REQUEST_TOO_LARGE: refusals.invalid(`Request body must be at most ${maxBodyBytes} bytes`, 413),
  BAD_REQUEST_BODY: badRequest,
  BAD_REQUEST_PARAMETERS: badRequest,
  UNSUPPORTED_MEDIA_TYPE: badRequest,
  // Includes errors without a name of their own, such as oversized headers.
  DEFAULT_4XX: badRequest,
  // AWS does not document which of these a throttled, crashed or timed-out function causes. So each says that
  // the outcome is unknown. A 500 from the function itself passes through.
  INTEGRATION_FAILURE: refusals.outcomeUnknown(),
  INTEGRATION_TIMEOUT: refusals.outcomeUnknown(),
  API_CONFIGURATION_ERROR: refusals.outcomeUnknown(),
  DEFAULT_5XX: refusals.outcomeUnknown(),
  AUTHORIZER_FAILURE: refusals.unavailable(),
  AUTHORIZER_CONFIGURATION_ERROR: refusals.unavailable(),
};

const { MISSING_AUTHENTICATION_TOKEN, RESOURCE_NOT_FOUND, INVALID_SIGNATURE, EXPIRED_TOKEN } =
  gatewayRefusals;
const { THROTTLED, REQUEST_TOO_LARGE, DEFAULT_4XX, DEFAULT_5XX } = gatewayRefusals;

/** The gateway's errors for the API of play pages, which has no authorizer and no API keys. */
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

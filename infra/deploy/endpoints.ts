/** What all endpoints have in common, with the authorizer in front of them: plain data for the CDK app and its stand-ins. */

import type { Access } from '../../shared/api/route.ts';
import { refusals } from '../../shared/refusals.ts';
import { workers } from './workers.ts';

/** The first part of the path of play pages, which have a gateway of their own: it answers people, and not in JSON. */
export const playPath = 'play';

/** For how long API Gateway waits for a function. */
export const gatewayTimeoutSeconds = 29;

/** The functions of endpoints, and the authorizer's. */
export const endpointFunction = {
  // One second less than API Gateway waits, so that a request that takes too long ends with a line in the function's log.
  timeoutSeconds: gatewayTimeoutSeconds - 1,
  // Memory brings CPU with it: with more, a cold start hardly gets faster.
  memoryMb: 1024,
};

/** From when on an endpoint is slow, in milliseconds: a hundred times what most take, and less than a person waits for. */
export const slowAfterMs = 3000;

/** What the authorizer may reach. */
export const authorizerAccess: Access = { table: ['GetItem'] };

/** How long the authorizer's result for a key is kept. It only says whose the key is, so it is good for all requests. */
export const authorizerTtlSeconds = 60;

/** The time limit of a function, by its name. */
export const timeoutSecondsOf = (functionName: string): number =>
  workers.find(({ name }) => name === functionName)?.timeoutSeconds ?? endpointFunction.timeoutSeconds;

/** What a request's body may have at most, and its request line with the values of its headers; the limits of API Gateway. */
export const mostBodyBytes = 10 * 1024 * 1024;
export const mostHeadBytes = 10 * 1024;

const badRequest = refusals.invalid(
  'Bad Request',
  400,
  `A request line and headers have ${mostHeadBytes} bytes at most, and a query is UTF-8`,
);

/** What the gateway responds by itself, by API Gateway's name for it, in the words that the service uses for the same. */
export const gatewayRefusals = {
  // API Gateway's name for a path or method that it does not know.
  MISSING_AUTHENTICATION_TOKEN: refusals.notFound(),
  RESOURCE_NOT_FOUND: refusals.notFound(),
  // For an unknown method it takes the `Authorization` header for an AWS signature, and finds it invalid.
  INVALID_SIGNATURE: refusals.notFound(),
  EXPIRED_TOKEN: refusals.notFound(),
  UNAUTHORIZED: refusals.unauthorized(),
  ACCESS_DENIED: refusals.forbidden(),
  INVALID_API_KEY: refusals.forbidden(),
  WAF_FILTERED: refusals.forbidden(),
  THROTTLED: refusals.tooManyRequests(),
  QUOTA_EXCEEDED: refusals.tooManyRequests(),
  REQUEST_TOO_LARGE: refusals.invalid(`Request body must be at most ${mostBodyBytes} bytes`, 413),
  BAD_REQUEST_BODY: badRequest,
  BAD_REQUEST_PARAMETERS: badRequest,
  UNSUPPORTED_MEDIA_TYPE: badRequest,
  // Also what has no name of its own, such as a request line and headers that are too long.
  DEFAULT_4XX: badRequest,
  // AWS does not say which of these a function that is throttled, crashes or times out comes to, and it has changed
  // before: none of them is a 500 or a 504, and none promises that the function did nothing. A function's own 500
  // passes through as it is.
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

/** Those of the gateway in front of play pages, which has no authorizer and no keys; all else comes to its defaults. */
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

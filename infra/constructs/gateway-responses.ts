import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { errorAnswer } from '../../shared/api/error-answer.ts';
import { type Refusal, refusals } from '../../shared/refusals.ts';

const mostBytes = 10 * 1024 * 1024;
const badRequest = refusals.invalid('Bad Request', 400);

/** What the gateway responds by itself, in the words that the service uses for the same. */
const responses: [ResponseType, Refusal][] = [
  // API Gateway's name for a path or method that it does not know.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, refusals.notFound()],
  [ResponseType.RESOURCE_NOT_FOUND, refusals.notFound()],
  // For an unknown method it takes the `Authorization` header for an AWS signature, and finds it invalid.
  [ResponseType.INVALID_SIGNATURE, refusals.notFound()],
  [ResponseType.EXPIRED_TOKEN, refusals.notFound()],
  [ResponseType.UNAUTHORIZED, refusals.unauthorized()],
  [ResponseType.ACCESS_DENIED, refusals.forbidden()],
  [ResponseType.INVALID_API_KEY, refusals.forbidden()],
  [ResponseType.WAF_FILTERED, refusals.forbidden()],
  [ResponseType.THROTTLED, refusals.tooManyRequests()],
  [ResponseType.QUOTA_EXCEEDED, refusals.tooManyRequests()],
  [ResponseType.REQUEST_TOO_LARGE, refusals.invalid(`Request body must be at most ${mostBytes} bytes`, 413)],
  [ResponseType.BAD_REQUEST_BODY, badRequest],
  [ResponseType.BAD_REQUEST_PARAMETERS, badRequest],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, badRequest],
  [ResponseType.DEFAULT_4XX, badRequest],
  // AWS does not say which of these a function that is throttled, crashes or times out comes to, and it has changed
  // before: none of them is a 500 or a 504, and none promises that the function did nothing. A function's own 500
  // passes through as it is.
  [ResponseType.INTEGRATION_FAILURE, refusals.outcomeUnknown()],
  [ResponseType.INTEGRATION_TIMEOUT, refusals.outcomeUnknown()],
  [ResponseType.API_CONFIGURATION_ERROR, refusals.outcomeUnknown()],
  [ResponseType.DEFAULT_5XX, refusals.outcomeUnknown()],
  [ResponseType.AUTHORIZER_FAILURE, refusals.unavailable()],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, refusals.unavailable()],
];

/** Gives the gateway's own responses the service's error body, headers and statuses. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, refusal] of responses) {
    const { statusCode, headers, body } = errorAnswer(refusal, requestId);
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(statusCode),
      responseHeaders: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, mappingOf(value)]),
      ),
      templates: { 'application/json': body },
    });
  }
}

/** What API Gateway puts the id of the request in place of, in a template. */
const requestId = '$context.requestId';

/** A header's value as API Gateway wants it in a mapping: the name of what it knows, or a text in quotes. */
const mappingOf = (value: string) => (value === requestId ? value.slice(1) : `'${value}'`);

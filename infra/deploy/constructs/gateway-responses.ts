import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Refusal } from '../../../shared/refusals.ts';

type Answer = { statusCode: number; headers: Record<string, string>; body: string };

/**
 * Makes the gateway's own errors look like the service's refusals: status, headers and body from `answerOf`,
 * by API Gateway's name of the error.
 */
export function addGatewayResponses(
  api: RestApi,
  refusals: Record<string, Refusal>,
  answerOf: (refusal: Refusal, requestId: string) => Answer,
): void {
  for (const [name, refusal] of Object.entries(refusals)) {
    const { statusCode, headers, body } = answerOf(refusal, requestId);
    api.addGatewayResponse(name, {
      type: ResponseType.of(name),
      statusCode: String(statusCode),
      responseHeaders: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, mappingOf(value)]),
      ),
      // API Gateway uses this template whatever the client accepts; the header has the real content type.
      templates: { 'application/json': body },
    });
  }
}

/** API Gateway replaces this text in a template with the request id. */
const requestId = '$context.requestId';

/** Returns a header value in API Gateway's mapping syntax: a context variable, or a quoted text. */
const mappingOf = (value: string) => (value === requestId ? value.slice(1) : `'${value}'`);

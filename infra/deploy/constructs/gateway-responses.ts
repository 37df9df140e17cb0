import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Refusal } from '../../../shared/refusals.ts';

type Answer = { statusCode: number; headers: Record<string, string>; body: string };

/** Gives the gateway's own responses, by their names, the statuses, headers and bodies of refusals as `answerOf` has them. */
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
      // What API Gateway falls back to, whatever is asked for; the header says what it is.
      templates: { 'application/json': body },
    });
  }
}

/** What API Gateway puts the id of the request in place of, in a template. */
const requestId = '$context.requestId';

/** A header's value as API Gateway wants it in a mapping: the name of what it knows, or a text in quotes. */
const mappingOf = (value: string) => (value === requestId ? value.slice(1) : `'${value}'`);

import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { Refusal } from '../../../shared/refusals.ts';

type Answer = { statusCode: number; headers: Record<string, string>; body: string };

/** `refusals` maps API Gateway's error names to refusals. */
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
      // API Gateway uses this template for every `Accept` header, because there is no other. The response header
      // `content-type` overrides `application/json`.
      templates: { 'application/json': body },
    });
  }
}

const requestId = '$context.requestId';

const mappingOf = (value: string) => (value === requestId ? value.slice(1) : `'${value}'`);

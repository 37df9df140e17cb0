import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { errorAnswer } from '../../shared/api/error-answer.ts';
import { gatewayRefusals } from '../endpoints.ts';

/** Gives the gateway's own responses the service's error body, headers and statuses. */
export function addGatewayResponses(api: RestApi): void {
  for (const [name, refusal] of Object.entries(gatewayRefusals)) {
    const { statusCode, headers, body } = errorAnswer(refusal, requestId);
    api.addGatewayResponse(name, {
      type: ResponseType.of(name),
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

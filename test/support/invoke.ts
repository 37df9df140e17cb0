import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { routes } from '../../shared/api/routes.ts';

/** The name of an endpoint whose handler a test can call in its own process. */
export type EndpointName = keyof typeof routes;
/** The parts of a request that an endpoint's handler gets from the gateway and the authorizer. */
export type InvokeRequest = {
  organizationId: string;
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  now?: number;
};
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
export type Invoked = { status: number; headers: Record<string, unknown>; body: any };
type Handler = (event: unknown, context: Context) => Promise<APIGatewayProxyResult>;

/** Returns the event with which API Gateway calls an endpoint's handler. */
export function eventOf(name: EndpointName, request: InvokeRequest) {
  const { organizationId, path, query, body, headers, now } = request;
  const route = routes[name];
  return {
    httpMethod: route.method,
    resource: route.path,
    path: route.path,
    headers: { 'X-Organization-Id': organizationId, ...headers },
    pathParameters: path ?? null,
    queryStringParameters: query ?? null,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      authorizer: { principalId: 'key', organizationId, tokenSecret: 'secret' },
      requestId: randomUUID(),
      requestTimeEpoch: now ?? Date.now(),
      domainName: 'localhost',
      stage: 'local',
    },
  };
}

/** Calls an endpoint's handler in this process, so that a test can watch its DynamoDB calls and inject faults. */
export async function invoke(name: EndpointName, request: InvokeRequest): Promise<Invoked> {
  const [folder, file] = name.split('/');
  const { handler } = (await import(`../../functions/${folder}/${file}.ts`)) as { handler: Handler };
  const { statusCode, headers, body } = await handler(eventOf(name, request), {} as Context);
  const json = String(headers?.['content-type']).startsWith('application/json');
  return { status: statusCode, headers: headers ?? {}, body: json ? JSON.parse(body) : body };
}

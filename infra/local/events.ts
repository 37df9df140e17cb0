import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Route } from '../../shared/api/route.ts';

/** What a request asks for: its path as it was sent, and its query. */
export type Target = { pathname: string; search: string; searchParams: URLSearchParams };

/** A request as the gateway read it, and the endpoint that it is for. */
export type Incoming = {
  request: IncomingMessage;
  body: Buffer;
  url: Target;
  route: Route;
  pathParameters: Record<string, string>;
  requestId: string;
  now: number;
};

/** The event with which API Gateway invokes the Lambda function of an endpoint. */
export function proxyEvent(
  incoming: Incoming,
  authorizer: Record<string, unknown> | null,
): APIGatewayProxyEvent {
  const { request, body, route, url, pathParameters } = incoming;
  return {
    ...common(incoming),
    // As base64, since the API takes every type of body for binary.
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
    httpMethod: route.method,
    path: url.pathname,
    resource: route.path,
    pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : null,
    multiValueHeaders: Object.fromEntries(
      Object.entries(request.headersDistinct).map(([k, v]) => [k, v ?? []]),
    ),
    requestContext: requestContext(incoming, authorizer),
  } as APIGatewayProxyEvent;
}

/** The event with which API Gateway asks a request authorizer. */
export function authorizerEvent(incoming: Incoming): APIGatewayRequestAuthorizerEvent {
  const { route, url } = incoming;
  return {
    ...common(incoming),
    type: 'REQUEST',
    methodArn: `arn:aws:execute-api:local:000000000000:local/local/${route.method}${url.pathname}`,
    httpMethod: route.method,
    path: url.pathname,
    resource: route.path,
    requestContext: requestContext(incoming, null),
  } as unknown as APIGatewayRequestAuthorizerEvent;
}

function common({ request, url }: Incoming) {
  const query = [...new Set(url.searchParams.keys())];
  const last = Object.fromEntries(query.map((name) => [name, url.searchParams.getAll(name).at(-1) ?? '']));
  const all = Object.fromEntries(query.map((name) => [name, url.searchParams.getAll(name)]));
  return {
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    ),
    queryStringParameters: query.length > 0 ? last : null,
    multiValueQueryStringParameters: query.length > 0 ? all : null,
    stageVariables: null,
  };
}

function requestContext({ route, url, requestId, now, request }: Incoming, authorizer: unknown) {
  return {
    accountId: '000000000000',
    apiId: 'local',
    stage: 'local',
    protocol: 'HTTP/1.1',
    domainName: 'localhost',
    httpMethod: route.method,
    path: url.pathname,
    resourcePath: route.path,
    requestId,
    requestTimeEpoch: now,
    identity: { sourceIp: request.socket.remoteAddress, userAgent: request.headers['user-agent'] },
    authorizer,
  };
}

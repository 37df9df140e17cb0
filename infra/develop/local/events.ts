import type { APIGatewayProxyEvent, APIGatewayRequestAuthorizerEvent } from 'aws-lambda';
import type { Route } from '../../../shared/api/route.ts';
import { accountId } from './aws/arns.ts';

export type GatewayRequest = {
  method: string;
  target: string;
  headers: Record<string, string[]>;
  body: Buffer;
};

export type RequestTarget = { pathname: string; search: string; searchParams: URLSearchParams };

export type RoutedRequest = {
  request: GatewayRequest;
  url: RequestTarget;
  route: Route;
  pathParameters: Record<string, string>;
  requestId: string;
  now: number;
};

export function proxyEvent(
  incoming: RoutedRequest,
  authorizer: Record<string, unknown> | null,
): APIGatewayProxyEvent {
  const { request, pathParameters } = incoming;
  const { body } = request;
  return {
    ...common(incoming),
    // Encodes the body as base64, because the deployed API declares all content types as binary.
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
    pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : null,
    requestContext: requestContext(incoming, authorizer),
  } as APIGatewayProxyEvent;
}

export function authorizerEvent(incoming: RoutedRequest): APIGatewayRequestAuthorizerEvent {
  return {
    ...common(incoming),
    type: 'REQUEST',
    methodArn: methodArn(incoming),
    requestContext: requestContext(incoming, null),
  } as unknown as APIGatewayRequestAuthorizerEvent;
}

/** Returns the ARN of a request's method and path, which the authorizer's policy must allow. */
export const methodArn = ({ route, url }: RoutedRequest) =>
  `arn:aws:execute-api:local:${accountId}:local/local/${route.method}${url.pathname}`;

/** Fields of both events. The last of repeated headers or parameters counts. */
function common({ request, route, url }: RoutedRequest) {
  const query = Object.fromEntries(url.searchParams);
  return {
    httpMethod: request.method,
    path: url.pathname,
    resource: route.path,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, values]) => [name, values.at(-1)]),
    ),
    queryStringParameters: Object.keys(query).length > 0 ? query : null,
  };
}

const requestContext = ({ requestId, now: requestTimeEpoch }: RoutedRequest, authorizer: unknown) => ({
  stage: 'local',
  domainName: 'localhost',
  requestId,
  requestTimeEpoch,
  authorizer,
});

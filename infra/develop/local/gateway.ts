import type { APIGatewayAuthorizerResult, APIGatewayProxyResult } from 'aws-lambda';
import { errorAnswer } from '../../../shared/api/error-answer.ts';
import { failureAnswer } from '../../../shared/api/failure-page.ts';
import type { Route } from '../../../shared/api/route.ts';
import { Refusal } from '../../../shared/refusals.ts';
import {
  gatewayRefusals,
  gatewayTimeoutSeconds,
  maxBodyBytes,
  maxHeadBytes,
  playPath,
} from '../../deploy/endpoints.ts';
import { type Clock, withTimeout } from './aws/clock.ts';
import type { Invoke } from './aws/invoke-function.ts';
import {
  authorizerEvent,
  type GatewayRequest,
  methodArn,
  proxyEvent,
  type RequestTarget,
  type RoutedRequest,
} from './events.ts';
import { percentDecoded, routeFinder } from './find-route.ts';

export type Gateway = (request: GatewayRequest, requestId: string) => Promise<APIGatewayProxyResult>;

type Options = {
  routes: Route[];
  invoke: Invoke;
  clock: Clock;
  /** Factor for API Gateway's time limit, for busy machines. Defaults to 1. */
  timeoutFactor?: number;
  /** Seconds to cache an authorizer result, by `Authorization` header. Defaults to 0. */
  authorizerTtlSeconds?: number;
  /** Called if a function fails, but not if the authorizer refuses a key. */
  onFailure?: (functionName: string, error: unknown) => void;
};

export function createGateway(options: Options): Gateway {
  const { clock } = options;
  const find = routeFinder(options.routes);
  const authorize = createAuthorizer(options);

  async function serve(request: GatewayRequest, requestId: string): Promise<APIGatewayProxyResult> {
    const now = clock.now();
    const { method, target, body } = request;
    if (body.length > maxBodyBytes) throw gatewayRefusals.REQUEST_TOO_LARGE;
    if (headBytesOf(request) > maxHeadBytes) throw gatewayRefusals.DEFAULT_4XX;
    const url = targetOf(target);
    const match = url && find(method, url.pathname);
    if (!match) throw gatewayRefusals.MISSING_AUTHENTICATION_TOKEN;
    if (!isUtf8(url.search)) throw gatewayRefusals.DEFAULT_4XX;
    const incoming: RoutedRequest = { request, url, requestId, now, ...match };
    const authorizer = match.route.credential ? null : await authorize(incoming);
    return call(match.route.name, proxyEvent(incoming, authorizer), options);
  }
  return (request, requestId) =>
    serve(request, requestId).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      const isForPerson = playPagePath.test(targetOf(request.target)?.pathname ?? '');
      return isForPerson ? failureAnswer(error, requestId) : errorAnswer(error, requestId);
    });
}

const headBytesOf = ({ method, target, headers }: GatewayRequest): number =>
  Buffer.byteLength(`${method} ${target} HTTP/1.1${Object.values(headers).flat().join('')}`);

const playPagePath = new RegExp(`^/${playPath}(/|$)`);

async function call(name: string, event: object, options: Options) {
  const { invoke, clock, timeoutFactor = 1, onFailure } = options;
  const failed = gatewayRefusals.DEFAULT_5XX;
  try {
    const calling = invoke(name, event) as Promise<APIGatewayProxyResult>;
    const result = await withTimeout(clock, timeoutFactor * gatewayTimeoutSeconds * 1000, calling, failed);
    if (typeof result?.statusCode !== 'number') throw new Error(`${name} returned no response`);
    return result;
  } catch (error) {
    onFailure?.(name, error);
    throw failed;
  }
}

/** Returns a function that authorizes a request, by the cached result until it expires. */
function createAuthorizer({ invoke, clock, authorizerTtlSeconds = 0, onFailure }: Options) {
  const cache = new Map<string, { result: APIGatewayAuthorizerResult; expiresAt: number }>();

  async function authorizeKey(key: string, incoming: RoutedRequest): Promise<APIGatewayAuthorizerResult> {
    const cached = cache.get(key);
    if (cached && clock.now() < cached.expiresAt) return cached.result;
    try {
      const result = (await invoke('authorizer', authorizerEvent(incoming))) as APIGatewayAuthorizerResult;
      if (!result?.policyDocument) throw new Error('the authorizer returned no policy');
      const expiresAt = clock.now() + authorizerTtlSeconds * 1000;
      if (authorizerTtlSeconds > 0) cache.set(key, { result, expiresAt });
      return result;
    } catch (error) {
      if (error instanceof Error && error.message === 'Unauthorized') throw gatewayRefusals.UNAUTHORIZED;
      onFailure?.('authorizer', error);
      throw gatewayRefusals.AUTHORIZER_FAILURE;
    }
  }
  return async (incoming: RoutedRequest): Promise<Record<string, unknown>> => {
    const key = incoming.request.headers.authorization?.at(-1);
    if (!key) throw gatewayRefusals.UNAUTHORIZED;
    const result = await authorizeKey(key, incoming);
    if (!allows(result, methodArn(incoming))) throw gatewayRefusals.ACCESS_DENIED;
    return { principalId: result.principalId, ...result.context };
  };
}

/** Whether a policy allows an ARN. Supports `*` only at the end of a resource. */
function allows({ policyDocument }: APIGatewayAuthorizerResult, arn: string): boolean {
  const matches = (resource: string) =>
    resource.endsWith('*') ? arn.startsWith(resource.slice(0, -1)) : arn === resource;
  const statements = policyDocument.Statement as { Effect: string; Resource: string | string[] }[];
  return statements.some(({ Effect, Resource }) => Effect === 'Allow' && [Resource].flat().some(matches));
}

/** Keeps `..` and `%2e%2e` in the path, like API Gateway; the `URL` class resolves both. */
function targetOf(text: string): RequestTarget | undefined {
  const [, pathname, search = ''] = /^(?:https?:\/\/[^/?#]+)?(\/[^?]*)(\?.*)?$/i.exec(text) ?? [];
  return pathname === undefined ? undefined : { pathname, search, searchParams: new URLSearchParams(search) };
}

/**
 * Returns whether a query's percent-encoded bytes are UTF-8. A percent sign without two hex digits counts as
 * literal.
 */
function isUtf8(query: string): boolean {
  return percentDecoded(query.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')) !== undefined;
}

import type { APIGatewayAuthorizerResult, APIGatewayProxyResult } from 'aws-lambda';
import { errorAnswer } from '../../../shared/api/error-answer.ts';
import { failureAnswer } from '../../../shared/api/failure-page.ts';
import type { Route } from '../../../shared/api/route.ts';
import { Refusal } from '../../../shared/refusals.ts';
import {
  gatewayRefusals,
  gatewayTimeoutSeconds,
  mostBodyBytes,
  mostHeadBytes,
  playPath,
} from '../../deploy/endpoints.ts';
import { type Clock, within } from './aws/clock.ts';
import type { Invoke } from './aws/invoke-function.ts';
import {
  authorizerEvent,
  type GatewayRequest,
  type Incoming,
  methodArn,
  proxyEvent,
  type Target,
} from './events.ts';
import { decoded, routeFinder } from './find-route.ts';
import { createLimiter } from './limiter.ts';

/** Answers a request, which gets an id. */
export type Gateway = (request: GatewayRequest, requestId: string) => Promise<APIGatewayProxyResult>;

type Options = {
  routes: Route[];
  invoke: Invoke;
  clock: Clock;
  /** How long a function may take; as long as API Gateway waits by default. */
  timeoutSeconds?: number;
  /** For how long the authorizer's result for a value of `Authorization` is kept; 0 by default. */
  authorizerTtlSeconds?: number;
  /** Requests per second of a usage key, and how many at once above that; without it there is no limit. */
  limit?: { rate: number; burst: number };
  /** Told of a function that failed; the authorizer's refusal of a key is no failure. */
  failed?: (functionName: string, error: unknown) => void;
};

/**
 * The table of endpoints as API Gateway serves it at a domain: the authorizer first, then the endpoint's function. What is
 * below the path of play pages comes to a gateway of its own, which refuses with a page.
 */
export function createGateway(options: Options): Gateway {
  const { clock } = options;
  const find = routeFinder(options.routes);
  const authorize = createAuthorizer(options);

  async function serve(request: GatewayRequest, requestId: string): Promise<APIGatewayProxyResult> {
    const now = clock.now();
    const { method, target, body } = request;
    if (body.length > mostBodyBytes) throw gatewayRefusals.REQUEST_TOO_LARGE;
    if (headBytesOf(request) > mostHeadBytes) throw gatewayRefusals.DEFAULT_4XX;
    const url = targetOf(target);
    const found = url && find(method, url.pathname);
    if (!found) throw gatewayRefusals.MISSING_AUTHENTICATION_TOKEN;
    if (!isUtf8(url.search)) throw gatewayRefusals.BAD_REQUEST_PARAMETERS;
    const incoming: Incoming = { request, url, requestId, now, ...found };
    const authorizer = found.route.credential ? null : await authorize(incoming);
    return call(found.route.name, proxyEvent(incoming, authorizer), options);
  }
  return (request, requestId) =>
    serve(request, requestId).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      const isForPerson = ofPlayPages.test(targetOf(request.target)?.pathname ?? '');
      return isForPerson ? failureAnswer(error, requestId) : errorAnswer(error, requestId);
    });
}

const headBytesOf = ({ method, target, headers }: GatewayRequest): number =>
  Buffer.byteLength(`${method} ${target} HTTP/1.1${Object.values(headers).flat().join('')}`);

const ofPlayPages = new RegExp(`^/${playPath}(/|$)`);

async function call(name: string, event: object, options: Options) {
  const { invoke, clock, timeoutSeconds = gatewayTimeoutSeconds, failed } = options;
  const late = gatewayRefusals.INTEGRATION_TIMEOUT;
  try {
    const calling = invoke(name, event) as Promise<APIGatewayProxyResult>;
    const result = await within(clock, timeoutSeconds * 1000, calling, late);
    if (typeof result?.statusCode !== 'number') throw new Error(`${name} returned no response`);
    return result;
  } catch (error) {
    failed?.(name, error);
    throw error === late ? late : gatewayRefusals.INTEGRATION_FAILURE;
  }
}

/** Asks the authorizer whose a key is, unless it has said so a short while ago. */
function createAuthorizer({ invoke, clock, authorizerTtlSeconds = 0, limit, failed }: Options) {
  const limiter = limit && createLimiter(limit, clock);
  const kept = new Map<string, { result: APIGatewayAuthorizerResult; until: number }>();

  async function ask(key: string, incoming: Incoming): Promise<APIGatewayAuthorizerResult> {
    const known = kept.get(key);
    if (known && clock.now() < known.until) return known.result;
    try {
      const result = (await invoke('authorizer', authorizerEvent(incoming))) as APIGatewayAuthorizerResult;
      if (!result?.policyDocument) throw new Error('the authorizer returned no policy');
      const until = clock.now() + authorizerTtlSeconds * 1000;
      if (authorizerTtlSeconds > 0) kept.set(key, { result, until });
      return result;
    } catch (error) {
      if (error instanceof Error && error.message === 'Unauthorized') throw gatewayRefusals.UNAUTHORIZED;
      failed?.('authorizer', error);
      throw gatewayRefusals.AUTHORIZER_FAILURE;
    }
  }
  return async (incoming: Incoming): Promise<Record<string, unknown>> => {
    const key = incoming.request.headers.authorization?.at(-1);
    if (!key) throw gatewayRefusals.UNAUTHORIZED;
    const result = await ask(key, incoming);
    if (!allows(result, methodArn(incoming))) throw gatewayRefusals.ACCESS_DENIED;
    if (limiter && !limiter.takes(result.usageIdentifierKey ?? '')) throw gatewayRefusals.THROTTLED;
    return { principalId: result.principalId, ...result.context };
  };
}

/** Whether a policy, which may be that of an earlier request, allows a method; a star stands at an end at most. */
function allows({ policyDocument }: APIGatewayAuthorizerResult, arn: string): boolean {
  const matches = (resource: string) =>
    resource.endsWith('*') ? arn.startsWith(resource.slice(0, -1)) : arn === resource;
  const statements = policyDocument.Statement as { Effect: string; Resource: string | string[] }[];
  return statements.some(({ Effect, Resource }) => Effect === 'Allow' && [Resource].flat().some(matches));
}

/**
 * The path and query of a request's target, `/path?query` or `http://host/path?query`. The path is matched as it was
 * sent, as API Gateway does: `URL` would resolve `..` and `%2e%2e`, and so reach another route.
 */
function targetOf(text: string): Target | undefined {
  const [, pathname, search = ''] = /^(?:https?:\/\/[^/?#]+)?(\/[^?]*)(\?.*)?$/i.exec(text) ?? [];
  return pathname === undefined ? undefined : { pathname, search, searchParams: new URLSearchParams(search) };
}

/** Whether the bytes that a query spells in percent are UTF-8; a percent sign that spells none is itself. */
function isUtf8(query: string): boolean {
  return decoded(query.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')) !== undefined;
}

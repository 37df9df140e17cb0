import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayAuthorizerResult, APIGatewayProxyResult } from 'aws-lambda';
import { errorAnswer, jsonHeaders } from '../../shared/api/error-answer.ts';
import type { Route } from '../../shared/api/route.ts';
import { Refusal, refusals } from '../../shared/refusals.ts';
import type { Invoke } from './aws/invoke-function.ts';
import { authorizerEvent, type Incoming, proxyEvent, type Target } from './events.ts';
import { isForOwnHost } from './own-host.ts';

/** What the request log says of one request. */
export type Logged = {
  method: string;
  path: string;
  status: number;
  ms: number;
  message?: string | undefined;
};

type Gateway = {
  routes: Route[];
  invoke: Invoke;
  now: () => number;
  logged: (entry: Logged) => void;
  /** Handles requests that match no endpoint, such as those of the local stage itself; undefined if it has none either. */
  extra?: (request: IncomingMessage, url: Target, body: Buffer) => Promise<unknown>;
};

const mostBytes = 10 * 1024 * 1024;

/** Serves the table of endpoints over HTTP as API Gateway does: authorizer first, then the endpoint's function. */
export function createGateway(gateway: Gateway): Server {
  const find = matcher(gateway.routes);
  return createServer(async (request, response) => {
    const started = performance.now();
    const requestId = randomUUID();
    const result = await answer(gateway, find, request, requestId).catch((error: unknown) => {
      if (!(error instanceof Refusal)) console.error(error);
      return errorAnswer(error instanceof Refusal ? error : refusals.internal(), requestId);
    });
    send(response, result);
    const { status, path } = { status: result.statusCode, path: (request.url ?? '').split('?')[0] ?? '' };
    const ms = performance.now() - started;
    gateway.logged({
      method: request.method ?? '',
      path: masked(path),
      status,
      ms,
      message: messageOf(result),
    });
  });
}

async function answer(
  { invoke, now, extra }: Gateway,
  find: ReturnType<typeof matcher>,
  request: IncomingMessage,
  requestId: string,
): Promise<APIGatewayProxyResult> {
  const url = targetOf(request.url ?? '/');
  const body = await bodyOf(request);
  if (!isForOwnHost(request)) throw refusals.forbidden();
  const found = find(request.method ?? '', url.pathname);
  if (!found) {
    const other = await extra?.(request, url, body);
    if (other === undefined) throw refusals.notFound();
    return { statusCode: 200, headers: jsonHeaders, body: JSON.stringify(other) };
  }
  if (!isUtf8(url.search)) throw refusals.invalid('Bad Request', 400);
  const incoming: Incoming = { request, body, url, requestId, now: now(), ...found };
  const authorizer = found.route.credential ? null : await authorize(invoke, incoming);
  return (await invoke(found.route.name, proxyEvent(incoming, authorizer))) as APIGatewayProxyResult;
}

/**
 * The path and query of a request's target, `/path?query` or `http://host/path?query`. The path is matched as it was
 * sent, as API Gateway does: `URL` would resolve `..` and `%2e%2e`, and so reach another route.
 */
function targetOf(text: string): Target {
  const [, pathname, search = ''] = /^(?:https?:\/\/[^/?#]+)?(\/[^?]*)(\?.*)?$/i.exec(text) ?? [];
  if (pathname === undefined) throw refusals.notFound();
  return { pathname, search, searchParams: new URLSearchParams(search) };
}

async function authorize(invoke: Invoke, incoming: Incoming): Promise<Record<string, unknown>> {
  if (!incoming.request.headers.authorization) throw refusals.unauthorized();
  try {
    const result = (await invoke('authorizer', authorizerEvent(incoming))) as APIGatewayAuthorizerResult;
    return { principalId: result.principalId, ...result.context };
  } catch (error) {
    // What went wrong otherwise the authorizer has logged; the caller may come again.
    const unauthorized = error instanceof Error && error.message === 'Unauthorized';
    throw unauthorized ? refusals.unauthorized() : refusals.unavailable();
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    // Read to the end all the same: a client that is still sending would not see the answer.
    if (length <= mostBytes) chunks.push(chunk);
  }
  if (length > mostBytes) throw refusals.invalid(`Request body must be at most ${mostBytes} bytes`, 413);
  return Buffer.concat(chunks);
}

/** Finds the endpoint for a method and path; a literal segment wins over a parameter, a trailing slash is nothing. */
function matcher(routes: Route[]) {
  const known = routes
    .map((route) => ({ route, segments: route.path.split('/').slice(1) }))
    .sort((a, b) => shape(a.segments).localeCompare(shape(b.segments)));
  return (method: string, pathname: string) => {
    const given = pathname.replace(/\/$/, '').split('/').slice(1).map(decoded);
    if (given.includes(undefined)) return undefined;
    for (const { route, segments } of known) {
      if (route.method !== method || segments.length !== given.length) continue;
      const parameters = parametersOf(segments, given as string[]);
      if (parameters) return { route, pathParameters: parameters };
    }
    return undefined;
  };
}

const shape = (segments: string[]) =>
  segments.map((segment) => (segment.startsWith('{') ? '~' : segment)).join('/');

function parametersOf(segments: string[], given: string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith('{') && value) parameters[segment.slice(1, -1)] = value;
    else if (segment !== value) return undefined;
  }
  return parameters;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Whether the bytes that a query spells in percent are UTF-8; a percent sign that spells none is itself. */
function isUtf8(query: string): boolean {
  return decoded(query.replaceAll(/%(?![0-9a-f]{2})/gi, '%25')) !== undefined;
}

function send(
  response: ServerResponse,
  { statusCode, headers, body, isBase64Encoded }: APIGatewayProxyResult,
) {
  response.writeHead(statusCode, headers as Record<string, string>);
  response.end(Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'));
}

/** A play URL's token is a credential, and stays out of the log, whatever way the path is spelled. */
function masked(path: string): string {
  const segments = path.split('/');
  const play = segments.findIndex((segment) => decoded(segment)?.toLowerCase() === 'play');
  const after = segments.slice(play + 1);
  if (play === -1 || after.every((segment) => segment === '')) return path;
  return [...segments.slice(0, play + 1), '…', ...(after.at(-1) === 'spin' ? ['spin'] : [])].join('/');
}

function messageOf({ statusCode, body }: APIGatewayProxyResult): string | undefined {
  if (statusCode < 400) return undefined;
  try {
    return String(JSON.parse(body).message);
  } catch {
    return undefined;
  }
}

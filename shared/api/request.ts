import type { APIGatewayProxyEvent } from 'aws-lambda';
import { optionalVariable } from '../environment.ts';
import { refusals } from '../refusals.ts';
import { type PageTokens, pageTokens } from './page-tokens.ts';
import { changesData, type Route, type RouteInput } from './route.ts';
import { maxBodyBytes } from './schemas.ts';
import { validate, withNumbersParsed } from './validate.ts';

export type EndpointRequest<R extends Route> = RouteInput<R> &
  OfOrganization<R> &
  OfVerbatimBody<R> & {
    /** Time at which the request reached API Gateway, in epoch milliseconds. */
    now: number;
    suspended: boolean;
    /** Public base URL of the API, without a trailing slash. */
    baseUrl: string;
    /** Public base URL of play URLs, without a trailing slash. */
    playBaseUrl: string;
  };

type OfOrganization<R extends Route> = R extends { credential: string }
  ? unknown
  : PageTokens & { organizationId: string; keyId: string; tokenSecret: string };

/** `bodyText` is the unparsed body, or undefined if it is larger than 64 KiB or not UTF-8. */
type OfVerbatimBody<R extends Route> = R extends { verbatimBody: true }
  ? { bodyText: string | undefined }
  : unknown;

/** Throws `unauthorized`, `forbidden`, `organization_suspended`, or a refusal of invalid input. */
export function parseRequest<R extends Route>(
  route: R,
  schemas: ReturnType<R['schemas']>,
  event: APIGatewayProxyEvent,
): EndpointRequest<R> {
  const organizationId = route.credential ? undefined : organizationOf(event);
  const input = inputOf(route, schemas, event);
  const baseUrl = baseUrlOf(event);
  const suspended = changesData(route) && isSuspended(event);
  if (suspended && !hasIdInPath(route)) throw refusals.onHold('organization_suspended');
  return {
    ...input,
    ...(organizationId && {
      organizationId,
      ...ofKey(route, organizationId, input, event),
    }),
    ...(route.verbatimBody ? { bodyText: bodyTextOf(event) } : {}),
    suspended,
    now: event.requestContext.requestTimeEpoch,
    baseUrl,
    playBaseUrl: optionalVariable('PLAY_URL') ?? baseUrl,
    // TypeScript cannot infer from the route which fields are present.
  } as EndpointRequest<R>;
}

function ofKey(
  route: Route,
  organizationId: string,
  { path, query }: ReturnType<typeof inputOf>,
  event: APIGatewayProxyEvent,
): PageTokens & { keyId: string; tokenSecret: string } {
  const tokenSecret = passedOn(event, 'tokenSecret');
  return {
    keyId: passedOn(event, 'principalId'),
    tokenSecret,
    ...pageTokens(tokenSecret, { organizationId, route: route.name, path, query }),
  };
}

function passedOn({ requestContext }: APIGatewayProxyEvent, name: 'principalId' | 'tokenSecret'): string {
  const value: unknown = requestContext.authorizer?.[name];
  if (typeof value !== 'string' || value === '') throw new Error(`the authorizer passed on no ${name}`);
  return value;
}

/** `name` is in lower case; the header can be sent in any case. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const found = Object.keys(event.headers ?? {}).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : event.headers[found];
}

export const requestIdOf = (event: APIGatewayProxyEvent) => event.requestContext?.requestId ?? '';

/** Returns the API key's organization. Throws unless the header `X-Organization-Id` names it too. */
function organizationOf(event: APIGatewayProxyEvent): string {
  const { organizationId }: Record<string, unknown> = event.requestContext.authorizer ?? {};
  if (typeof organizationId !== 'string' || !organizationId) throw refusals.unauthorized();
  const named = headerOf(event, 'x-organization-id');
  if (!named) throw refusals.forbidden('X-Organization-Id is missing');
  if (named !== organizationId) throw refusals.forbidden();
  return organizationId;
}

const hasIdInPath = ({ path }: Route): boolean => path.includes('{');

const isSuspended = ({ requestContext }: APIGatewayProxyEvent): boolean =>
  String(requestContext.authorizer?.suspended) === 'true';

function inputOf(route: Route, schemas: ReturnType<Route['schemas']>, event: APIGatewayProxyEvent) {
  const { path, query, body } = schemas;
  const bodyFields = body || route.queryFromBody ? bodyOf(event) : {};
  const queryFields = {
    ...(route.queryFromBody ? bodyFields : {}),
    ...(event.queryStringParameters ?? {}),
  };
  return {
    path: path ? validate(path, event.pathParameters ?? {}) : {},
    query: query ? validate(query, withNumbersParsed(query, queryFields)) : {},
    body: body ? validate(body, bodyFields) : {},
  };
}

const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent) =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

const notAnObject = 'Request body must be a JSON object';

function bodyOf(event: APIGatewayProxyEvent): Record<string, unknown> {
  const bytes = bytesOf(event);
  if (bytes.length > maxBodyBytes) {
    throw refusals.invalid(`Request body must be at most ${maxBodyBytes} bytes`, 400);
  }
  const text = textOf(bytes)?.trim();
  if (text === undefined) throw refusals.invalid(notAnObject, 400, 'Request body is not UTF-8');
  if (text === '') return {};
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusals.invalid(notAnObject, 400);
  }
  return value as Record<string, unknown>;
}

function bodyTextOf(event: APIGatewayProxyEvent): string | undefined {
  const bytes = bytesOf(event);
  return bytes.length > maxBodyBytes ? undefined : textOf(bytes);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8. Returns undefined for invalid bytes, because replacing them could make two idempotency keys equal. */
function textOf(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function baseUrlOf(event: APIGatewayProxyEvent): string {
  const configured = optionalVariable('PUBLIC_URL');
  if (configured) return configured.replace(/\/+$/, '');
  const { domainName, stage } = event.requestContext;
  if (!domainName || !stage) throw new Error('the request names neither the domain nor the stage of the API');
  return `https://${domainName}/${stage}`;
}

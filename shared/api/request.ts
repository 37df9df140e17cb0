import type { APIGatewayProxyEvent } from 'aws-lambda';
import { optionalVariable } from '../environment.ts';
import { refusals } from '../refusals.ts';
import { type PageTokens, pageTokens } from './page-tokens.ts';
import { changes, type Input, type Route } from './route.ts';
import { maxBodyBytes } from './schemas.ts';
import { numbersIn, validate } from './validate.ts';

/**
 * A parsed request: the inputs that the route's schemas declare, and fields that depend on the kind of route.
 */
export type Request<R extends Route> = Input<R> &
  OfOrganization<R> &
  OfVerbatimBody<R> & {
    /** When the request reached the gateway, in epoch milliseconds. */
    now: number;
    /** Public address of the API, without a trailing slash. */
    baseUrl: string;
    /** Public address of play pages, without a trailing slash. */
    playBaseUrl: string;
  };

/** The organization of the API key; absent for routes without an API key. */
type OfOrganization<R extends Route> = R extends { credential: string }
  ? unknown
  : PageTokens & { organizationId: string };

/** The text of the body, for routes with `verbatimBody`; undefined if it exceeds 64 KiB or is not UTF-8. */
type OfVerbatimBody<R extends Route> = R extends { verbatimBody: true }
  ? { bodyText: string | undefined }
  : unknown;

/**
 * Parses the event of an endpoint's Lambda function. Throws `unauthorized` without an organization from the
 * authorizer, and `forbidden` if the caller named another one. Throws the refusals of the route's schemas,
 * and `organization_suspended` for changes by a suspended organization.
 */
export function requestOf<R extends Route>(
  route: R,
  schemas: ReturnType<R['schemas']>,
  event: APIGatewayProxyEvent,
): Request<R> {
  const organizationId = route.credential ? undefined : organizationOf(event);
  const input = inputOf(route, schemas, event);
  const baseUrl = baseUrlOf(event);
  if (changes(route) && isSuspended(event)) throw refusals.onHold('organization_suspended');
  return {
    ...input,
    ...(organizationId && {
      organizationId,
      ...tokensOf(route, organizationId, input, event),
    }),
    ...(route.verbatimBody ? { bodyText: bodyTextOf(event) } : {}),
    now: event.requestContext.requestTimeEpoch,
    baseUrl,
    playBaseUrl: optionalVariable('PLAY_URL') ?? baseUrl,
    // The compiler cannot derive the fields from the route's type.
  } as Request<R>;
}

/**
 * Returns the page tokens of a request. The secret that signs them is stored with the API key, and passed on
 * by the authorizer.
 */
function tokensOf(
  route: Route,
  organizationId: string,
  { path, query }: ReturnType<typeof inputOf>,
  event: APIGatewayProxyEvent,
): PageTokens {
  const secret: unknown = event.requestContext.authorizer?.tokenSecret;
  if (typeof secret !== 'string' || secret === '')
    throw new Error('the authorizer passed on no secret for page tokens');
  return pageTokens(secret, { organizationId, route: route.name, path, query });
}

/** Returns the value of a header, given its name in lower case. The request may spell it in any case. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const found = Object.keys(event.headers ?? {}).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : event.headers[found];
}

/**
 * Returns the organization that the authorizer found. Throws unless the caller named the same organization.
 */
function organizationOf(event: APIGatewayProxyEvent): string {
  const organizationId: unknown = event.requestContext.authorizer?.organizationId;
  if (typeof organizationId !== 'string' || !organizationId) throw refusals.unauthorized();
  const named = headerOf(event, 'x-organization-id');
  if (!named) throw refusals.forbidden('X-Organization-Id is missing');
  if (named !== organizationId) throw refusals.forbidden();
  return organizationId;
}

/** Whether the API key's organization is suspended. API Gateway turns the authorizer's booleans into text. */
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
    query: query ? validate(query, numbersIn(query, queryFields)) : {},
    body: body ? validate(body, bodyFields) : {},
  };
}

/** Returns the bytes of a body, which API Gateway passes on as base64 or as text. */
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

/**
 * Decodes UTF-8; returns undefined for other bytes. A lenient decoder could make two idempotency keys equal.
 */
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

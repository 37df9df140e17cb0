import type { APIGatewayProxyEvent } from 'aws-lambda';
import { optionalVariable } from '../environment.ts';
import { refusals } from '../refusals.ts';
import { type PageTokens, pageTokens } from './page-tokens.ts';
import { changes, type Input, type Route } from './route.ts';
import { maxBodyBytes } from './schemas.ts';
import { numbersIn, validate } from './validate.ts';

/** The parsed input of an endpoint's function, with what its route asks for. */
export type Request<R extends Route> = Input<R> &
  OfOrganization<R> &
  OfVerbatimBody<R> & {
    /** When the request reached the gateway, in epoch milliseconds. */
    now: number;
    /** Address of the API as the caller sees it, without a trailing slash. */
    baseUrl: string;
    /** Address of play pages as players see it, without a trailing slash. */
    playBaseUrl: string;
  };

/** The API key's organization; absent for routes without an API key. */
type OfOrganization<R extends Route> = R extends { credential: string }
  ? unknown
  : PageTokens & { organizationId: string };

/** The body's text, if the route asks for it; undefined if it is over 64 KiB or not UTF-8. */
type OfVerbatimBody<R extends Route> = R extends { verbatimBody: true }
  ? { bodyText: string | undefined }
  : unknown;

/**
 * Parses the event of an endpoint's Lambda function. Throws 401 or 403 unless the caller named the organization that the
 * authorizer found, the refusals of the route's schemas, and `organization_suspended` for changes of a suspended
 * organization.
 */
export function requestOf<R extends Route>(
  route: R,
  schemas: ReturnType<R['schemas']>,
  event: APIGatewayProxyEvent,
): Request<R> {
  // The compiler cannot follow how these types depend on the route.
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
  } as Request<R>;
}

/** The page tokens of a request, signed with the organization's secret, which the authorizer has from the API key. */
function tokensOf(
  route: Route,
  organizationId: string,
  { path, query }: ReturnType<typeof inputOf>,
  event: APIGatewayProxyEvent,
): PageTokens {
  const secret: unknown = event.requestContext.authorizer?.tokenSecret;
  if (typeof secret !== 'string' || secret === '')
    throw new Error('the authorizer gave no secret for page tokens');
  return pageTokens(secret, { organizationId, route: route.name, path, query });
}

/** Returns a header's value; its name may be in any case. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const found = Object.keys(event.headers ?? {}).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : event.headers[found];
}

/** Returns the authorizer's organization. Throws unless the caller named the same one. */
function organizationOf(event: APIGatewayProxyEvent): string {
  const organizationId: unknown = event.requestContext.authorizer?.organizationId;
  if (typeof organizationId !== 'string' || !organizationId) throw refusals.unauthorized();
  const named = headerOf(event, 'x-organization-id');
  if (!named) throw refusals.forbidden('X-Organization-Id is missing');
  if (named !== organizationId) throw refusals.forbidden();
  return organizationId;
}

/** Whether the API key says that its organization is suspended. The gateway passes values on as text. */
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

/** API Gateway passes a body as base64 or as text. */
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

/** Returns undefined for bytes that are not UTF-8: a lenient decoder would turn different keys into the same text. */
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

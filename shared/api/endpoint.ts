import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { optionalVariable } from '../environment.ts';
import { log } from '../log.ts';
import { Refusal, refusals } from '../refusals.ts';
import { refusalOfFault } from '../retry.ts';
import { pack } from './pack.ts';
import type { Input, Output, Route } from './route.ts';
import { maxBodyBytes } from './schemas.ts';
import { numbersIn, validate } from './validate.ts';

/** What an endpoint's function gets: parsed input, the organization, and the time of the request. */
export type Request<R extends Route> = Input<R> & {
  organizationId: string;
  /** When the request reached the gateway, in epoch milliseconds. */
  now: number;
  /** Where the route wants it verbatim, the body as it was sent, up to 64 KiB; larger ones are empty here. */
  bodyText: string;
  /** Address of the API as the caller sees it, without a slash at its end. */
  baseUrl: string;
};

type Answer = {
  fields: Record<string, unknown>;
  headers: Record<string, string>;
};
/** What an endpoint's function answers; made by `reply()`. */
export type Reply<R extends Route> = Answer & { fields: Output<R> };

/** The success answer of an endpoint: its fields, and whether it repeats an earlier answer. */
export function reply<F extends Record<string, unknown>>(
  fields: F,
  { replayed = false, headers = {} }: { replayed?: boolean; headers?: Record<string, string> } = {},
): { fields: F; headers: Record<string, string> } {
  return {
    fields,
    headers: replayed ? { ...headers, 'idempotent-replayed': 'true' } : headers,
  };
}

const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
};

/**
 * Makes a Lambda handler of an endpoint's route and function. It checks the organization, parses the input,
 * runs the function, parses its answer, so that nothing undeclared leaks, and turns what is thrown into the
 * error body: a Refusal as it is, all else into a logged 500.
 */
export function endpoint<const R extends Route>(
  route: R,
  run: (request: Request<R>) => Promise<{ fields: Output<R>; headers: Record<string, string> }>,
) {
  const schemas = schemasOf(route);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .onError(({ error, event, context }) => errorResponse(route.name, error, event, context))
    .handler(async (event) => {
      const { fields, headers } = await run(requestOf(route, schemas(), event));
      const body = JSON.stringify({ status: 'success', ...schemas().reply.parse(fields) });
      const packed = route.compressed ? pack(body, headerOf(event, 'accept-encoding')) : { body };
      return {
        ...packed,
        statusCode: 200,
        headers: { ...jsonHeaders, ...requestIdOf(event), ...packed.headers, ...headers },
      };
    });
}

/** A page as a function answers it: the whole HTML, and all headers that it needs. */
export type Page = { status: number; html: string; headers: Record<string, string> };

/**
 * Makes a Lambda handler of a page's route and function. What is thrown becomes a line of plain text, since a
 * person reads it: a Refusal as it is, all else a logged 500.
 */
export function page<const R extends Route>(
  route: R,
  run: (request: Request<R> & { acceptLanguage: string }) => Promise<Page>,
) {
  const schemas = schemasOf(route);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>()
    .onError(({ error, event, context }) => plainResponse(route.name, error, event, context))
    .handler(async (event) => {
      const acceptLanguage = headerOf(event, 'accept-language') ?? '';
      const { status, html, headers } = await run({ ...requestOf(route, schemas(), event), acceptLanguage });
      return { statusCode: status, headers: { ...requestIdOf(event), ...headers }, body: html };
    });
}

/** The schemas of a route, built when they are first needed. */
function schemasOf<R extends Route>(route: R): () => ReturnType<R['schemas']> {
  let schemas: ReturnType<R['schemas']> | undefined;
  return () => {
    schemas ??= route.schemas() as ReturnType<R['schemas']>;
    return schemas;
  };
}

function requestOf<R extends Route>(
  route: R,
  schemas: ReturnType<R['schemas']>,
  event: APIGatewayProxyEvent,
): Request<R> {
  const organizationId = route.credential === 'play-token' ? '' : organizationOf(event);
  return {
    ...(inputOf(route, schemas, event) as Input<R>),
    organizationId,
    bodyText: route.verbatimBody ? bodyTextOf(event) : '',
    now: event.requestContext.requestTimeEpoch,
    baseUrl: baseUrlOf(event),
  };
}

/** The organization that the authorizer found, if the caller named the same one. */
function organizationOf(event: APIGatewayProxyEvent): string {
  const organizationId: unknown = event.requestContext.authorizer?.organizationId;
  if (typeof organizationId !== 'string' || !organizationId) throw refusals.unauthorized();
  if (headerOf(event, 'x-organization-id') !== organizationId) throw refusals.forbidden();
  return organizationId;
}

/** A header's value, whatever the case of its name. */
export function headerOf(event: APIGatewayProxyEvent, name: string): string | undefined {
  const found = Object.keys(event.headers ?? {}).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : event.headers[found];
}

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

/** API Gateway hands a body on as base64 or as text. */
const bytesOf = ({ body, isBase64Encoded }: APIGatewayProxyEvent) =>
  Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');

function bodyOf(event: APIGatewayProxyEvent): Record<string, unknown> {
  const bytes = bytesOf(event);
  if (bytes.length > maxBodyBytes) {
    throw refusals.invalid(`Request body must be at most ${maxBodyBytes} bytes`, 400);
  }
  const text = bytes.toString('utf8').trim();
  if (text === '') return {};
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusals.invalid('Request body must be a JSON object', 400);
  }
  return value as Record<string, unknown>;
}

function bodyTextOf(event: APIGatewayProxyEvent): string {
  const bytes = bytesOf(event);
  return bytes.length > maxBodyBytes ? '' : bytes.toString('utf8');
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
  return `https://${domainName}/${stage}`;
}

const requestIdOf = (event: APIGatewayProxyEvent) => ({
  'x-request-id': event.requestContext.requestId,
});

function errorResponse(routeName: string, error: unknown, event: APIGatewayProxyEvent, context: Context) {
  const { status, code, message, headers } = refusalFor(routeName, error, event, context);
  const requestId = event.requestContext?.requestId ?? '';
  return {
    statusCode: status,
    headers: { ...jsonHeaders, 'x-request-id': requestId, ...headers },
    body: JSON.stringify({
      status: 'error',
      message,
      code,
      request_id: requestId,
    }),
  };
}

function plainResponse(routeName: string, error: unknown, event: APIGatewayProxyEvent, context: Context) {
  const { status, message, headers } = refusalFor(routeName, error, event, context);
  return {
    statusCode: status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': event.requestContext?.requestId ?? '',
      ...headers,
    },
    body: message,
  };
}

/** What the caller is told of an error; one that is no mistake of the caller is logged, with what is behind it. */
function refusalFor(routeName: string, error: unknown, event: APIGatewayProxyEvent, context: Context) {
  const known = error instanceof Refusal ? error : refusalOfFault(error);
  if (!known || known.status === 429 || known.status >= 500) {
    log.failure(routeName, known ?? error, {
      request_id: event.requestContext?.requestId,
      ...lambdaOf(context),
    });
  }
  return known ?? refusals.internal();
}

const lambdaOf = (context: Context) => ({
  lambda_request_id: context?.awsRequestId,
});

import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { log } from '../log.ts';
import { Refusal, refusals } from '../refusals.ts';
import { refusalOfFault } from '../retry.ts';
import { commonHeaders, errorAnswer, jsonHeaders } from './error-answer.ts';
import { pack, packReport } from './pack.ts';
import { headerOf, type Request, requestOf } from './request.ts';
import type { Output, Route } from './route.ts';

/**
 * Returns a success answer. `replayed` adds the header that marks the repeated answer of an earlier request.
 */
export function reply<F extends Record<string, unknown>>(
  fields: F,
  { replayed = false, headers = {} }: { replayed?: boolean; headers?: Record<string, string> } = {},
): { fields: F; headers: Record<string, string> } {
  return {
    fields,
    headers: replayed ? { ...headers, 'idempotent-replayed': 'true' } : headers,
  };
}

/**
 * Returns the Lambda handler of an endpoint. The handler checks the organization, parses the input, calls
 * `run`, and parses the answer, so that no undeclared field leaks. A thrown Refusal becomes an error answer,
 * and any other error a logged 500.
 */
export function endpoint<const R extends Route>(
  route: R,
  run: (request: Request<R>) => Promise<{ fields: Output<R>; headers: Record<string, string> }>,
) {
  const schemas = schemasOf(route);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(outOfTime)
    .onError(({ error, event, context }) =>
      errorAnswer(refusalFor(route.name, error, event, context), requestIdOf(event)),
    )
    .handler(async (event) => {
      const { fields, headers } = await run(requestOf(route, schemas(), event));
      const body = JSON.stringify({ status: 'success', ...schemas().reply.parse(fields) });
      const packed = route.compressed
        ? packReport(body, headerOf(event, 'accept-encoding'))
        : { body, headers: {} };
      return {
        ...packed,
        statusCode: 200,
        headers: { ...jsonHeaders, 'x-request-id': requestIdOf(event), ...packed.headers, ...headers },
      };
    });
}

/** The answer of a page's function: an HTML page, or a file of the type that `headers` declares. */
export type HtmlAnswer = { status: number; html: string; headers: Record<string, string> };

/**
 * Returns the Lambda handler of a page, which compresses the page if the browser accepts it. A thrown error
 * becomes the page that `failed` returns, with the status of the Refusal or a logged 500.
 */
export function page<const R extends Route>(
  route: R,
  run: (request: Request<R> & { acceptLanguage: string }) => Promise<HtmlAnswer>,
  failed: (acceptLanguage: string) => Omit<HtmlAnswer, 'status'>,
) {
  const schemas = schemasOf(route);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(outOfTime)
    .onError(({ error, event, context }) => {
      const { status, headers: ofRefusal } = refusalFor(route.name, error, event, context);
      const { html, headers } = failed(acceptLanguageOf(event));
      return {
        statusCode: status,
        headers: { ...commonHeaders, 'x-request-id': requestIdOf(event), ...headers, ...ofRefusal },
        body: html,
      };
    })
    .handler(async (event) => {
      const acceptLanguage = acceptLanguageOf(event);
      const { status, html, headers } = await run({ ...requestOf(route, schemas(), event), acceptLanguage });
      const packed = pack(html, headerOf(event, 'accept-encoding'));
      return {
        ...packed,
        statusCode: status,
        headers: { ...commonHeaders, 'x-request-id': requestIdOf(event), ...packed.headers, ...headers },
      };
    });
}

/** Answers `outcome_unknown` shortly before Lambda's timeout, because writes may still be under way. */
const outOfTime = {
  timeoutEarlyResponse() {
    throw refusals.outcomeUnknown();
  },
};

/** Returns a function that builds a route's schemas at its first call. */
function schemasOf<R extends Route>(route: R): () => ReturnType<R['schemas']> {
  let schemas: ReturnType<R['schemas']> | undefined;
  return () => {
    schemas ??= route.schemas() as ReturnType<R['schemas']>;
    return schemas;
  };
}

const acceptLanguageOf = (event: APIGatewayProxyEvent) => headerOf(event, 'accept-language') ?? '';

const requestIdOf = (event: APIGatewayProxyEvent) => event.requestContext?.requestId ?? '';

/**
 * Returns the refusal that answers an error. Logs every error that is not the caller's mistake, with its
 * cause.
 */
function refusalFor(routeName: string, error: unknown, event: APIGatewayProxyEvent, context: Context) {
  const known = error instanceof Refusal ? error : refusalOfFault(error);
  if (!known || known.status === 429 || known.status >= 500) {
    log.failure(routeName, known ?? error, {
      request_id: requestIdOf(event),
      lambda_request_id: context?.awsRequestId,
    });
  }
  return known ?? refusals.internal();
}

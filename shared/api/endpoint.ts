import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { log } from '../log.ts';
import { Refusal, refusals } from '../refusals.ts';
import { refusalOfFault } from '../retry.ts';
import { commonHeaders, errorAnswer, jsonHeaders } from './error-answer.ts';
import { pack, packReport } from './pack.ts';
import { headerOf, type Request, requestOf } from './request.ts';
import type { Output, Route } from './route.ts';

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

/** The answer of a page's function: the whole HTML, or what else its own headers say that it is. */
export type HtmlAnswer = { status: number; html: string; headers: Record<string, string> };

/**
 * Makes a Lambda handler of a page's route and function. The page goes out compressed to a browser that accepts
 * it. What is thrown becomes the page of `failed`, since a person reads it: with the status of a Refusal, and of a logged
 * 500 for all else.
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

/** What a function says that Lambda is about to end: nobody knows what becomes of the writes that it is at. */
const outOfTime = {
  timeoutEarlyResponse() {
    throw refusals.outcomeUnknown();
  },
};

/** The schemas of a route, built when they are first needed. */
function schemasOf<R extends Route>(route: R): () => ReturnType<R['schemas']> {
  let schemas: ReturnType<R['schemas']> | undefined;
  return () => {
    schemas ??= route.schemas() as ReturnType<R['schemas']>;
    return schemas;
  };
}

const acceptLanguageOf = (event: APIGatewayProxyEvent) => headerOf(event, 'accept-language') ?? '';

const requestIdOf = (event: APIGatewayProxyEvent) => event.requestContext?.requestId ?? '';

/** What the caller is told of an error; one that is no mistake of the caller is logged, with what is behind it. */
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

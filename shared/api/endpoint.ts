import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { log } from '../log.ts';
import { withRawJson } from '../raw-json.ts';
import { faultRefusals, Refusal, refusals } from '../refusals.ts';
import { refusalOfFault } from '../retry.ts';
import { commonHeaders, errorAnswer, jsonHeaders } from './error-answer.ts';
import { faultMiddleware, losesAnswer } from './faults.ts';
import { compress, compressReport } from './pack.ts';
import { type EndpointRequest, headerOf, parseRequest, requestIdOf } from './request.ts';
import type { Route, RouteReply } from './route.ts';

/** `replayed` is true if `fields` are the stored reply to an earlier request with the same idempotency key. */
export function reply<F extends Record<string, unknown>>(
  fields: F,
  {
    replayed = false,
    headers = {},
  }: { replayed?: boolean | undefined; headers?: Record<string, string> } = {},
): { fields: F; headers: Record<string, string> } {
  return {
    fields,
    headers: replayed ? { ...headers, 'idempotent-replayed': 'true' } : headers,
  };
}

export function endpoint<const R extends Route>(
  route: R,
  run: (
    request: EndpointRequest<R> & { losesAnswer: boolean },
  ) => Promise<{ fields: RouteReply<R>; headers: Record<string, string> }>,
) {
  const schemas = schemasOf(route);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(outOfTime)
    .onError(({ error, event, context }) =>
      // A Refusal becomes its error response; any other error is logged and becomes a 500.
      errorAnswer(refusalFor(route.name, error, event, context), requestIdOf(event)),
    )
    .use(faultMiddleware)
    .handler(async (event) => {
      const { fields, headers } = await run({
        ...parseRequest(route, schemas(), event),
        losesAnswer: losesAnswer(event),
      });
      const body = withRawJson(JSON.stringify({ status: 'success', ...schemas().reply.parse(fields) }));
      const packed = route.compressed
        ? compressReport(body, headerOf(event, 'accept-encoding'))
        : { body, headers: {} };
      return {
        ...packed,
        statusCode: 200,
        headers: { ...jsonHeaders, 'x-request-id': requestIdOf(event), ...packed.headers, ...headers },
      };
    });
}

/** Response with an HTML page, style sheet or script in `html`. `headers` includes the content type. */
export type HtmlAnswer = { status: number; html: string; headers: Record<string, string> };

/** An endpoint that serves a page. If `run` throws, it serves the page from `failed`. */
export function pageEndpoint<const R extends Route>(
  route: R,
  run: (request: EndpointRequest<R> & { acceptLanguage: string }) => Promise<HtmlAnswer>,
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
      const { status, html, headers } = await run({
        ...parseRequest(route, schemas(), event),
        acceptLanguage,
      });
      const packed = compress(html, headerOf(event, 'accept-encoding'));
      return {
        ...packed,
        statusCode: status,
        headers: { ...commonHeaders, 'x-request-id': requestIdOf(event), ...packed.headers, ...headers },
      };
    });
}

/** Throws shortly before Lambda's timeout. The refusal is `outcome_unknown`, because a write may still be running. */
const outOfTime = {
  timeoutEarlyResponse() {
    throw faultRefusals.outcomeUnknown();
  },
};

function schemasOf<R extends Route>(route: R): () => ReturnType<R['schemas']> {
  let schemas: ReturnType<R['schemas']> | undefined;
  return () => {
    schemas ??= route.schemas() as ReturnType<R['schemas']>;
    return schemas;
  };
}

const acceptLanguageOf = (event: APIGatewayProxyEvent) => headerOf(event, 'accept-language') ?? '';

/** Returns the refusal to send. Logs the error unless the caller made a mistake (4xx other than 429). */
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

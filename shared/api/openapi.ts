import * as z from 'zod/mini';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type ToldType, toldTypes } from '../vocabulary.ts';
import type { ErrorBody } from './error-answer.ts';
import { eventSchema } from './event-schemas.ts';
import { holdCodesOf, type Route, type Schemas } from './route.ts';

type Operation = ZodOpenApiOperationObject;
type Parts = NonNullable<Operation['requestParams']>;

const errorBody: z.ZodMiniType<ErrorBody> = z.object({
  status: z.literal('error'),
  message: z.string(),
  code: z.string(),
  detail: z.optional(z.string()),
  request_id: z.string(),
});
const html = { 'text/html': { schema: { type: 'string' as const } } };
const plain = { 'text/plain': { schema: { type: 'string' as const } } };
const refusedAs = (description: string) => ({
  description,
  content: { 'application/json': { schema: errorBody } },
});
const failures = {
  '4XX': refusedAs('Refused: nothing was done. A 429 has `Retry-After`: send the same request again.'),
  '5XX': refusedAs(
    'A 503 has `Retry-After`: send the same request again, with the same idempotency key. `unavailable`: nothing was ' +
      'done. `outcome_unknown`: it may have been done, and the same request then returns what it came to. ' +
      '`accepted_repeat_to_collect`: the spins are accepted, and the same request returns them.',
  ),
};

/** A person reads them. */
const pageFailures = {
  '404': { description: 'No such play URL: a page that says so', content: html },
  '4XX': { description: 'Refused', content: plain },
  '5XX': { description: 'Not available at the moment', content: plain },
};

/** The OpenAPI 3.1 document of a list of endpoints, made from the schemas that the endpoints run on. */
export function openapiDocument(routes: Route[], serverUrl: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Incentives',
        version: '1',
        description:
          'Tickets, sweepstakes entries and games with real prizes, for the users of a host app. `fairness` in the answer ' +
          'of a spin is what it takes to draw it again, from a seed that was committed to before the play. Each day is ' +
          'closed into a signed book an hour after midnight in New York, by which anybody can check every draw. Whoever ' +
          'keeps a line of a book can tell whether anything of its day, or of an earlier one, was altered since. Not ' +
          'proven are days that are open, and plays of an operator who may use the key of draws.',
      },
      servers: [{ url: serverUrl }],
      security: [{ apiKey: [], organization: [] }],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer' },
          organization: { type: 'apiKey', in: 'header', name: 'X-Organization-Id' },
        },
      },
      paths,
      webhooks: Object.fromEntries(toldTypes.map((type) => [type, { post: callOf(type) }])),
    },
    { override: ({ zodSchema, jsonSchema }) => giveBounds(zodSchema, jsonSchema) },
  );
}

const header = z.string();
const callHeaders = z.object({
  'webhook-id': header,
  'webhook-timestamp': header,
  'webhook-signature': header,
});

/** The call with which a webhook is told of an event, signed as Standard Webhooks 1.0. */
const callOf = (type: ToldType): Operation => ({
  operationId: `webhook/${type}`,
  summary: `A webhook is told of an event: ${type}`,
  tags: ['webhooks'],
  security: [],
  requestParams: { header: callHeaders } as unknown as Parts,
  requestBody: { required: true, content: { 'application/json': { schema: eventSchema(type) } } },
  responses: { '2XX': { description: 'Received; anything else is tried again, and a 410 is not' } },
});

/** A bound with a message of its own is none that zod would tell; that integers are exact, nobody has to be told. */
function giveBounds(zodSchema: z.core.$ZodTypes, jsonSchema: z.core.JSONSchema.BaseSchema) {
  if (jsonSchema.type !== 'integer') return;
  for (const check of zodSchema._zod.def.checks ?? []) {
    const { params } = check._zod.def as { params?: { minimum?: number } };
    if (params?.minimum !== undefined) jsonSchema.minimum = params.minimum;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function operationOf(route: Route): Operation {
  const schemas = route.schemas();
  return {
    operationId: route.name,
    summary: route.summary,
    tags: [route.name.split('/')[0] ?? ''],
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(route.credential ? { security: [] } : {}),
    requestParams: parametersOf(schemas),
    ...bodyOf(route, schemas),
    responses: {
      '200': { description: 'Success', content: contentOf(route, schemas) },
      ...(route.answers === 'html' ? pageFailures : { ...failures, ...refusedWhileOnHold(route) }),
    },
  } as Operation;
}

/** Says by which codes an endpoint tells that an operator has put something on hold. */
function refusedWhileOnHold(route: Route): { '4XX'?: ReturnType<typeof refusedAs> } {
  const codes = holdCodesOf(route).map((code) => `\`${code}\``);
  if (codes.length === 0) return {};
  return { '4XX': refusedAs(`${failures['4XX'].description} On hold by an operator: ${codes.join(', ')}.`) };
}

function bodyOf({ verbatimBody, queryFromBody }: Route, { body, query }: Schemas) {
  const schema = verbatimBody ? { type: 'object' } : queryFromBody ? query : body;
  const required = verbatimBody || (!queryFromBody && body !== undefined && !body.safeParse({}).success);
  return schema
    ? { requestBody: { ...(required ? { required } : {}), content: { 'application/json': { schema } } } }
    : {};
}

function parametersOf({ path, query }: Schemas): Parts {
  return { ...(path ? { path } : {}), ...(query ? { query } : {}) } as unknown as Parts;
}

const contentOf = ({ answers }: Route, schemas: Schemas) =>
  answers === 'html' ? html : { 'application/json': { schema: successOf(schemas) } };

const successOf = ({ reply }: Schemas) => z.extend(z.object({ status: z.literal('success') }), reply.shape);

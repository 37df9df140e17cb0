import * as z from 'zod/mini';
import type { Route, RouteSchemas } from '../route.ts';
import { componentSchemas } from './components.ts';
import { eventSchemas, webhookOperations, withOtherEvent } from './events.ts';
import { exampleOf, type JsonSchema } from './examples.ts';
import { fairnessDocs } from './fairness.ts';
import { apiInfo, apiTags, faultParameter, headerRef, responseHeaders, securitySchemes } from './info.ts';
import { jsonSchemasOf, schemaRef, withDefaultInWords } from './json-schemas.ts';
import { clientMethodOf, operationIdOf, tagOf, typeName } from './names.ts';
import { refusalCodesOf, refusalResponses } from './refused.ts';

/**
 * An endpoint with its schemas, which are built only once, because zod recognizes a named schema by object
 * identity.
 */
type Endpoint = { route: Route; schemas: RouteSchemas; takesFault: boolean };
type Known = Record<string, JsonSchema>;

export function openapiDocument(routes: Route[], serverUrl: string) {
  const ofApi = routes.filter(({ credential }) => credential !== 'none');
  // Only debug routes are limited to some stages. A stage that has them also accepts the header for faults.
  const isForTests = ofApi.some(({ stages }) => stages !== undefined);
  const endpoints = ofApi.map((route) => ({
    route,
    schemas: route.schemas(),
    takesFault: isForTests && !route.answers,
  }));
  const known = schemasOf(endpoints);
  const paths: Record<string, Record<string, object>> = {};
  const responses: Record<string, object> = {};
  for (const endpoint of endpoints) {
    const { path, method } = endpoint.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(endpoint, known, responses) };
  }
  const webhooks = webhookOperations(known);
  const used = new Set([...ofApi.map(({ name }) => tagOf(name)), 'events']);
  return {
    openapi: '3.1.0',
    info: apiInfo,
    servers: [{ url: serverUrl }],
    security: [{ apiKey: [], organization: [] }],
    tags: apiTags.filter(({ name }) => used.has(name)),
    paths,
    webhooks,
    components: {
      securitySchemes,
      headers: responseHeaders,
      ...(isForTests ? { parameters: { Fault: faultParameter } } : {}),
      responses,
      schemas: referredTo({ paths, webhooks, responses }, known),
    },
  };
}

const named = (route: Route, part: 'Path' | 'Query' | 'Request' | 'Reply') => typeName(route.name) + part;

function schemasOf(endpoints: Endpoint[]): Known {
  const codes = refusalCodesOf(endpoints.map(({ route }) => route));
  const components = Object.entries(componentSchemas(codes));
  const byName = Object.fromEntries(components.map(([name, { schema }]) => [name, schema]));
  const about = new Map<z.core.$ZodType, object>([
    ...components.map(([, { schema, about }]) => [schema, about] as const),
    ...fairnessDocs,
  ]);
  const requests: Record<string, z.ZodMiniType> = {};
  const replies: Record<string, z.ZodMiniType> = {};
  for (const { route, schemas } of endpoints) {
    if (schemas.path) requests[named(route, 'Path')] = schemas.path;
    if (schemas.query) requests[named(route, 'Query')] = schemas.query;
    if (schemas.body) requests[named(route, 'Request')] = schemas.body;
    if (!route.answers) replies[named(route, 'Reply')] = successOf(schemas);
  }
  return withOtherEvent({
    ...jsonSchemasOf({ ...byName, ...requests }, 'input', about),
    ...jsonSchemasOf({ ...byName, ...replies, ...eventSchemas() }, 'output', about),
  });
}

const successOf = ({ reply }: RouteSchemas) =>
  z.extend(z.object({ status: z.literal('success') }), reply.shape);

function referredTo(part: object, known: Known): Known {
  const found = new Set<string>();
  const follow = (from: unknown) => {
    for (const [, name = ''] of JSON.stringify(from).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      follow(known[name]);
    }
  };
  follow(part);
  return Object.fromEntries([...found].sort().map((name) => [name, withFieldsInWords(known[name]!)]));
}

function withFieldsInWords({ properties, ...schema }: JsonSchema): JsonSchema {
  if (!properties) return schema;
  const inWords = Object.entries(properties).map(([name, field]) => [name, withDefaultInWords(field)]);
  return { ...schema, properties: Object.fromEntries(inWords) };
}

function operationOf(endpoint: Endpoint, known: Known, responses: Record<string, object>) {
  const { route } = endpoint;
  return {
    operationId: operationIdOf(route.name),
    summary: route.summary,
    description: route.description,
    tags: [tagOf(route.name)],
    // The client lacks the operations on play URLs, which only players' browsers call.
    ...(route.credential ? {} : { 'x-client-method': clientMethodOf(route.name) }),
    ...(route.deprecated ? { deprecated: true } : {}),
    ...(route.credential ? { security: [] } : {}),
    parameters: [
      ...parametersOf(endpoint, known),
      ...(endpoint.takesFault ? [{ $ref: '#/components/parameters/Fault' }] : []),
    ],
    ...bodyOf(endpoint, known),
    responses: { '200': successResponse(endpoint, known), ...refusalResponses(route, responses) },
  };
}

function parametersOf({ route }: Endpoint, known: Known) {
  return (['Path', 'Query'] as const).flatMap((part) => {
    const { properties = {}, required = [] } = known[named(route, part)] ?? {};
    return Object.entries(properties).map(([name, schema]) => ({
      name,
      in: part.toLowerCase(),
      ...(required.includes(name) ? { required: true } : {}),
      schema: withDefaultInWords(schema),
      example: exampleOf(schema, known, name, named(route, part)),
    }));
  });
}

function bodyOf({ route, schemas: { body } }: Endpoint, known: Known) {
  if (route.verbatimBody) {
    return { requestBody: { required: true, content: json({ type: 'object' }, { hello: 'world' }) } };
  }
  if (!route.queryFromBody && !body) return {};
  const schema = schemaRef(named(route, route.queryFromBody ? 'Query' : 'Request'));
  const required = body !== undefined && !body.safeParse({}).success;
  return {
    requestBody: {
      ...(route.queryFromBody ? { description: inPlaceOfQuery } : {}),
      ...(required ? { required } : {}),
      content: json(schema, exampleOf(schema, known)),
    },
  };
}

const inPlaceOfQuery =
  'Parameters that are not in the query. If a parameter is in both, the query takes precedence.';

const json = (schema: object, example: unknown) => ({ 'application/json': { schema, example } });

function successResponse({ route, schemas: { body } }: Endpoint, known: Known) {
  const ofRoute = {
    'x-request-id': headerRef('RequestId'),
    ...(body?.shape.idempotency_key ? { 'idempotent-replayed': headerRef('Replayed') } : {}),
    ...(route.credential && !route.answers ? { 'ticket-balance': headerRef('TicketBalance') } : {}),
    ...(route.deprecated ? { deprecation: headerRef('Deprecation'), link: headerRef('Link') } : {}),
    ...(route.compressed || route.answers ? { 'content-encoding': headerRef('ContentEncoding') } : {}),
  };
  if (route.answers) return { description: 'An HTML page', headers: ofRoute, content: html };
  const schema = schemaRef(named(route, 'Reply'));
  return { description: 'Success', headers: ofRoute, content: json(schema, exampleOf(schema, known)) };
}

const html = { 'text/html': { schema: { type: 'string' } } };

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../shared/ids.ts';
import { parseInstant } from '../../shared/time.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { faultsOf, operations, resolved } from '../support/document.ts';
import { announced } from '../support/drawing.ts';
import { invalid, valid } from '../support/from-schema.ts';
import { raw } from '../support/raw.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** Number of requests that each test generates. A higher number finds more bugs but takes longer. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 10);

/**
 * Two organizations. The users of `players` play. `listeners` has webhooks but no events, so only requests that
 * invoke a webhook cause calls.
 */
let players: Api;
let listeners: Api;
let receiver: Receiver;
const known: Record<string, () => Promise<string>> = {};

beforeAll(async () => {
  [players, listeners] = await Promise.all([newOrganization(), newOrganization()]);
  receiver = await startReceiver();
  const user = await players.user(1_000_000);
  await players.put('/debug/daily-spin-limit', { on: false });
  const { body } = await listeners.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
  known.user_id = async () => user;
  const drawing = await announced(players.organizationId);
  known.drawing_id = async () => drawing;
  known.day = async () => '2026-03-14';
  known.webhook_id = async () => body.webhook_id;
  // Unknown, because whether a step can follow depends on the prize.
  known.prize_id = async () => newId('out', 0);
  known.token = async () => {
    const play = await players.post(`/users/${user}/games/play`, {});
    return play.body.url.split('/').at(-1);
  };
});
afterAll(() => receiver.close());

type Operation = (typeof operations)[number];
type Parameter = { name: string; in: string; required?: boolean; schema: object };
type GeneratedRequest = { path: Record<string, unknown>; query: Record<string, unknown>; body: unknown };

const parametersIn = ({ operation }: Operation, place: string): Parameter[] =>
  (operation.parameters ?? []).filter((one: Parameter) => one.in === place);

const querySchema = (one: Operation) => ({
  type: 'object',
  properties: Object.fromEntries(parametersIn(one, 'query').map(({ name, schema }) => [name, schema])),
  required: parametersIn(one, 'query').flatMap(({ name, required }) => (required ? [name] : [])),
});
const bodySchema = ({ operation }: Operation) =>
  operation.requestBody?.content['application/json'].schema as object | undefined;

/** Returns whether fields fit together, which JSON Schema cannot express: the range of times, and where to continue. */
const isValidQuery = ({ start, end, after_sequence, user_id, after }: Record<string, unknown>) =>
  (start === undefined || end === undefined || parseInstant(String(start))! <= parseInstant(String(end))!) &&
  (after_sequence === undefined || (user_id !== undefined && !after));

const inPath = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
);
const pathOf = (one: Operation) =>
  fc.record(
    Object.fromEntries(
      // An id may be any text, a day may not.
      parametersIn(one, 'path').map(({ name }) => [name, name === 'day' ? fc.constant(undefined) : inPath]),
    ),
  );
const queryOf = (one: Operation) =>
  (valid(querySchema(one)) as fc.Arbitrary<Record<string, unknown>>).filter(isValidQuery);
const bodyOf = (one: Operation) =>
  bodySchema(one) ? valid(bodySchema(one)).map((body) => withoutThem(one, body)) : fc.constant(undefined);

/** Fields, by path, with rules that JSON Schema cannot express, such as the contrast of brand colors. */
const fieldsWithFurtherRules: Record<string, RegExp> = {
  '/page': /^(frame_origins$|brand_)/,
  '/debug/users/{user_id}/games/play': /^game$/,
};
const withoutThem = ({ path }: Operation, body: unknown) => {
  const pattern = fieldsWithFurtherRules[path];
  if (!pattern) return body;
  return Object.fromEntries(Object.entries(body as object).filter(([name]) => !pattern.test(name)));
};

/** Returns whether an operation accepts its parameters in either the query or a body, as reports do. */
const takesEither = (one: Operation) => one.method === 'GET' && bodySchema(one) !== undefined;

function validRequest(one: Operation): fc.Arbitrary<GeneratedRequest> {
  const path = pathOf(one);
  if (!takesEither(one)) return fc.record({ path, query: queryOf(one), body: bodyOf(one) });
  const body = (bodyOf(one) as fc.Arbitrary<Record<string, unknown>>).filter(isValidQuery);
  return fc.oneof(
    fc.record({ path, query: queryOf(one), body: fc.constant(undefined) }),
    fc.record({ path, query: fc.constant({}), body }),
    fc.record({ path, query: queryOf(one) }).map(({ path, query }) => ({ path, query, body: nulls(query) })),
  );
}

/** Returns an invalid body: each query parameter as null. The endpoint must read the query instead. */
const nulls = (query: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(query).map((name) => [name, null]));

/** Generates requests with one invalid field, in the body or in the query. */
function invalidRequests(one: Operation): fc.Arbitrary<GeneratedRequest>[] {
  const path = pathOf(one);
  const body = bodySchema(one) ? invalid(bodySchema(one)) : fc.constant(undefined);
  const hasQuery = parametersIn(one, 'query').some(
    ({ name }) => !['next_token', 'after', 'request_id'].includes(name),
  );
  const inQuery = hasQuery ? asText(invalid(querySchema(one)), one) : undefined;
  const sound = takesEither(one) ? fc.constant(undefined) : bodyOf(one);
  return [
    ...(inQuery ? [fc.record({ path, query: inQuery, body: sound })] : []),
    ...(takesEither(one) ? [fc.record({ path, query: fc.constant({}), body: stillInvalid(body, one) })] : []),
    ...(bodySchema(one) && !takesEither(one) ? [fc.record({ path, query: queryOf(one), body })] : []),
  ];
}

async function send({ path, method }: Operation, made: GeneratedRequest) {
  const api = path.startsWith('/webhook') ? listeners : players;
  let target = path;
  for (const [name, value] of Object.entries(made.path)) {
    target = target.replace(`{${name}}`, encodeURIComponent(String(value ?? (await known[name]!()))));
  }
  const query = new URLSearchParams(Object.entries(made.query).map(([name, value]) => [name, String(value)]));
  const body = made.body === undefined ? undefined : JSON.stringify(made.body);
  const headers = { authorization: `Bearer ${api.apiKey}`, 'x-organization-id': api.organizationId };
  return raw({ method, target: `${target}?${query}`, headers, ...(body === undefined ? {} : { body }) });
}

type Answer = Awaited<ReturnType<typeof send>>;

/** Expects a response to match the OpenAPI document in its status, content type, headers, body and error code. */
function expectDocumented({ operation }: Operation, { status, headers, body }: Answer): void {
  const response = resolved(operation.responses[status]);
  expect(response, `the status ${status}: ${JSON.stringify(body)}`).toBeDefined();
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  expect(Object.keys(response.content)).toContain(type);
  const { schema, examples } = response.content[type];
  expect(faultsOf(schema, body)).toBe('');
  if (status !== 200 && type === 'application/json') expect(Object.keys(examples)).toContain(body.code);
  for (const [name, header] of Object.entries(response.headers)) {
    if (resolved(header).required) expect(headers.get(name), name).toBeTruthy();
  }
}

const refusedAsInvalid = ({ body }: Answer) => body?.code === 'validation_failed';

describe.each(operations)('$method $path', (one) => {
  test('accepts requests that the document allows, and responds as documented', async () => {
    await fc.assert(
      fc.asyncProperty(validRequest(one), async (made) => {
        const answer = await send(one, made);
        expectDocumented(one, answer);
        expect(refusedAsInvalid(answer), JSON.stringify(answer.body)).toBe(false);
      }),
      { numRuns },
    );
  });

  test.each([10_241, 100_000])('refuses a query of %i bytes as documented', async (bytes) => {
    const path = Object.fromEntries(parametersIn(one, 'path').map(({ name }) => [name, undefined]));
    const answer = await send(one, { path, query: { q: 'q'.repeat(bytes) }, body: undefined });
    expect(answer.status).toBe(400);
    expectDocumented(one, answer);
  });

  const spoiled = invalidRequests(one);
  test.skipIf(spoiled.length === 0)('refuses requests that the document does not allow', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(...spoiled), async (made) => {
        const answer = await send(one, made);
        expectDocumented(one, answer);
        expect(refusedAsInvalid(answer), JSON.stringify(answer.body)).toBe(true);
      }),
      { numRuns },
    );
  });
});

type Fields = Record<string, unknown>;

/** Filters out fields that become valid in a query, where for example the text `"1"` is a number. */
const stillInvalid = (made: fc.Arbitrary<unknown>, one: Operation) =>
  (made as fc.Arbitrary<Fields>).filter((fields) => {
    const { properties } = querySchema(one);
    const read = Object.entries(fields).map(([name, value]) => [name, asRead(properties[name], value)]);
    return faultsOf(querySchema(one), Object.fromEntries(read)) !== '';
  });

const asText = (made: fc.Arbitrary<unknown>, one: Operation) =>
  stillInvalid(
    (made as fc.Arbitrary<Fields>).map((fields) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
    ),
    one,
  );

const asRead = (schema: object | undefined, value: unknown): unknown =>
  resolved(schema)?.type === 'integer' && /^-?\d+(\.\d+)?$/.test(String(value)) ? Number(value) : value;

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, newOrganization } from '../support/api.ts';
import { faultsOf, operations, resolved } from '../support/document.ts';
import { invalid, valid } from '../support/from-schema.ts';
import { raw } from '../support/raw.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** Requests that are made up for each operation, valid and not; more of them find more. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 10);

/** Webhooks that are made up are of an organization in which nothing happens that they could be told of. */
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
  known.webhook_id = async () => body.webhook_id;
  known.token = async () => {
    const play = await players.post(`/users/${user}/games/play`, {});
    return play.body.url.split('/').at(-1);
  };
});
afterAll(() => receiver.close());

type Operation = (typeof operations)[number];
type Parameter = { name: string; in: string; required?: boolean; schema: object };
type Made = { path: Record<string, unknown>; query: Record<string, unknown>; body: unknown };

const parametersIn = ({ operation }: Operation, place: string): Parameter[] =>
  (operation.parameters ?? []).filter((one: Parameter) => one.in === place);

/** The query of an operation as a schema, so that it can be made up like a body. */
const querySchema = (one: Operation) => ({
  type: 'object',
  properties: Object.fromEntries(parametersIn(one, 'query').map(({ name, schema }) => [name, schema])),
  required: parametersIn(one, 'query').flatMap(({ name, required }) => (required ? [name] : [])),
});
const bodySchema = ({ operation }: Operation) =>
  operation.requestBody?.content['application/json'].schema as object | undefined;

/** Whether a range ends after it begins, which no schema can say: by days, as of some times the zone is not the same. */
const isMeant = ({ start, end }: Record<string, unknown>) =>
  start === undefined ||
  end === undefined ||
  Date.parse(String(end)) - Date.parse(String(start)) > 2 * 86_400_000;

const inPath = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
);
const pathOf = (one: Operation) =>
  fc.record(Object.fromEntries(parametersIn(one, 'path').map(({ name }) => [name, inPath])));
const queryOf = (one: Operation) =>
  (valid(querySchema(one)) as fc.Arbitrary<Record<string, unknown>>).filter(isMeant);
const bodyOf = (one: Operation) => {
  const schema = bodySchema(one);
  // What a report takes from a body, it takes from its query too, which is made up already.
  if (!schema || one.method === 'GET') return fc.constant(undefined);
  return valid(schema);
};

async function send({ path, method }: Operation, made: Made) {
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

/** Expects an answer that the document has: its status, its type, its headers, its body, and its code. */
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
  const everything = fc.record({ path: pathOf(one), query: queryOf(one), body: bodyOf(one) });

  test('takes what the document calls valid, and answers as it says', async () => {
    await fc.assert(
      fc.asyncProperty(everything, async (made) => {
        const answer = await send(one, made);
        expectDocumented(one, answer);
        expect(refusedAsInvalid(answer), JSON.stringify(answer.body)).toBe(false);
      }),
      { numRuns },
    );
  });

  const spoiled = [
    ...(bodySchema(one) && one.method !== 'GET'
      ? [fc.record({ path: pathOf(one), query: queryOf(one), body: invalid(bodySchema(one)) })]
      : []),
    ...(parametersIn(one, 'query').some(({ name }) => name !== 'next_token' && name !== 'request_id')
      ? [fc.record({ path: pathOf(one), query: inQuery(invalid(querySchema(one)), one), body: bodyOf(one) })]
      : []),
  ];
  test.skipIf(spoiled.length === 0)('refuses what the document calls invalid', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(...spoiled), async (made) => {
        const answer = await send(one, made as Made);
        expectDocumented(one, answer);
        expect(refusedAsInvalid(answer), JSON.stringify(answer.body)).toBe(true);
      }),
      { numRuns },
    );
  });
});

/** Of what a query could not be, what it still is not when it is written as text. */
function inQuery(queries: fc.Arbitrary<unknown>, one: Operation) {
  return (queries as fc.Arbitrary<Record<string, unknown>>).filter((query) => {
    const read = Object.entries(querySchema(one).properties).flatMap(([name, schema]) =>
      name in query ? [[name, asRead(schema, String(query[name]))] as const] : [],
    );
    return faultsOf(querySchema(one), Object.fromEntries(read)) !== '';
  });
}

const asRead = (schema: object, text: string): unknown =>
  resolved(schema).type === 'integer' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;

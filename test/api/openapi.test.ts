import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Route } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { faultRefusals, Refusal, refusals } from '../../shared/refusals.ts';
import { timestampPattern } from '../../shared/time.ts';
import { eventTypes, holds } from '../../shared/vocabulary.ts';
import { request } from '../support/api.ts';
import { boundsOf, document, faultsOf, operations, resolved } from '../support/document.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

const operationOf = ({ path, method }: Route) => document.paths[path][method.toLowerCase()];
const parameter = (path: string, name: string) =>
  document.paths[path].get.parameters.find((one: { name: string }) => one.name === name).schema;
const bodyOf = (path: string, method = 'post') =>
  resolved(document.paths[path][method].requestBody.content['application/json'].schema).properties;
const answerOf = (path: string, method: string) =>
  resolved(document.paths[path][method].responses['200'].content['application/json'].schema);

test('the document has every endpoint with its path parameters, body and responses', () => {
  // The document omits the routes that need no credential, because these routes serve the documentation
  // itself.
  const ofApi = allRoutes.filter(({ credential }) => credential !== 'none');
  expect(operations.length).toBe(ofApi.length);
  for (const route of ofApi) {
    const { parameters = [], requestBody, responses } = operationOf(route);
    const inPath = parameters.filter((one: { in: string }) => one.in === 'path');
    expect(inPath.map(({ name, required }: { name: string; required: boolean }) => [name, required])).toEqual(
      [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true]),
    );
    const takesBody = route.schemas().body ?? route.verbatimBody ?? route.queryFromBody;
    expect(requestBody !== undefined, route.name).toBe(takesBody !== undefined);
    const { content } = responses['200'];
    if (route.answers === 'html') expect(Object.keys(content)).toEqual(['text/html']);
    else expect(answerOf(route.path, route.method.toLowerCase()).required).toContain('status');
  }
});

const rules = { 'operation-description': 'error', 'info-contact': 'error', 'info-license-strict': 'error' };

test('an OpenAPI linter finds no problem in the document', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document));
  const config = join(folder, 'redocly.yaml');
  writeFileSync(config, JSON.stringify({ extends: ['recommended-strict'], rules }));
  const lint = ['lint', file, `--config=${config}`, '--format=json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const { stdout } = await run(process.execPath, [redocly, ...lint], { env }).catch((error) => error);
  rmSync(folder, { recursive: true });
  expect(JSON.parse(stdout.slice(stdout.indexOf('{'))).problems).toEqual([]);
});

test('every example is valid by its schema', () => {
  let examples = 0;
  const look = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return;
    const { schema, example, examples: named = {} } = part as Record<string, Record<string, unknown>>;
    if (schema && !('type' in part)) {
      const all = Object.values(named).map((one) => (one as { value: unknown }).value);
      if (example !== undefined) all.push(example);
      examples += all.length;
      for (const one of all) expect(faultsOf(schema, one), JSON.stringify(one)).toBe('');
    }
    for (const inner of Object.values(part)) look(inner);
  };
  look(document);
  expect(examples).toBeGreaterThan(150);
});

describe('a refusal of an operation', () => {
  const codesOf = (path: string, method: string, status: string) =>
    Object.keys(
      resolved(document.paths[path][method].responses[status]).content['application/json'].examples,
    );

  test('is documented with its status and code', () => {
    expect(codesOf('/users/{user_id}/tickets/debit', 'post', '400')).toEqual([
      'validation_failed',
      'insufficient_tickets',
    ]);
    expect(codesOf('/users/{user_id}/tickets/credit', 'post', '400')).toEqual(['validation_failed']);
    expect(codesOf('/users/{user_id}/tickets/credit', 'post', '422')).toContain('idempotency_key_reused');
    expect(codesOf('/webhooks/{webhook_id}', 'get', '404')).toEqual(['webhook_not_found']);
    expect(codesOf('/users/guest/{user_id}/game/play', 'post', '503')).toContain(
      'accepted_repeat_to_collect',
    );
    expect(document.paths['/webhooks/{webhook_id}'].get.responses['422']).toBeUndefined();
    expect(document.paths['/play/{token}/spin'].post.responses['401']).toBeUndefined();
    expect(codesOf('/play/{token}/spin', 'post', '403')).toEqual(['organization_suspended', 'user_frozen']);
    expect(codesOf('/play/{token}/spin', 'post', '409')).toContain('game_paused');
    expect(codesOf('/play/{token}/spin', 'post', '410')).toContain('play_voided');
    expect(codesOf('/users', 'post', '403')).toContain('organization_suspended');
    expect(codesOf('/users/{user_id}', 'get', '403')).toEqual(['forbidden']);
  });

  test('has a code of the list of all codes, to which codes may be added', () => {
    const make = Object.values({ ...faultRefusals, ...refusals }) as ((of: never) => Refusal)[];
    const codes = make
      .filter((one) => one !== refusals.onHold)
      .map((one) => one('insufficient_tickets' as never))
      .filter((one) => one instanceof Refusal)
      .map((refusal) => refusal.code);
    const others = ['daily_spin_limit_reached', ...holds];
    const { ErrorCode, EventType } = document.components.schemas;
    expect(ErrorCode['x-extensible-enum']).toEqual([...new Set([...codes, ...others])].sort());
    for (const schema of [ErrorCode, EventType]) expect(faultsOf(schema, 'added_later')).toBe('');
  });

  test('with status 429 or 503 has a Retry-After header', () => {
    for (const { operation } of operations) {
      for (const status of ['429', '503']) {
        expect(Object.keys(resolved(operation.responses[status]).headers)).toContain('retry-after');
      }
    }
  });

  test.each([
    [
      '/play/{token}',
      'get',
      { 400: 'html json', 404: 'html', 429: 'html json', 500: 'html', 503: 'html json' },
    ],
    ['/play/{token}/spin', 'post', { 404: 'html json', 410: 'json', 429: 'html json', 500: 'json' }],
  ])('of %s comes from its function, or from the gateway of either address', (path, method, expected) => {
    const { responses } = document.paths[path][method];
    for (const [status, types] of Object.entries(expected)) {
      const { content } = resolved(responses[status]);
      expect(Object.keys(content).map((type) => type.split('/')[1])).toEqual(types.split(' '));
    }
  });
});

test('it says that a query parameter takes precedence over a body field', () => {
  const { description } = document.paths['/game/history'].get.requestBody;
  expect(description).toContain('the query takes precedence');
  expect(document.paths['/users'].post.requestBody.description).toBeUndefined();
});

test('it says which bodies are required', () => {
  expect(document.paths['/users'].post.requestBody.required).toBe(true);
  expect(document.paths['/webhooks/{webhook_id}/invoke'].post.requestBody.required).toBe(true);
  expect(document.paths['/users/{user_id}/games/play'].post.requestBody.required ?? false).toBe(false);
});

test('it has formats, and says when an optional field is present', () => {
  expect(resolved(parameter('/game/history', 'start')).pattern).toBe(timestampPattern);
  const inBody = document.paths['/game/history'].get.requestBody;
  expect(inBody.required).toBeUndefined();
  expect(Object.keys(bodyOf('/game/history', 'get'))).toContain('start');
  expect(resolved(bodyOf('/webhooks').callback_url)).toMatchObject({ format: 'uri', maxLength: 2048 });
  const { url } = answerOf('/users/{user_id}/games/play', 'post').properties;
  expect(url).toEqual({ type: 'string', format: 'uri' });
  const { properties, required } = resolved(
    answerOf('/tickets/history', 'get').properties.transactions.items,
  );
  expect(properties.outcome_id.description).toContain('game');
  expect(required).not.toContain('outcome_id');
});

test('it marks exactly the deprecated operations, and says so in a header of their responses', () => {
  for (const route of allRoutes.filter(({ credential }) => credential !== 'none')) {
    const { deprecated = false, responses } = operationOf(route);
    expect(deprecated, route.name).toBe(route.deprecated ?? false);
    expect('deprecation' in responses['200'].headers, route.name).toBe(deprecated);
  }
});

test('it has the headers of responses', () => {
  const described = Object.values<{ required?: boolean; schema: { type: string } }>(
    document.components.headers,
  );
  for (const { schema } of described) expect(['integer', 'string']).toContain(schema.type);
  expect(document.components.headers.RequestId.required).toBe(true);
  const headers = (path: string, method: string) =>
    Object.keys(document.paths[path][method].responses['200'].headers);
  expect(headers('/users/{user_id}/tickets/credit', 'post')).toEqual(['x-request-id', 'idempotent-replayed']);
  expect(headers('/users/guest/{user_id}/game/queue', 'post')).toEqual(
    expect.arrayContaining(['deprecation', 'link']),
  );
  expect(headers('/game/history', 'get')).toContain('content-encoding');
});

test('it has the payload of every event, and says which fields may be absent', () => {
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes]);
  const payload = resolved(
    document.webhooks.balance_updated.post.requestBody.content['application/json'].schema,
  );
  expect(payload.required).toEqual(['id', 'type', 'timestamp', 'sequence', 'data']);
  expect(payload.properties.data.required).not.toContain('idempotency_key');
  expect(payload.properties.data.required).not.toContain('outcome_id');
  const outcome = resolved(document.webhooks.outcome.post.requestBody.content['application/json'].schema);
  expect(resolved(outcome.properties.data).required).toContain('prize');
});

test('an event of a type that is added later is valid in the list of events, and no other event is defective', () => {
  const schema = { $ref: '#/components/schemas/EventsListReply' };
  const { example } = document.paths['/events'].get.responses['200'].content['application/json'];
  const [event] = example.events;
  const withEvent = (more: object) => ({ ...example, events: [{ ...event, ...more }] });
  expect(faultsOf(schema, withEvent({ type: 'added_later', data: { new: 1 } }))).toBe('');
  expect(faultsOf(schema, withEvent({ data: {} }))).not.toBe('');
});

test('it has all limits that requests are checked against, including those with their own messages', () => {
  const whole = { type: 'integer', maximum: 1_000_000_000 };
  expect(bodyOf('/users/{user_id}/tickets/credit').amount).toEqual({ ...whole, minimum: 1 });
  expect(bodyOf('/users/{user_id}/entries/debit').amount).toEqual({ ...whole, minimum: 1 });
  expect(bodyOf('/users/guest/{user_id}/game/play').num_of_spins).toMatchObject({ minimum: 1, maximum: 100 });
  const limit = { type: 'integer', minimum: 0, maximum: 1000 };
  expect(parameter('/users/{user_id}/tickets/history', 'limit')).toEqual({
    ...limit,
    description: 'Default: 10',
  });
  expect(parameter('/webhook/history', 'limit')).toEqual({ ...limit, description: 'Default: 1000' });
  expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test('the bounds of requests are those that hosts were told', () => {
  expect(boundsOf()).toEqual([
    'after: maxLength 2048',
    'after_sequence: minimum 0, maximum 1000000000',
    'amount: minimum 1, maximum 1000000000',
    'brand_accent: minLength 0, maxLength 7',
    'brand_accent_text: minLength 0, maxLength 7',
    'brand_background: minLength 0, maxLength 7',
    'brand_logo: maxLength 0',
    'brand_logo: minLength 0, maxLength 11000',
    'brand_name: minLength 0, maxLength 40',
    'brand_text: minLength 0, maxLength 7',
    'callback_url: minLength 1, maxLength 2048',
    'cash_limit: minimum 0, maximum 1000000000',
    'client_seed: minLength 0, maxLength 255',
    'description: minLength 0, maxLength 500',
    'external_reference: minLength 1, maxLength 255',
    'frame_origins: maxItems 10',
    'frame_origins[]: maxLength 200',
    'free_entry_en: minLength 0, maxLength 200',
    'free_entry_es: minLength 0, maxLength 200',
    'free_entry_url_en: maxLength 0',
    'free_entry_url_en: minLength 0, maxLength 500',
    'free_entry_url_es: maxLength 0',
    'free_entry_url_es: minLength 0, maxLength 500',
    'idempotency_key: minLength 1, maxLength 255',
    'limit: minimum 0, maximum 1000',
    'limit: minimum 1, maximum 1000',
    'next_token: maxLength 2048',
    'num_of_spins: minimum 1, maximum 100',
    'num_of_spins: minimum 1, maximum 1000',
    'page: minimum 0, maximum 1000000000',
    'page_size: minimum 1, maximum 10000',
    'reason: minLength 1, maxLength 500',
    'reference: minLength 1, maxLength 255',
    'request_id: minLength 1, maxLength 255',
    'return_url: maxLength 0',
    'return_url: minLength 0, maxLength 500',
    'rules_url_en: maxLength 0',
    'rules_url_en: minLength 0, maxLength 500',
    'rules_url_es: maxLength 0',
    'rules_url_es: minLength 0, maxLength 500',
    'secret_key: minLength 1, maxLength 255',
    'valid_seconds: minimum 1, maximum 1800',
  ]);
});

test('the local stage serves it with its own address', async () => {
  const { status, body } = await request('GET', '/docs/openapi.json', {});
  expect([status, body.openapi]).toEqual([200, '3.1.0']);
  expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths));
  const { pathname, origin } = new URL(body.servers[0].url);
  expect(pathname).toBe('/');
  expect((await fetch(`${origin}/docs/openapi.json`)).status).toBe(200);
});

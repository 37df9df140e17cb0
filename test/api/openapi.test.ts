import { expect, test } from 'vitest';
import { openapiDocument } from '../../shared/api/openapi.ts';
import type { Route } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { eventTypes } from '../../shared/vocabulary.ts';
import { request } from '../support/api.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the document has
const document = openapiDocument(allRoutes, 'https://api.example.com') as any;
const operationOf = ({ path, method }: Route) => document.paths[path][method.toLowerCase()];
const parameter = (path: string, name: string) =>
  document.paths[path].get.parameters.find((one: { name: string }) => one.name === name).schema;
const bodyOf = (path: string, method = 'post') =>
  document.paths[path][method].requestBody.content['application/json'].schema.properties;

test('the document has every endpoint, its path parameters, its body and its answers', () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path as object));
  expect(operations.length).toBe(allRoutes.length);
  for (const route of allRoutes) {
    const { operationId, parameters = [], requestBody, responses } = operationOf(route);
    expect(operationId).toBe(route.name);
    const inPath = parameters.filter((one: { in: string }) => one.in === 'path');
    expect(inPath.map(({ name, required }: { name: string; required: boolean }) => [name, required])).toEqual(
      [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, true]),
    );
    const takesBody = route.method === 'POST' || route.method === 'PUT' || route.queryFromBody === true;
    expect(requestBody !== undefined, route.name).toBe(takesBody);
    const { content } = responses['200'];
    if (route.answers === 'html') expect(Object.keys(content)).toEqual(['text/html']);
    else expect(content['application/json'].schema.required).toContain('status');
    const html = route.answers === 'html';
    expect(Object.keys(responses).sort()).toEqual(['200', ...(html ? ['404'] : []), '4XX', '5XX']);
    if (html) expect(Object.keys(responses['404'].content)).toEqual(['text/html']);
  }
});

test('it says by which codes what is on hold is refused', () => {
  const said = (path: string, method: string) => document.paths[path][method].responses['4XX'].description;
  const spin = said('/play/{token}/spin', 'post');
  for (const code of ['organization_suspended', 'user_frozen', 'game_paused', 'play_voided'])
    expect(spin).toContain(`\`${code}\``);
  expect(said('/users', 'post')).toContain('`organization_suspended`');
  expect(said('/users', 'post')).not.toContain('user_frozen');
  expect(said('/users', 'get')).not.toContain('suspended');
});

test('it says which bodies have to be sent', () => {
  expect(document.paths['/users'].post.requestBody.required).toBe(true);
  expect(document.paths['/webhooks/{webhook_id}/invoke'].post.requestBody.required).toBe(true);
  expect(document.paths['/users/{user_id}/games/play'].post.requestBody.required ?? false).toBe(false);
});

test('it names formats, and when an optional field is there', () => {
  const report = parameter('/game/history', 'start');
  expect(report).toMatchObject({ type: 'string', format: 'date-time' });
  const inBody = document.paths['/game/history'].get.requestBody;
  expect(inBody.required).toBeUndefined();
  expect(Object.keys(inBody.content['application/json'].schema.properties)).toContain('start');
  expect(bodyOf('/webhooks').callback_url).toMatchObject({ format: 'uri', maxLength: 2048 });
  const succeeds = (path: string, method: string) =>
    document.paths[path][method].responses['200'].content['application/json'].schema.properties;
  expect(succeeds('/users/{user_id}/games/play', 'post').url).toEqual({ type: 'string', format: 'uri' });
  const { properties, required } = succeeds('/tickets/history', 'get').transactions.items;
  expect(properties.outcome_id.description).toContain('game');
  expect(required).not.toContain('outcome_id');
});

test('it has the payload of every event, and says which fields may be absent', () => {
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes, 'webhook_disabled']);
  const payload = document.webhooks.balance_updated.post.requestBody.content['application/json'].schema;
  expect(payload.required).toEqual(['id', 'type', 'timestamp', 'sequence', 'data']);
  expect(payload.properties.data.required).not.toContain('idempotency_key');
  expect(payload.properties.data.required).not.toContain('outcome_id');
});

test('it has the bounds that requests are checked against, those with a message of their own too', () => {
  const whole = { type: 'integer', maximum: 1_000_000_000 };
  expect(bodyOf('/users/{user_id}/tickets/credit').amount).toEqual({ ...whole, minimum: 1 });
  expect(bodyOf('/users/{user_id}/entries/debit').amount).toEqual({ ...whole, minimum: 1 });
  expect(bodyOf('/users/guest/{user_id}/game/play').num_of_spins).toMatchObject({ minimum: 1, maximum: 100 });
  const limit = { type: 'integer', minimum: 0, maximum: 1000 };
  expect(parameter('/users/{user_id}/tickets/history', 'limit')).toEqual({ ...limit, default: 10 });
  expect(parameter('/webhook/history', 'limit')).toEqual({ ...limit, default: 1000 });
  expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER));
});

test('the local stage serves it, for its own address', async () => {
  const { status, body } = await request('GET', '/openapi.json', {});
  expect([status, body.openapi]).toEqual([200, '3.1.0']);
  expect(Object.keys(body.paths)).toEqual(Object.keys(document.paths));
  const { pathname, origin } = new URL(body.servers[0].url);
  expect(pathname).toBe('/');
  expect((await fetch(`${origin}/openapi.json`)).status).toBe(200);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { gatewayRefusals } from '../../infra/deploy/endpoints.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { expectError } from '../support/expectations.ts';
import { raw } from '../support/raw.ts';

let api: Api;
let headers: Record<string, string>;
beforeAll(async () => {
  api = await newOrganization();
  headers = { authorization: `Bearer ${api.apiKey}`, 'x-organization-id': api.organizationId };
});
const notFound = [404, 'not_found', 'Not Found'] as const;

describe('an unknown path or method is not found', () => {
  test.each([
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/nothing'],
    ['GET', '/Users'],
    ['GET', '/users/x/tickets'],
    ['GET', '/users/x/tickets/credit'],
    ['POST', '/users/x/tickets/balance'],
    ['POST', '/users/x'],
    ['DELETE', '/users/x'],
    ['PATCH', '/users/x'],
    ['PUT', '/users'],
    ['OPTIONS', '/users'],
    ['TRACE', '/users'],
    ['GET', '/users/x/tickets/balance/y'],
    ['GET', '//'],
    ['GET', '//users'],
    ['GET', '/users//'],
    ['GET', '/users//tickets/balance'],
    ['GET', '/%'],
    ['GET', '/users/%'],
    ['GET', '/users/%zz/tickets/balance'],
    ['GET', '/users/%C3%28'],
    ['GET', '/users/%ED%A0%80'],
    ['GET', '/constructor'],
    ['GET', '/__proto__'],
    ['OPTIONS', '*'],
    ['GET', 'http://'],
    ['GET', `/${'x'.repeat(10_000)}`],
  ])('%s %s', async (method, target) => {
    expectError(await raw({ method, target, headers }), ...notFound);
    expectError(await raw({ method, target }), ...notFound);
  });

  test('HEAD /users', async () => {
    expect(await raw({ method: 'HEAD', target: '/users', headers })).toMatchObject({ status: 404, body: '' });
  });
});

test('HEAD of a play URL returns the status and headers of GET, without a body', async () => {
  const { body } = await api.post(`/users/${await api.user(3)}/games/play`, {});
  const playUrl = new URL(body.url).pathname;
  for (const [target, status] of [
    [playUrl, 200],
    [`${playUrl}x`, 404],
  ] as const) {
    const [head, page] = [await api.call('HEAD', target), await api.get(target)];
    expect([head.status, page.status, head.body]).toEqual([status, status, '']);
    for (const name of ['content-type', 'cache-control', 'content-security-policy'])
      expect(head.headers.get(name)).toBe(page.headers.get(name));
  }
  expect((await api.post(`${playUrl}/spin`, {})).status).toBe(200);
  expect((await api.call('HEAD', `${playUrl}/spin`)).status).toBe(404);
});

test('a trailing slash makes no difference', async () => {
  const created = await api.post('/users/', { external_reference: 'slash' });
  const { user_id } = created.body;
  const found = await api.get('/users/?external_reference=slash');
  expect(found.body.user_id).toBe(user_id);
  expect((await api.get(`/users/${user_id}/`)).body.user_id).toBe(user_id);
  expect((await api.get(`/users/${user_id}/tickets/balance/`)).body.balance).toBe(0);
  expect((await api.post(`/users/${user_id}/tickets/credit/`, {})).status).toBe(422);
});

test('a path may be percent-encoded', async () => {
  const user = await api.user(3);
  const spelled = user.replace('usr_', '%75sr%5F');
  expect((await api.get(`/users/${spelled}/tickets/balance`)).body.balance).toBe(3);
});

test.each(['%FF', '%C3%28', '%ED%A0%80', 'a%E9b'])(
  'a query with bytes that are not UTF-8 is refused: %s',
  async (value) => {
    const target = `/users?external_reference=${value}`;
    const { detail } = gatewayRefusals.DEFAULT_4XX;
    expect(detail).toContain('the query must be UTF-8');
    expectError(
      await raw({ method: 'GET', target, headers }),
      400,
      'validation_failed',
      'Bad Request',
      detail,
    );
  },
);

test.each(['%', '100%', '%zz', '%EF%BF%BD', '%C3%A9'])('a query may contain any text: %s', async (value) => {
  const answer = await raw({ method: 'GET', target: `/users?external_reference=${value}`, headers });
  expectError(answer, 404, 'user_not_found', 'Invalid user ID');
});

test('an unencoded plus in a timestamp is refused with a hint', async () => {
  const calls = (start: string) =>
    raw({ method: 'GET', target: `/tickets/history?start=${start}&page_size=1`, headers });
  expectError(
    await calls('2026-01-01T00:00:00+01:00'),
    422,
    'validation_failed',
    'start: Input should be a valid datetime',
    'In a query, + stands for a space. Encode it as %2B',
  );
  expect((await calls('2026-01-01T00:00:00%2B01:00')).status).toBe(200);
});

test('a GET may have a body, which lookups ignore', async () => {
  const user = await api.user(3);
  for (const body of ['{"limit": -1}', 'no JSON', '[]']) {
    const answer = await raw({ method: 'GET', target: `/users/${user}/tickets/balance`, headers, body });
    expect(answer).toMatchObject({ status: 200, body: { balance: 3 } });
  }
});

test('each request has its own id', async () => {
  const answers = await Promise.all([api.get('/users/x'), api.get('/users/x'), api.get('/nothing')]);
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(3);
  expect(answers.map(({ body }) => body.request_id)).toEqual(ids);
});

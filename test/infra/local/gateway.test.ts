import { once } from 'node:events';
import { get, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { createGateway } from '../../../infra/local/gateway.ts';
import { allRoutes } from '../../../shared/api/routes.ts';

test('an authorizer that fails is a dependency that is down, as API Gateway says it', async () => {
  const invoke = async () => {
    throw new Error('the table does not answer');
  };
  const gateway = createGateway({ routes: allRoutes, invoke, now: Date.now, logged: () => {} });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const { port } = gateway.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/users/usr_x`, {
    headers: { authorization: 'Bearer x' },
  });
  gateway.close();
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toMatchObject({ status: 'error', code: 'unavailable' });
});

test.each([
  ['/play/a-token', '/play/…'],
  ['/play/a-token/spin', '/play/…/spin'],
  ['/%70lay/a-token', '/%70lay/…'],
  ['/x/../play/a-token', '/x/../play/…'],
  ['//play//a-token/', '//play/…'],
  ['/PLAY/a-token?lang=es', '/PLAY/…'],
  ['/users/usr_1/games/play', '/users/usr_1/games/play'],
  ['/users/usr_1/games/play/', '/users/usr_1/games/play/'],
])('the log of a request has no token of a play URL, however it is spelled: %s', async (target, shown) => {
  const paths: string[] = [];
  const logged = ({ path }: { path: string }) => paths.push(path);
  const invoke = async () => ({ statusCode: 200, body: '' });
  const gateway = createGateway({ routes: allRoutes, invoke, now: Date.now, logged });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const { port } = gateway.address() as AddressInfo;
  const [response] = await once(get({ port, path: target }), 'response');
  await once(response.resume(), 'end');
  gateway.close();
  expect(paths).toEqual([shown]);
});

/** Sends a request exactly as it is given, and tells the status and which function was called with what. */
async function sent(options: RequestOptions) {
  const calls: { name: string; pathParameters: unknown; query: unknown }[] = [];
  const invoke = async (name: string, event: unknown) => {
    const { pathParameters, queryStringParameters: query } = event as APIGatewayProxyEvent;
    if (name !== 'authorizer') calls.push({ name, pathParameters, query });
    return { statusCode: 200, body: '' };
  };
  const gateway = createGateway({ routes: allRoutes, invoke, now: Date.now, logged: () => {} });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const { port } = gateway.address() as AddressInfo;
  const headers = { authorization: 'Bearer x', ...options.headers };
  const withPort = Object.entries(headers).map(([name, value]) => [
    name,
    `${value}`.replace('PORT', `${port}`),
  ]);
  const [response] = await once(get({ port, ...options, headers: Object.fromEntries(withPort) }), 'response');
  await once(response.resume(), 'end');
  gateway.close();
  return { status: response.statusCode, calls };
}

describe('a path is matched as it was sent', () => {
  test.each([
    '/x/%2e%2e/users/usr_1',
    '/x/%2E./users/usr_1',
    '/x/../users/usr_1',
    '/%2e/users/usr_1',
    '/users/./usr_1',
    '/x/..%2fusers/usr_1',
    '/users\\usr_1',
    'http://localhost/x/%2e%2e/users/usr_1',
  ])('%s is no route', async (path) => {
    expect(await sent({ path })).toEqual({ status: 404, calls: [] });
  });

  test.each([
    ['/users/%2e%2e', { user_id: '..' }, null],
    ['/users/a%2fb?x=%2e%2e&x=1', { user_id: 'a/b' }, { x: '1' }],
    ['http://localhost/users/usr_1?x=http://y/?', { user_id: 'usr_1' }, { x: 'http://y/?' }],
  ])('%s is one', async (path, pathParameters, query) => {
    const { calls } = await sent({ path });
    expect(calls).toMatchObject([{ pathParameters, query }]);
  });
});

describe('the name that a request is for', () => {
  const path = '/users/usr_1';
  test.each(['localhost:PORT', 'LOCALHOST:PORT', '127.0.0.1:PORT', '[::1]:PORT'])(
    '%s is this machine',
    async (host) => {
      expect((await sent({ path, headers: { host } })).status).toBe(200);
    },
  );

  test.each([
    'evil.example',
    'evil.example:PORT',
    'localhost',
    'localhost:1',
    'localhost.evil.example:PORT',
    '127.0.0.1.evil.example:PORT',
    'x@localhost:PORT',
  ])('%s is another, and refused', async (host) => {
    expect(await sent({ path, headers: { host } })).toEqual({ status: 403, calls: [] });
  });
});

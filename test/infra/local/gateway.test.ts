import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
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

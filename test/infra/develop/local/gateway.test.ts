import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { createApiServer } from '../../../../infra/develop/local/api-server.ts';
import { systemClock } from '../../../../infra/develop/local/aws/clock.ts';
import type { Invoke } from '../../../../infra/develop/local/aws/invoke-function.ts';
import type { GatewayRequest } from '../../../../infra/develop/local/events.ts';
import { createGateway } from '../../../../infra/develop/local/gateway.ts';
import { failureTexts } from '../../../../shared/api/failure-page.ts';
import { allRoutes } from '../../../../shared/api/routes.ts';
import { langs } from '../../../../shared/vocabulary.ts';
import { createManualClock } from './manual-clock.ts';

const serverOf = (invoke: Invoke, onRequest = ({ path: _ }: { path: string }) => {}) =>
  createApiServer({ gateway: createGateway({ routes: allRoutes, invoke, clock: systemClock }), onRequest });

test('a failed authorizer gets the response that API Gateway gives', async () => {
  const invoke = async () => {
    throw new Error('the table does not answer');
  };
  const gateway = serverOf(invoke);
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
])('the log of a request has no play URL token, in any spelling: %s', async (target, shown) => {
  const paths: string[] = [];
  const onRequest = ({ path }: { path: string }) => void paths.push(path);
  const invoke = async () => ({ statusCode: 200, body: '' });
  const gateway = serverOf(invoke, onRequest);
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const { port } = gateway.address() as AddressInfo;
  const [response] = await once(get({ port, path: target }), 'response');
  await once(response.resume(), 'end');
  gateway.close();
  expect(paths).toEqual([shown]);
});

const allowing = (Resource: string) => ({
  principalId: 'key_1',
  context: { organizationId: 'org_1' },
  policyDocument: { Version: '2012-10-17', Statement: [{ Action: '*', Effect: 'Allow', Resource }] },
});

describe('the gateway with a fake clock', () => {
  const asked: GatewayRequest = {
    method: 'GET',
    target: '/users/usr_1?x=1&x=2',
    headers: { authorization: ['Bearer x'], accept: ['a', 'b'] },
    body: Buffer.from('text'),
  };

  test('passes on the request and its organization', async () => {
    const events: APIGatewayProxyEvent[] = [];
    const clock = createManualClock();
    const invoke: Invoke = async (name, event) => {
      if (name === 'authorizer') return allowing('*');
      events.push(event as APIGatewayProxyEvent);
      return { statusCode: 200, body: '' };
    };
    await createGateway({ routes: allRoutes, invoke, clock })(asked, 'req_1');
    expect(events).toMatchObject([
      {
        body: Buffer.from('text').toString('base64'),
        headers: { accept: 'b' },
        pathParameters: { user_id: 'usr_1' },
        queryStringParameters: { x: '2' },
        requestContext: {
          requestId: 'req_1',
          requestTimeEpoch: clock.now(),
          authorizer: { principalId: 'key_1', organizationId: 'org_1' },
        },
      },
    ]);
  });

  test.each([
    ['/users/usr_1', 'application/json; charset=utf-8'],
    ['/play/a-token', 'text/html; charset=utf-8'],
  ])('refuses a request line and headers above API Gateway’s limit: %s', async (path, type) => {
    const invoke: Invoke = async (name) =>
      name === 'authorizer' ? allowing('*') : { statusCode: 200, body: '' };
    const gateway = createGateway({ routes: allRoutes, invoke, clock: createManualClock() });
    const headers = { authorization: ['Bearer x'], cookie: ['a', 'b'.repeat(5000)] };
    const taken = 'GET  HTTP/1.1'.length + Object.values(headers).flat().join('').length;
    const send = (bytes: number) =>
      gateway({ ...asked, headers, target: `${path}?`.padEnd(bytes - taken, 'q') }, '1');
    expect(await send(10_240)).toMatchObject({ statusCode: 200 });
    expect(await send(10_241)).toMatchObject({ statusCode: 400, headers: { 'content-type': type } });
  });

  test('caches the authorizer’s result for a key, for the given time', async () => {
    const clock = createManualClock();
    const names: string[] = [];
    const invoke: Invoke = async (name) => {
      names.push(name);
      return name === 'authorizer' ? allowing('*') : { statusCode: 200, body: '' };
    };
    const gateway = createGateway({ routes: allRoutes, invoke, clock, authorizerTtlSeconds: 60 });
    const authorizations = async (key: string) => {
      await gateway({ ...asked, headers: { authorization: [key] } }, '1');
      return names.splice(0).includes('authorizer');
    };
    expect(await authorizations('Bearer x')).toBe(true);
    await clock.advance(59_999);
    expect([await authorizations('Bearer x'), await authorizations('Bearer y')]).toEqual([false, true]);
    await clock.advance(1);
    expect(await authorizations('Bearer x')).toBe(true);
  });

  const refusing = (result: unknown) => async (name: string) => {
    if (name === 'authorizer' && result instanceof Error) throw result;
    if (name === 'authorizer') return result;
    throw new Error('died');
  };
  test.each([
    ['a key that is not known', refusing(new Error('Unauthorized')), [401, 'unauthorized']],
    [
      'a policy for another method',
      refusing(allowing('arn:aws:execute-api:*/POST/users')),
      [403, 'forbidden'],
    ],
    ['an authorizer that fails', refusing(new Error('Rate Exceeded')), [503, 'unavailable']],
    ['an authorizer without a policy', refusing(null), [503, 'unavailable']],
    ['a function that dies', refusing(allowing('*')), [503, 'outcome_unknown']],
  ])('responds like API Gateway to %s', async (_, invoke, expected) => {
    const gateway = createGateway({ routes: allRoutes, invoke, clock: createManualClock() });
    const { statusCode, body } = await gateway(asked, 'req_1');
    expect([statusCode, JSON.parse(body)]).toEqual([
      expected[0],
      expect.objectContaining({ code: expected[1], request_id: 'req_1' }),
    ]);
  });

  test.each([
    ['a function of play pages that dies', 'GET', '/play/a-token', [503, 'failed']],
    ['one that plays and dies', 'POST', '/play/a-token/spin', [503, 'failed']],
    ['a path below play URLs', 'GET', '/play/a-token/more', [404, 'unknown']],
    ['a method that play URLs have not', 'DELETE', '/play/a-token', [404, 'unknown']],
    ['a play URL without its token', 'GET', '/play/', [404, 'unknown']],
  ] as const)(
    'responds to players with a page in all languages: %s',
    async (_, method, target, [status, failure]) => {
      const gateway = createGateway({
        routes: allRoutes,
        invoke: refusing(null),
        clock: createManualClock(),
      });
      const { statusCode, headers, body } = await gateway({ ...asked, method, target }, 'req_1');
      expect(statusCode).toBe(status);
      expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'x-request-id': 'req_1' });
      expect(headers?.['retry-after']).toBe(status === 503 ? '1' : undefined);
      for (const lang of langs) expect(body).toContain(failureTexts[lang][failure].title);
    },
  );

  test('responds to programs with JSON, even if their paths resemble play URLs', async () => {
    const gateway = createGateway({ routes: allRoutes, invoke: refusing(null), clock: createManualClock() });
    for (const target of ['/plays', '/users/usr_1/games/play/x', '/PLAY/x', '/']) {
      const { body } = await gateway({ ...asked, target }, 'req_1');
      expect(JSON.parse(body)).toMatchObject({ code: 'not_found' });
    }
  });
});

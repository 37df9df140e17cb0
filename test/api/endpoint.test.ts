import type { Context } from 'aws-lambda';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Route } from '../../shared/api/route.ts';
import { routes } from '../../shared/api/routes.ts';
import { type Api, newOrganization } from '../support/api.ts';
import { type EndpointName, eventOf, invoke } from '../support/invoke.ts';

const { handler: balance } = await import('../../functions/tickets/balance.ts');
const { handler: play } = await import('../../functions/games/play.ts');
const withPlayUrls = (Object.entries(routes) as [EndpointName, Route][])
  .filter(([, { access }]) => access.playUrls)
  .map(([name]) => name);
const { handler: credit } = await import('../../functions/tickets/credit.ts');

let api: Api;
let user_id: string;
beforeAll(async () => {
  api = await newOrganization();
  user_id = await api.user(3);
});
const context = {} as Context;
const run = async (handler: typeof balance, event: object) => {
  const { statusCode, body } = await handler(event as never, context);
  return { status: statusCode, body: JSON.parse(body) };
};
const balanceEvent = () =>
  eventOf('tickets/balance', { organizationId: api.organizationId, path: { user_id } });

describe('an endpoint verifies', () => {
  test.each([
    ['no authorizer at all', null],
    ['an authorizer that names nobody', {}],
    ['an empty organization', { organizationId: '' }],
    ['an organization that is no text', { organizationId: { $ne: '' } }],
  ])('that the authorizer found an organization: %s', async (_, authorizer) => {
    const event = balanceEvent();
    const answer = await run(balance, { ...event, requestContext: { ...event.requestContext, authorizer } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  test.each([
    ['another organization', { 'x-organization-id': 'org_other' }],
    ['none', {}],
    ['no headers', null],
  ])('that the caller sent the same organization, and not %s', async (_, headers) => {
    const answer = await run(balance, { ...balanceEvent(), headers });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});

describe('the address of the API', () => {
  const playEvent = () => eventOf('games/play', { organizationId: api.organizationId, path: { user_id } });
  const elsewhere = (context: object) => {
    const event = playEvent();
    return { ...event, requestContext: { ...event.requestContext, ...context } };
  };
  const { PUBLIC_URL } = process.env;
  afterEach(() => {
    process.env.PUBLIC_URL = PUBLIC_URL;
    delete process.env.PLAY_URL;
  });

  test.each(withPlayUrls)('is not used in play URLs of %s if those have their own address', async (name) => {
    process.env.PUBLIC_URL = 'https://a.example.com';
    process.env.PLAY_URL = 'https://b.example.com';
    const sent = name === 'debug/play' ? { result: 'tickets_only' } : {};
    const request = { organizationId: api.organizationId, path: { user_id }, body: sent };
    const { status, body } = await invoke(name, request);
    expect([status, String(body.url ?? body.preview_urls[0].url)]).toEqual([
      200,
      expect.stringMatching(/^https:\/\/b\.example\.com\/play\/[\w.-]+$/),
    ]);
    expect(JSON.stringify(body)).not.toContain('https://a.example.com');
  });

  test('is the configured address, whatever the request contains', async () => {
    process.env.PUBLIC_URL = 'https://incentives.example.com/';
    const { body } = await run(play, elsewhere({ domainName: undefined }));
    expect(body.url).toMatch(/^https:\/\/incentives\.example\.com\/play\/[\w-]{43}$/);
  });

  test('is the address of the request if none is configured', async () => {
    delete process.env.PUBLIC_URL;
    const { body } = await run(play, elsewhere({ domainName: 'a.example.com', stage: 'staging' }));
    expect(body.url).toMatch(/^https:\/\/a\.example\.com\/staging\/play\/[\w-]{43}$/);
  });

  test.each(['domainName', 'stage'])(
    'cannot be determined without the %s, which is an internal error',
    async (name) => {
      delete process.env.PUBLIC_URL;
      const answer = await run(play, elsewhere({ [name]: undefined }));
      expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
    },
  );
});

test('an error of the service is logged with the request’s ids, and a mistake of the caller is not', async () => {
  vi.stubEnv('LOG_LEVEL', 'INFO');
  const lines: object[] = [];
  const print = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(JSON.parse(line)));
  const noAnswer = eventOf('tickets/balance', { organizationId: api.organizationId, path: { user_id: 'x' } });
  await balance(noAnswer as never, context);
  expect(lines).toEqual([]);
  const { requestContext, ...event } = balanceEvent();
  const { organizationId } = api;
  const withoutSecret = { ...event, requestContext: { ...requestContext, authorizer: { organizationId } } };
  await balance(withoutSecret as never, { awsRequestId: 'of Lambda' } as Context);
  print.mockRestore();
  vi.unstubAllEnvs();
  const ids = { request_id: expect.stringMatching(/./), lambda_request_id: 'of Lambda' };
  expect(lines).toEqual([expect.objectContaining({ level: 'ERROR', ...ids })]);
});

test('a base64 body is decoded', async () => {
  const event = eventOf('tickets/credit', { organizationId: api.organizationId, path: { user_id } });
  const text = JSON.stringify({ amount: 1, idempotency_key: '🎟', description: 'é' });
  const body = Buffer.from(text).toString('base64');
  const answer = await run(credit, { ...event, body, isBase64Encoded: true });
  expect(answer).toMatchObject({ status: 200, body: { new_ticket_balance: 4 } });
});

test.each([
  [2 ** 60, 'less than or equal to 1000'],
  [-(2 ** 60), 'greater than or equal to 1'],
])('%d spins are refused with the bound of the field', async (num_of_spins, bound) => {
  const path = { user_id };
  const body = { num_of_spins, idempotency_key: 'k' };
  const answer = await invoke('amoe/queue', { organizationId: api.organizationId, path, body });
  expect([answer.status, answer.body.message]).toEqual([422, `num_of_spins: Input should be ${bound}`]);
});

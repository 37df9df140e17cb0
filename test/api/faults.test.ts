import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openapiDocument } from '../../shared/api/openapi/document.ts';
import { routesInStage } from '../../shared/api/route.ts';
import { allRoutes } from '../../shared/api/routes.ts';
import { createClient } from '../../shared/client/client.ts';
import { type Api, baseUrl, newOrganization } from '../support/api.ts';
import { invoke } from '../support/invoke.ts';

let api: Api;
beforeAll(async () => {
  api = await newOrganization();
});

/** Sends a request once, with a requested fault. */
async function send(method: string, path: string, fault: string, body?: object) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${api.apiKey}`,
      'x-organization-id': api.organizationId,
      'incentives-fault': fault,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const balanceOf = async (user: string) => (await api.get(`/users/${user}/tickets/balance`)).body.balance;
const five = { amount: 5, idempotency_key: 'five' };

test.each([
  ['unavailable', 503, 'unavailable'],
  ['throttled', 429, 'too_many_requests'],
])('%s: the request has no effect, and may be repeated', async (fault, status, code) => {
  const user = await api.user();
  const answer = await send('POST', `/users/${user}/tickets/credit`, fault, five);
  expect(answer).toMatchObject({ status, body: { status: 'error', code } });
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'));
  expect(await balanceOf(user)).toBe(0);
});

test('lost: the request takes effect, and the same request with the same header gets its response', async () => {
  const user = await api.user();
  const credit = () => send('POST', `/users/${user}/tickets/credit`, 'lost', five);
  expect(await credit()).toMatchObject({ status: 503, body: { code: 'outcome_unknown' } });
  expect(await balanceOf(user)).toBe(5);
  const replay = await credit();
  expect(replay).toMatchObject({ status: 200, body: { new_ticket_balance: 5 } });
  expect(replay.headers.get('idempotent-replayed')).toBe('true');
});

test('lost: a refusal arrives', async () => {
  const user = await api.user();
  const debit = await send('POST', `/users/${user}/tickets/debit`, 'lost', five);
  expect(debit).toMatchObject({ status: 400, body: { code: 'insufficient_tickets' } });
  await api.post('/users', { external_reference: 'taken' });
  const taken = await send('POST', '/users', 'lost', { external_reference: 'taken' });
  expect(taken.body.code).toBe('external_reference_taken');
});

test('lost: a repeated creation of a user returns the user, with and without the header', async () => {
  const user = { external_reference: 'once' };
  expect((await send('POST', '/users', 'lost', user)).body.code).toBe('outcome_unknown');
  const { user_id } = (await api.get('/users', user)).body;
  expect(await api.post('/users', user)).toMatchObject({ status: 200, body: { user_id } });
  expect(await send('POST', '/users', 'lost', user)).toMatchObject({ status: 200, body: { user_id } });
});

test('a play whose response is lost has its outcome', async () => {
  const user = await api.user(1);
  const { url } = (await api.post(`/users/${user}/games/play`, {})).body;
  const path = `${new URL(url).pathname}/spin`;
  expect((await send('POST', path, 'lost', {})).body.code).toBe('outcome_unknown');
  const { outcome } = (await api.post(path, {})).body;
  expect((await api.get(`/users/${user}/games/history`)).body.items).toEqual([outcome]);
});

test('slow: a client whose time is up repeats the request', async () => {
  const { apiKey, organizationId } = api;
  const attempts: number[] = [];
  const counted = createClient({
    baseUrl,
    apiKey,
    organizationId,
    tries: 20,
    timeoutMs: 900,
    fetch: (...sent) => {
      attempts.push(performance.now());
      return fetch(...sent);
    },
  });
  const user_id = await api.user();
  const { new_ticket_balance } = await counted.tickets.credit({ user_id, ...five }, { fault: 'slow=3' });
  expect(new_ticket_balance).toBe(5);
  expect(attempts.length).toBeGreaterThan(1);
});

test.each(['down', '', 'slow=0', 'slow=21', 'lost ', 'slow=1e1'])('%j is refused', async (fault) => {
  const user = await api.user();
  const { status, body } = await invoke('tickets/credit', {
    organizationId: api.organizationId,
    path: { user_id: user },
    body: five,
    headers: { 'Incentives-Fault': fault },
  });
  expect([status, body.code]).toEqual([422, 'validation_failed']);
  expect(body.message).toContain('Incentives-Fault: Input should be');
  expect(await balanceOf(user)).toBe(0);
});

describe('production', () => {
  afterEach(() => {
    process.env.STAGE = 'local';
  });

  test.each(['unavailable', 'throttled', 'lost', 'slow=20', 'down'])('ignores %s', async (fault) => {
    const user = await api.user(1);
    const url = { organizationId: api.organizationId, path: { user_id: user } };
    process.env.STAGE = 'production';
    const { status } = await invoke('games/play', {
      ...url,
      body: {},
      headers: { 'Incentives-Fault': fault },
    });
    expect(status).toBe(200);
    const read = await invoke('tickets/balance', { ...url, headers: { 'Incentives-Fault': fault } });
    expect(read).toMatchObject({ status: 200, body: { balance: 1 } });
  });

  test('does not document the header', () => {
    const documentOf = (stage: 'production' | 'staging') =>
      JSON.stringify(openapiDocument(routesInStage(stage, allRoutes), ''));
    expect(documentOf('production')).not.toMatch(/incentives-fault|parameters\/Fault/i);
    expect(documentOf('staging').match(/parameters\/Fault/g)!.length).toBeGreaterThan(25);
  });
});

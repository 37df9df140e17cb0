import { getEventListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { type Client, createClient, type ErrorCode, IncentivesError } from '../../shared/client/client.ts';
import { operations } from '../../shared/client/operations.ts';
import { baseUrl, newOrganization } from '../support/api.ts';
import { patienceMs } from '../support/patience.ts';
import { type Served, serve } from '../support/serve.ts';

let incentives: Client;
beforeAll(async () => {
  const { apiKey, organizationId } = await newOrganization();
  incentives = createClient({ baseUrl, apiKey, organizationId, tries: 50, timeoutMs: patienceMs });
});

const errorOf = async (call: Promise<unknown>): Promise<IncentivesError> => {
  const error = await call.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(IncentivesError);
  return error;
};

describe('on the service', () => {
  test('a call takes path, query and body as one object, and returns the response body', async () => {
    const { user_id } = await incentives.users.create({ external_reference: 'anna/17 &?' });
    expect(await incentives.users.find({ external_reference: 'anna/17 &?' })).toMatchObject({ user_id });
    const credit = { user_id, amount: 5, idempotency_key: 'first' };
    const credited = await incentives.tickets.credit(credit);
    expect(credited).toMatchObject({ status: 'success', new_ticket_balance: 5 });
    expect(await incentives.tickets.credit(credit)).toEqual(credited);
    expectTypeOf(credited.new_ticket_balance).toBeNumber();
    expect(await incentives.games.play({ user_id, lang: 'es' })).toMatchObject({ lang: 'es' });
    expect((await incentives.games.checkEligibility({ user_id })).restrictions).toEqual([]);
    expect((await incentives.webhooks.list()).webhooks).toEqual([]);
  });

  test.each(['', '.', '..', undefined])(
    'an id that would change the path is refused: %o',
    async (user_id) => {
      const asked = incentives.tickets.history({ user_id: user_id as string });
      await expect(asked).rejects.toThrow(/^tickets.history: user_id must be an id/);
      const listed = async () => {
        for await (const one of incentives.tickets.history.each({ user_id: user_id as string })) return one;
      };
      await expect(listed()).rejects.toThrow(TypeError);
    },
  );

  test('a list needs no argument if its call needs none', async () => {
    for await (const { webhook_id } of incentives.webhooks.list.each()) expect(webhook_id).toBeDefined();
  });

  test('a refusal is thrown with its code', async () => {
    const { user_id } = await incentives.users.create({ external_reference: 'poor' });
    const error = await errorOf(incentives.tickets.debit({ user_id, amount: 1, idempotency_key: 'much' }));
    expect(error).toMatchObject({
      code: 'insufficient_tickets',
      status: 400,
      message: 'insufficient ticket balance',
    });
    expect(error.requestId).toMatch(/^\S+$/);
    expectTypeOf<'insufficient_tickets'>().toExtend<ErrorCode>();
    expect((await errorOf(incentives.users.get({ user_id: 'usr_nobody' }))).code).toBe('user_not_found');
  });

  test('a list yields the items of all pages in order', async () => {
    const { user_id } = await incentives.users.create({ external_reference: 'listed' });
    for (let amount = 1; amount <= 5; amount++) {
      await incentives.tickets.credit({ user_id, amount, idempotency_key: `c${amount}` });
    }
    const newestFirst: number[] = [];
    for await (const { amount } of incentives.tickets.history.each({ user_id, limit: 2 }))
      newestFirst.push(amount);
    expect(newestFirst).toEqual([5, 4, 3, 2, 1]);
    const oldestFirst: number[] = [];
    for await (const row of incentives.reports.tickets.each({ user_id, page_size: 2 }))
      oldestFirst.push(row.amount);
    expect(oldestFirst).toEqual([1, 2, 3, 4, 5]);
    for await (const { amount } of incentives.reports.tickets.each({ user_id, page_size: 2, page: 2 })) {
      expect(amount).toBe(5);
    }
  });

  test('an invocation sends its payload and nothing else', async () => {
    const { webhook_id } = await incentives.webhooks.create({
      callback_url: `${baseUrl}/nothing`,
      secret_key: 'secret',
    });
    const sent = incentives.webhooks.invoke({ webhook_id, request_id: 'one', payload: { hello: 'world' } });
    expect(await sent).toEqual({ status: 'success' });
    expect(await incentives.webhooks.delete({ webhook_id })).toMatchObject({ webhook_id });
  });
});

type Call = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Answer = { status: number; headers?: Record<string, string>; body: string } | 'none';

/** Starts an HTTP server that sends `answers` in turn, and the last one again for further requests. */
async function serviceThat(...answers: Answer[]) {
  const calls: Call[] = [];
  server = await serve(async (request, response) => {
    const { method = '', url = '', headers } = request;
    calls.push({ method, url, headers, body: (await buffer(request)).toString() });
    const answer = answers[Math.min(calls.length, answers.length) - 1]!;
    if (answer === 'none') return request.socket.destroy();
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const client = createClient({ baseUrl: `${server.url}/`, headers: { 'x-mine': 'yes' }, tries: 3 });
  return { calls, client };
}
let server: Served | undefined;
afterEach(() => server?.close());

const success: Answer = { status: 200, body: '{"status":"success","new_ticket_balance":5}' };
const refusal = (status: number, code: string, retryAfter = '0'): Answer => ({
  status,
  headers: { 'retry-after': retryAfter },
  body: JSON.stringify({ status: 'error', code, message: code, request_id: 'req' }),
});
const credit = { user_id: 'u', amount: 5, idempotency_key: 'k' };

/** Whether the client sends a request again after a code: any request, one with an idempotency key, or none. */
const repeats: Record<IncentivesError['code'], 'any' | 'with a key' | 'none'> = {
  accepted_repeat_to_collect: 'with a key',
  book_not_found: 'none',
  claim_conflict: 'none',
  daily_spin_limit_reached: 'none',
  day_not_closed: 'none',
  drawing_not_found: 'none',
  external_reference_taken: 'none',
  forbidden: 'none',
  game_paused: 'none',
  idempotency_key_reused: 'none',
  insufficient_entries: 'none',
  insufficient_tickets: 'none',
  internal_error: 'none',
  no_answer: 'with a key',
  not_found: 'none',
  organization_suspended: 'none',
  outcome_unknown: 'with a key',
  play_expired: 'none',
  play_not_found: 'none',
  play_voided: 'none',
  prize_not_found: 'none',
  too_many_requests: 'any',
  sequence_not_reached: 'none',
  too_many_webhooks: 'none',
  unauthorized: 'none',
  unavailable: 'any',
  unexpected_answer: 'with a key',
  user_frozen: 'none',
  user_not_found: 'none',
  validation_failed: 'none',
  webhook_not_found: 'none',
};

test.each(Object.entries(repeats))('after %s, the client repeats requests: %s', async (code, which) => {
  const headers = { 'retry-after': '0' };
  const answers: Record<string, () => Response> = {
    no_answer: () => {
      throw new TypeError('fetch failed');
    },
    unexpected_answer: () => new Response('<h1>', { status: 502, headers }),
  };
  const refused = () => Response.json({ status: 'error', code }, { status: 503, headers });
  const callsOf = async (ask: (client: Client) => Promise<unknown>) => {
    const fetch = vi.fn(async () => (answers[code] ?? refused)());
    const error = await errorOf(ask(createClient({ baseUrl, fetch, tries: 2 })));
    expect(error.code).toBe(code);
    return fetch.mock.calls.length;
  };
  const withKey = await callsOf((client) => client.tickets.credit(credit));
  const withoutKey = await callsOf((client) => client.webhooks.invoke({ webhook_id: 'wh_1', payload: {} }));
  expect([withKey, withoutKey]).toEqual({ any: [2, 2], 'with a key': [2, 1], none: [1, 1] }[which]);
});

describe('a request that fails temporarily', () => {
  test.each([
    ['unavailable', refusal(503, 'unavailable')],
    ['a broken connection', 'none'],
    ['a proxy that has no service behind it', { status: 502, headers: { 'retry-after': '0' }, body: '<h1>' }],
  ] satisfies [string, Answer][])('is sent again unchanged after %s', async (_, answer) => {
    const { calls, client } = await serviceThat(answer, success);
    expect(await client.tickets.credit(credit)).toMatchObject({ new_ticket_balance: 5 });
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
    expect(calls[0]).toMatchObject({ url: '/users/u/tickets/credit', headers: { 'x-mine': 'yes' } });
    expect(JSON.parse(calls[0]!.body)).toEqual({ amount: 5, idempotency_key: 'k' });
    expect(calls[0]!.headers).not.toHaveProperty('x-organization-id');
  });

  test('fails after its last attempt, with the last reason', async () => {
    const { calls, client } = await serviceThat(refusal(503, 'unavailable'));
    const error = await errorOf(client.tickets.credit(credit));
    expect(error).toMatchObject({ code: 'unavailable', status: 503, requestId: 'req', retryAfter: 0 });
    expect(calls).toHaveLength(3);
  });

  test('is sent again with a request id, by which a repeated invocation is recognized', async () => {
    const invoked = await serviceThat(refusal(503, 'outcome_unknown'), success);
    const invocation = { webhook_id: 'wh_1', payload: {} };
    expect((await errorOf(invoked.client.webhooks.invoke(invocation))).code).toBe('outcome_unknown');
    await server?.close();
    const named = await serviceThat(refusal(503, 'outcome_unknown'), success);
    await named.client.webhooks.invoke({ ...invocation, request_id: 'one' });
    expect([invoked.calls.length, named.calls.length]).toEqual([1, 2]);
  });

  test.each([
    [undefined, 0, [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]],
    [undefined, 1, [625, 1250, 2500, 5000, 10_000, 20_000, 25_000, 25_000]],
    ['120', 0, Array(8).fill(120_000)],
    ['1000000', 0, [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]],
    ['soon', 0, [500, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]],
  ])('waits between attempts: Retry-After %s, random number %d', async (after, random, expected) => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const sentAt: number[] = [];
    const fetch = async () => {
      sentAt.push(Date.now());
      return Response.json(
        { status: 'error', code: 'unavailable' },
        { status: 503, headers: after === undefined ? {} : { 'retry-after': after } },
      );
    };
    const { signal } = new AbortController();
    const failed = errorOf(
      createClient({ baseUrl, fetch, tries: 9 }).users.get({ user_id: 'u' }, { signal }),
    );
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect((await failed).code).toBe('unavailable');
    expect(sentAt.slice(1).map((time, i) => time - sentAt[i]!)).toEqual(expected);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('is given up when no response arrives in time', async () => {
    vi.useFakeTimers();
    const fetch = (_: unknown, { signal }: RequestInit = {}) =>
      new Promise<Response>((_, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason));
      });
    const failed = errorOf(createClient({ baseUrl, fetch, tries: 1 }).users.get({ user_id: 'u' }));
    await vi.advanceTimersByTimeAsync(34_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failed).toMatchObject({
      code: 'no_answer',
      message: `GET ${baseUrl}/users/u: no answer`,
      cause: new Error('no answer in 35000 ms'),
    });
    vi.useRealTimers();
  });

  test('stops when the caller aborts it, even while it waits', async () => {
    const { calls, client } = await serviceThat(refusal(429, 'too_many_requests', '9999'));
    const controller = new AbortController();
    const call = client.tickets.credit(credit, { signal: controller.signal });
    await expect.poll(() => calls.length).toBe(1);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    vi.useFakeTimers();
    const fetch = async () => Response.json({ status: 'error', code: 'unavailable' }, { status: 503 });
    const later = new AbortController();
    const waiting = createClient({ baseUrl, fetch }).users.get({ user_id: 'u' }, { signal: later.signal });
    const stopped = expect(waiting).rejects.toThrow('later');
    await vi.advanceTimersByTimeAsync(100);
    later.abort(new Error('later'));
    await stopped;
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test('asks for a fault only in its first attempt', async () => {
    const { calls, client } = await serviceThat(refusal(503, 'unavailable'), success);
    await client.tickets.credit(credit, { fault: 'unavailable' });
    expect(calls.map(({ headers }) => headers['incentives-fault'])).toEqual(['unavailable', undefined]);
  });
});

test.each<[number, string, number]>([
  [200, '<html>', 1],
  [200, 'null', 1],
  [200, '"success"', 1],
  [404, '{"code":"user_not_found"}', 1],
  [404, '{"status":"error","code":404}', 1],
  [499, '', 1],
  [429, '', 3],
  [500, '', 3],
])('a response %d %s is not from the service, and is requested %d times', async (status, body, times) => {
  const headers = { 'retry-after': '0', 'x-request-id': 'proxy' };
  const { calls, client } = await serviceThat({ status, headers, body });
  expect(await errorOf(client.tickets.credit(credit))).toMatchObject({
    code: 'unexpected_answer',
    message: `HTTP ${status}, but not from the service`,
    requestId: 'proxy',
  });
  expect(calls).toHaveLength(times);
});

test('a redirect is not followed, because it would turn a POST into a GET', async () => {
  const moved: Answer = { status: 301, headers: { location: '/elsewhere' }, body: '' };
  const { calls, client } = await serviceThat(moved, success);
  expect(await errorOf(client.tickets.credit(credit))).toMatchObject({
    code: 'unexpected_answer',
    status: 301,
  });
  expect(calls).toHaveLength(1);
});

test('a permanent refusal is not retried', async () => {
  const { calls, client } = await serviceThat(refusal(500, 'internal_error'));
  expect((await errorOf(client.tickets.credit(credit))).code).toBe('internal_error');
  expect(calls).toHaveLength(1);
});

describe('a client cannot be created', () => {
  test.each([undefined, '', 'localhost:3000', 'api.example.com', '/api', 'ftp://example.com'])(
    'for the address %j',
    (address) => {
      expect(() => createClient({ baseUrl: address as string })).toThrow(
        new TypeError('createClient: baseUrl must be a URL such as https://api.example.com'),
      );
    },
  );

  test.each([0, -1, Number.NaN, 2 ** 31, '1000', null])('with timeoutMs %j', (timeoutMs) => {
    const options = { baseUrl, timeoutMs: timeoutMs as number };
    expect(() => createClient(options)).toThrow(/^createClient: timeoutMs must be /);
  });

  test.each([0, -1, Number.NaN, 1.5, '3', null])('with %j tries', (tries) => {
    expect(() => createClient({ baseUrl, tries: tries as number })).toThrow(/^createClient: tries must be /);
  });

  test.each(['ключ', 'a\nb'])('with the key %j, which a header cannot contain', (key) => {
    expect(() => createClient({ baseUrl, apiKey: key })).toThrow(TypeError);
  });
});

test('a list of events continues after the last one until all are read', async () => {
  const page = (name: string, more: object): Answer => ({
    status: 200,
    body: JSON.stringify({ status: 'success', events: [name], ...more }),
  });
  const { calls, client } = await serviceThat(
    page('a', { next: 'n1', is_all: false }),
    page('b', { next: 'n2', is_all: true }),
  );
  const seen: unknown[] = [];
  const from = { user_id: 'usr_1', after_sequence: 41 };
  for await (const event of client.events.list.each(from)) seen.push(event);
  expect(seen).toEqual(['a', 'b']);
  expect(calls.map(({ url }) => url)).toEqual([
    '/events?after_sequence=41&user_id=usr_1',
    '/events?after=n1&user_id=usr_1',
  ]);
});

test('every operation of the document can be called, except for those of players', () => {
  const client = createClient({ baseUrl }) as unknown as Record<string, Record<string, { each?: unknown }>>;
  const names = Object.keys(client).flatMap((group) =>
    Object.keys(client[group]!).map((name) => `${group}.${name}`),
  );
  const named = Object.entries(operations).flatMap(([group, methods]) =>
    Object.keys(methods).map((name) => `${group}.${name}`),
  );
  expect(names).toEqual(named);
  const listing = names.filter((name) => {
    const [group = '', method = ''] = name.split('.');
    return client[group]![method]!.each !== undefined;
  });
  expect(listing.sort()).toEqual([
    'events.list',
    'games.history',
    'prizes.list',
    'reports.entries',
    'reports.outcomes',
    'reports.tickets',
    'tickets.history',
    'webhooks.history',
    'webhooks.list',
  ]);
});

import { beforeEach, expect, test, vi } from 'vitest';
import type { HttpResponse } from '../journal.ts';
import { type ClientHabits, call, type Request } from './client.ts';
import { createFakeApi } from './fake-api.ts';

beforeEach(() => {
  vi.stubEnv('STAGE', 'staging');
});

const calm: ClientHabits = { duplicateChance: 0, repeatChance: 0, abandonChance: 0 };
const credit: Request = {
  endpoint: 'debug/daily-cash-limit',
  body: { cash_limit: 5 },
};

const refused = (status: number, code: string, retryAfter?: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...(retryAfter ? { 'retry-after': retryAfter } : {}) },
  body: JSON.stringify({ status: 'error', code }),
});

/** Sends a request to a fake API, which first returns the responses in `first`, then its usual responses. */
async function send(
  request: Request,
  first: (HttpResponse | 'lost')[],
  habits: Partial<ClientHabits> = {},
  seed = '1',
) {
  const fake = createFakeApi({ seed, instead: (_, number) => first[number - 1] });
  const founded = fake.api.admin(['org', 'create']);
  await fake.run(founded);
  const { organization_id: organizationId, api_key: apiKey } = (await founded).printed;
  const answered = call(fake.api, { organizationId, apiKey }, request, fake.api.random, {
    ...calm,
    ...habits,
  });
  await fake.run(answered);
  return { answer: await answered, exchanges: fake.api.journal.exchanges, requests: fake.requests };
}

test('a request gives one exchange with its answer', async () => {
  const { answer, exchanges } = await send(credit, []);
  expect(exchanges).toEqual([
    {
      sentAt: expect.any(Number),
      endpoint: 'debug/daily-cash-limit',
      organizationId: 'org_0',
      path: {},
      query: {},
      body: { cash_limit: 5 },
      intent: 0,
      answer,
    },
  ]);
  expect(answer).toMatchObject({ status: 200, body: { status: 'success' } });
});

test.each([
  ['too_many_requests', 429],
  ['unavailable', 503],
  ['outcome_unknown', 503],
  ['accepted_repeat_to_collect', 503],
])('a request is retried after %s, not before the given time', async (code, status) => {
  const { answer, exchanges } = await send(credit, [refused(status, code, '7')]);
  expect(answer?.status).toBe(200);
  expect(exchanges).toHaveLength(2);
  const [first, second] = exchanges;
  expect(second).toMatchObject({ intent: first!.intent, body: first!.body });
  expect(second!.sentAt - first!.answer!.at).toBeGreaterThanOrEqual(7000);
});

test('a lost answer is followed by a retry', async () => {
  const { answer, exchanges } = await send(credit, ['lost', 'lost']);
  expect(answer?.status).toBe(200);
  expect(exchanges.map(({ intent }) => intent)).toEqual([0, 0, 0]);
  expect(exchanges.map(({ answer }) => answer?.status)).toEqual([undefined, undefined, 200]);
});

test.each([400, 404, 409, 422, 500])('a %i is final and not retried', async (status) => {
  const { answer, exchanges } = await send(credit, [refused(status, 'some')]);
  expect([answer?.status, exchanges.length]).toEqual([status, 1]);
});

test('a client that gives up at once may never learn the outcome', async () => {
  const { answer, exchanges } = await send(credit, ['lost'], { abandonChance: 1 });
  expect([answer, exchanges.length]).toEqual([undefined, 1]);
});

test.each<[string, Request]>([
  [
    'the registration of a webhook',
    { endpoint: 'webhooks/create', body: { callback_url: 'https://a.example/', secret_key: 's' } },
  ],
  [
    'an invocation without a request id',
    { endpoint: 'webhooks/invoke', path: { webhook_id: 'wh_1' }, body: '{}' },
  ],
])('%s is retried only if nothing was done', async (_, request) => {
  expect((await send(request, [refused(503, 'unavailable', '1')])).exchanges).toHaveLength(2);
  expect((await send(request, [refused(503, 'outcome_unknown', '1')])).exchanges).toHaveLength(1);
  expect((await send(request, ['lost'], { duplicateChance: 1, repeatChance: 1 })).exchanges).toHaveLength(1);
});

test('a request may be sent twice at once, and again after its answer', async () => {
  const { exchanges } = await send(credit, [], { duplicateChance: 1, repeatChance: 1 });
  const [first, second, third] = exchanges;
  expect(exchanges.map(({ intent }) => intent)).toEqual([0, 0, 0]);
  expect(second!.sentAt).toBe(first!.sentAt);
  expect(third!.sentAt).toBeGreaterThan(Math.max(first!.answer!.at, second!.answer!.at));
});

test('of two concurrent answers the successful one is used', async () => {
  const { answer } = await send(credit, [refused(409, 'taken')], { duplicateChance: 1 });
  expect(answer?.status).toBe(200);
});

test('an invalid request is never sent twice without a reason', async () => {
  const { exchanges } = await send({ ...credit, mistake: 'some' }, [], {
    duplicateChance: 1,
    repeatChance: 1,
  });
  expect(exchanges).toMatchObject([{ mistake: 'some' }]);
});

test('invalid JSON in an answer stays text', async () => {
  const broken = { status: 200, headers: { 'content-type': 'application/json' }, body: '{' };
  expect((await send(credit, [broken])).answer?.body).toBe('{');
});

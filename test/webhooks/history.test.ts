import { ulid } from 'ulid';
import { beforeAll, describe, expect, test } from 'vitest';
import { callRecorder, type WebhookCall } from '../../shared/webhooks/calls.ts';
import { type Answer, type Api, newOrganization, times } from '../support/api.ts';
import { raw } from '../support/raw.ts';

let api: Api;
const now = Date.now();
const day = 24 * 60 * 60 * 1000;
// Times of 30 calls over several days. Each time belongs to two calls.
const at = times(30, (i) => now - Math.floor(i / 2) * 0.3 * day - 60_000).reverse();
const iso = (ms: number) => new Date(ms).toISOString();
const all = { start: iso(now - 30 * day), end: iso(now) };
const typeOf = (index: number) => (index % 5 === 0 ? 'cash_won' : 'balance_updated');

const call = (index: number, more: Partial<WebhookCall> = {}): WebhookCall => ({
  organization_id: api.organizationId,
  webhook_id: `wh_${ulid(now)}`,
  event_id: `evt_${index}`,
  event_type: typeOf(index),
  timestamp: iso(at[index] ?? now),
  url: 'https://hooks.example.com/',
  payload: JSON.stringify({ id: `evt_${index}`, number: index }),
  attempt: 1,
  response_status: 200,
  duration_ms: 12,
  ...more,
});
const history = (query: Record<string, string | number>, of = api) => of.get('/webhook/history', query);
const numbers = ({ body }: Answer) =>
  body.calls.map(({ payload }: { payload: { number: number } }) => payload.number);
const sorted = (list: number[]) => [...list].sort((a, b) => a - b);

beforeAll(async () => {
  api = await newOrganization();
  const record = callRecorder();
  await Promise.all([
    ...times(30, (i) => record(call(i))),
    record(call(99, { timestamp: iso(now - 100 * day) })),
  ]);
});

describe('the history of webhook calls', () => {
  test('shows each call’s payload, URL, time and result', async () => {
    const { status, body } = await history({ ...all, limit: 1 });
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      calls: [
        {
          timestamp: iso(at[0]!),
          url: 'https://hooks.example.com/',
          payload: { id: expect.any(String), number: expect.any(Number) },
          webhook_id: expect.stringMatching(/^wh_/),
          event_id: expect.any(String),
          event_type: expect.any(String),
          attempt: 1,
          response_status: 200,
          duration_ms: 12,
        },
      ],
      next_token: expect.stringMatching(/^[\w-]+$/),
      limit: 1,
      is_all: false,
    });
  });

  test.each([1, 7, 29, 30, 1000])('has every call once in pages of %i, in order of time', async (limit) => {
    const seen: number[] = [];
    const timestamps: string[] = [];
    let page = await history({ ...all, limit });
    for (;;) {
      seen.push(...numbers(page));
      timestamps.push(...page.body.calls.map(({ timestamp }: { timestamp: string }) => timestamp));
      expect(page.body.is_all).toBe(page.body.next_token === '');
      if (page.body.is_all) break;
      expect(page.body.calls).toHaveLength(limit);
      page = await history({ ...all, limit, next_token: page.body.next_token });
    }
    expect(sorted(seen)).toEqual(times(30, (i) => i));
    expect(timestamps).toEqual([...timestamps].sort());
  });

  test('has only calls of one event type if filtered', async () => {
    const page = await history({ ...all, event_type: 'cash_won', limit: 4 });
    expect(page.body.is_all).toBe(false);
    const rest = await history({
      ...all,
      event_type: 'cash_won',
      limit: 4,
      next_token: page.body.next_token,
    });
    expect(sorted([...numbers(page), ...numbers(rest)])).toEqual([0, 5, 10, 15, 20, 25]);
    expect(rest.body.is_all).toBe(true);
    expect(numbers(await history({ ...all, event_type: 'prize_won' }))).toEqual([]);
  });

  test('includes both ends of the time range', async () => {
    const answer = await history({ start: iso(at[4]!), end: iso(at[9]!) });
    expect(sorted(numbers(answer))).toEqual([4, 5, 6, 7, 8, 9]);
    expect(numbers(await history({ start: iso(at[9]! + 1), end: iso(at[10]! - 1) }))).toEqual([]);
    const justAfter = (ms: number) => iso(ms).replace('Z', '1Z');
    const finer = await history({ start: justAfter(at[4]!), end: justAfter(at[9]!) });
    expect(sorted(numbers(finer))).toEqual([6, 7, 8, 9]);
    expect(numbers(await history({ start: justAfter(at[4]!), end: justAfter(at[4]!) }))).toEqual([]);
  });

  test('shows a payload byte for byte as it was sent', async () => {
    const payload = String.raw`{"id":9007199254740993, "y":1e400,"b":"\"\\é","2":{"a":1,"a":2},"1":[-0]}`;
    const mine = await newOrganization();
    await callRecorder()(call(0, { organization_id: mine.organizationId, payload }));
    const { start, end } = all;
    const { bytes } = await raw({
      method: 'GET',
      target: `/webhook/history?${new URLSearchParams({ start, end })}`,
      headers: { authorization: `Bearer ${mine.apiKey}`, 'x-organization-id': mine.organizationId },
    });
    expect(bytes.toString()).toContain(`"payload":${payload},`);
  });

  test('reaches back 90 days, for which records are kept, whatever the start of the range', async () => {
    expect(
      numbers(await history({ start: '1970-01-01T00:00:00Z', end: '9999-12-31T00:00:00Z' })),
    ).toHaveLength(30);
  });

  test('is empty for a limit of 0, and says whether there are calls', async () => {
    const { body } = await history({ ...all, limit: 0 });
    expect(body).toMatchObject({ calls: [], is_all: false, next_token: expect.stringMatching(/^[\w-]+$/) });
    const next = await history({ ...all, limit: 30, next_token: body.next_token });
    expect(sorted(numbers(next))).toEqual(times(30, (i) => i));
    expect(next.body.is_all).toBe(true);
    const none = await history({ ...all, event_type: 'prize_won', limit: 0 });
    expect(none.body).toMatchObject({ calls: [], is_all: true, next_token: '' });
  });

  test('is empty for another organization', async () => {
    const other = await newOrganization();
    const { body } = await history(all, other);
    expect(body).toEqual({ status: 'success', calls: [], next_token: '', limit: 1000, is_all: true });
  });

  test('has pages of at most four megabytes', async () => {
    const mine = await newOrganization();
    const record = callRecorder();
    const text = 'x'.repeat(60_000);
    const large = (number: number) =>
      call(number, { organization_id: mine.organizationId, payload: JSON.stringify({ number, text }) });
    await Promise.all(times(90, (i) => record({ ...large(i), timestamp: iso(now - 60_000 + i) })));
    const first = await history(all, mine);
    expect(first.body.is_all).toBe(false);
    expect(JSON.stringify(first.body).length).toBeLessThan(4.5 * 1024 * 1024);
    const second = await history({ ...all, next_token: first.body.next_token }, mine);
    expect(second.body.is_all).toBe(true);
    expect([...numbers(first), ...numbers(second)]).toEqual(times(90, (i) => i));
  });
});

describe('a page of invocations', () => {
  test.each([
    ['letters of three bytes', { text: '€'.repeat(21_000) }],
    ['quotes', { text: '"'.repeat(32_000) }],
    ['short words', { list: times(10_000, () => 'a') }],
  ])('fits into a Lambda response: %s', async (_, body) => {
    const mine = await newOrganization();
    const record = callRecorder();
    const large = (i: number) => ({
      organization_id: mine.organizationId,
      timestamp: iso(now - 60_000 + i),
      payload: JSON.stringify({ number: i, ...body }),
    });
    await Promise.all(times(80, (i) => record(call(i, large(i)))));
    const seen: number[] = [];
    let next_token = '';
    do {
      const page = await history({ ...all, ...(next_token ? { next_token } : {}) }, mine);
      const answer = { statusCode: 200, body: JSON.stringify(page.body) };
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(6_000_000);
      seen.push(...numbers(page));
      next_token = page.body.next_token;
    } while (next_token);
    expect(seen).toEqual(times(80, (i) => i));
  });
});

describe('an invalid history request', () => {
  const error = ({ status, body }: Answer) => [status, body.message];
  test.each([
    [{}, 422, 'start: Field required'],
    [{ start: '2026-01-01' }, 422, 'end: Field required'],
    [{ start: 'yesterday', end: '2026-01-01' }, 422, 'start: Input should be a valid datetime'],
    [{ start: '2026-01-02', end: '2026-01-01' }, 422, 'start: Input must not be after end'],
    [
      { start: '2026-01-01', end: '2026-01-02', event_type: 'invoke' },
      422,
      "event_type: Input should be 'outcome', 'balance_updated', 'cash_won', 'prize_won', 'prize_updated', 'drawing_closed' or 'drawing_won'",
    ],
    [
      { start: '2026-01-01', end: '2026-01-02', next_token: 'abc' },
      422,
      'next_token: Input should come from an earlier page of this list, with the same filters',
    ],
  ])('is refused with a reason: %j', async (query, status, message) => {
    expect(error(await history(query as unknown as Record<string, string>))).toEqual([status, message]);
  });

  test('is refused if its token belongs to another filter', async () => {
    const { next_token } = (await history({ ...all, limit: 1 })).body;
    const other = await history({ ...all, event_type: 'cash_won', next_token });
    expect(error(other)).toEqual([
      422,
      'next_token: Input should come from an earlier page of this list, with the same filters',
    ]);
  });
});

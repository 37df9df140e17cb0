import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseUser } from '../../infra/operate/admin/erase-user.ts';
import { createApiKey } from '../../shared/actions/change-keys.ts';
import { tableClient } from '../../shared/table/client.ts';
import { timeSortKey } from '../../shared/table/keys.ts';
import { type Api, apiOf, newOrganization, times } from '../support/api.ts';
import { expectError, expectInvalid } from '../support/expectations.ts';
import { invoke } from '../support/invoke.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { testContext } from '../support/test-context.ts';

type Query = Record<string, string>;
type Event = {
  id: string;
  type: string;
  sequence: number;
  data: { user_id: string; amount: number; transaction_id: string };
};

const aMinute = 60_000;
/** Reads a page of events with a clock two minutes ahead, because a new event appears after one minute. */
async function page(api: Api, query: Query = {}, now = Date.now() + 2 * aMinute) {
  const { status, body } = await invoke('events/list', { organizationId: api.organizationId, query, now });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { events: Event[]; next: string; is_all: boolean };
}

async function allPages(api: Api, query: Query = {}) {
  const events: Event[] = [];
  for (let pages = 1, from: Query = {}; ; pages++) {
    const read = await page(api, { ...query, ...from });
    events.push(...read.events);
    from = { after: read.next };
    expect(pages, 'a cursor must move on').toBeLessThan(1000);
    if (read.is_all) return { events, pages, after: read.next };
  }
}

/** Calls `run` while queries of the index do not return the records with these ULIDs. */
async function withoutInIndex<T>(ulids: Set<string>, run: () => Promise<T>): Promise<T> {
  const name = 'withoutInIndex';
  tableClient.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const output = answer.output as { Items?: Record<string, string>[] };
      if (!('IndexName' in args.input) || !output.Items) return answer;
      const Items = output.Items.filter((item) => !ulids.has(timeSortKey(item as never)));
      return { ...answer, output: { ...output, Items } } as unknown as typeof answer;
    },
    { step: 'initialize', name },
  );
  return run().finally(() => tableClient.middlewareStack.remove(name));
}

const credit = (api: Api, user_id: string, amount: number) =>
  api.post(`/users/${user_id}/tickets/credit`, { amount, idempotency_key: crypto.randomUUID() });

let receiver: Receiver;
let api: Api;
let users: string[];
beforeAll(async () => {
  receiver = await startReceiver();
  api = await newOrganization();
  await api.post('/webhooks', { callback_url: receiver.url, secret_key: 'secret' });
  users = await Promise.all(times(5, () => api.user(20)));
  for (const user_id of users) {
    await credit(api, user_id, 3);
    await api.post(`/users/${user_id}/entries/credit`, { amount: 1, idempotency_key: 'entry' });
    const { body } = await api.post(`/debug/users/${user_id}/games/play`, { result: 'jackpot' });
    const token = new URL(body.url).pathname.split('/').at(-1);
    await api.post(`/play/${token}/spin`, { client_seed: 'c'.repeat(22) });
  }
});
afterAll(() => receiver.close());

const idsOf = (events: { id: string }[]) => events.map(({ id }) => id);
const byUser = (events: Event[]) => Map.groupBy(events, ({ data }) => data.user_id);

describe('the events of an organization', () => {
  test('have the ids and bytes of the payloads that the webhook receives', async () => {
    const { events } = await allPages(api);
    const calls = await receiver.until(events.length);
    const texts = new Map(calls.map(({ id, text }) => [id, text]));
    expect(events.length).toBeGreaterThanOrEqual(5 * 5);
    expect(idsOf(events).sort()).toEqual([...texts.keys()].sort());
    for (const event of events) expect(JSON.stringify(event)).toBe(texts.get(event.id));
  });

  test('are all read, once and in each user’s order, whatever the size of the pages', async () => {
    const { events } = await allPages(api);
    for (const limit of ['1', '2', '3', '7', '1000']) {
      const read = await allPages(api, { limit });
      expect(idsOf(read.events), `pages of ${limit}`).toEqual(idsOf(events));
      expect(read.pages).toBeLessThanOrEqual(Math.ceil(events.length / Number(limit)) + 1);
    }
    for (const ofUser of byUser(events).values()) {
      const sequences = [...new Set(ofUser.map(({ sequence }) => sequence))];
      expect(sequences).toEqual(times(sequences.length, (index) => index + 1));
      expect(ofUser.map(({ sequence }) => sequence)).toEqual(ofUser.map(({ sequence }) => sequence).sort());
    }
  });

  test('are those of one type with a filter, and the cursor passes the others', async () => {
    const { events } = await allPages(api);
    const won = await allPages(api, { event_type: 'cash_won', limit: '2' });
    expect(won.events).toEqual(events.filter(({ type }) => type === 'cash_won'));
    expect(won.events).toHaveLength(5);
  });

  test('appear after one minute, and a cursor from an empty page does not miss them', async () => {
    const early = await newOrganization();
    const before = await page(early);
    const user_id = await early.user(7);
    const fresh = await page(early, {}, Date.now());
    expect(fresh).toMatchObject({ events: [], is_all: true });
    const settled = await page(early, { after: fresh.next });
    expect(settled.events).toMatchObject([{ type: 'balance_updated', data: { user_id, amount: 7 } }]);
    // A request with a clock two minutes ahead returned the cursor `before.next`. The cursor must not move back.
    expect(await page(early, { after: before.next }, Date.now())).toEqual({
      status: 'success',
      events: [],
      next: before.next,
      is_all: true,
    });
  });

  test.each([
    ['first', [0]],
    ['middle', [1, 2]],
    ['last', [2, 3]],
  ])('contain the %s events of a user that the index still lacks', async (_, hidden) => {
    const own = await newOrganization();
    const user_id = await own.user(1);
    await own.post(`/users/${user_id}/game/queue`, { num_of_spins: 1, idempotency_key: 'queue' });
    for (const amount of [2, 3, 4]) await credit(own, user_id, amount);
    const all = (await page(own)).events;
    const late = new Set(hidden.map((index) => all[index]!.data.transaction_id.slice(4)));
    const read = await withoutInIndex(late, () => allPages(own, { limit: '10' }));
    expect(read.events).toEqual(all);
    expect(all.map(({ data }) => data.amount)).toEqual([1, 2, 3, 4]);
  });

  test('contain a user’s last event that the index still lacks, also if a page ends soon after it', async () => {
    const own = await newOrganization();
    const [user_id, other] = [await own.user(1), await own.user(1)];
    await credit(own, user_id, 2);
    for (const amount of times(20, (index) => index + 1)) await credit(own, other, amount);
    const all = (await page(own)).events;
    const late = new Set(
      all.filter(({ data }) => data.amount === 2).map((one) => one.data.transaction_id.slice(4)),
    );
    const read = await withoutInIndex(late, () => allPages(own, { limit: '3' }));
    expect(read.events).toEqual(all);
  });

  test('continue where a host stopped', async () => {
    const { after } = await allPages(api);
    expect(await page(api, { after })).toMatchObject({ events: [], is_all: true });
    const [user_id = ''] = users;
    await invoke('tickets/credit', {
      organizationId: api.organizationId,
      path: { user_id },
      body: { amount: 11, idempotency_key: 'later' },
      now: Date.now() + 3 * aMinute,
    });
    const { events } = await page(api, { after }, Date.now() + 5 * aMinute);
    expect(events).toMatchObject([{ data: { user_id, amount: 11 } }]);
  });

  test.each([
    ['0', 'greater than or equal to 1'],
    ['-1', 'greater than or equal to 1'],
    ['1001', 'less than or equal to 1000'],
  ])(
    'are refused with a limit of %s, with which a host might read empty pages forever',
    async (limit, bound) => {
      expectInvalid(await api.get('/events', { limit }), `limit: Input should be ${bound}`);
    },
  );
});

describe('the events of one user', () => {
  test('appear at once, in their order', async () => {
    const own = await newOrganization();
    const [user_id] = [await own.user(5), await own.user(6)];
    let after: Query = {};
    for (const amount of [5, 1, 2, 3]) {
      if (amount < 5) await credit(own, user_id, amount);
      const read = await page(own, { user_id, ...after }, Date.now());
      expect(read.events).toMatchObject([{ data: { user_id, amount } }]);
      after = { after: read.next };
    }
  });

  test('continue after a number, whatever was read before it and however large the pages', async () => {
    const own = await newOrganization();
    const user_id = await own.user(1);
    await own.post(`/users/${user_id}/game/queue`, { num_of_spins: 1, idempotency_key: 'queue' });
    await own.post(`/users/${user_id}/entries/credit`, { amount: 1, idempotency_key: 'entry' });
    const { body } = await own.post(`/debug/users/${user_id}/games/play`, { result: 'jackpot' });
    await own.post(`/play/${new URL(body.url).pathname.split('/').at(-1)}/spin`, {});
    for (const amount of times(120, (index) => index + 1)) await credit(own, user_id, amount);
    const { events } = await allPages(own, { user_id });
    const last = events.at(-1)!.sequence;
    expect(last).toBeGreaterThan(120);
    for (const number of [0, 1, 2, 3, 4, last - 100, last - 2, last - 1, last]) {
      const later = events.filter(({ sequence }) => sequence > number);
      const from = { user_id, after_sequence: String(number) };
      const first = await page(own, { ...from, limit: '1' });
      const rest = await allPages(own, { user_id, after: first.next });
      expect([...first.events, ...rest.events], `after ${number}`).toEqual(later);
      expect(await page(own, { ...from, limit: '1000' })).toMatchObject({ events: later, is_all: true });
    }
  });

  test.each<[string, Query, string]>([
    ['below 0', { after_sequence: '-1' }, 'be greater than or equal to 0'],
    ['beside a cursor', { after_sequence: '1', after: 'x' }, 'come with user_id and without after'],
  ])('are refused after a number %s', async (_, query, reason) => {
    const answer = await api.get('/events', { user_id: users[0]!, ...query });
    expectInvalid(answer, `after_sequence: Input should ${reason}`);
  });

  test('are refused after a number above the last, which the answer names', async () => {
    const own = await newOrganization();
    const user_id = await own.user(5);
    const answer = await own.get('/events', { user_id, after_sequence: '2' });
    expectError(answer, 409, 'sequence_not_reached', 'the last event of the user has the number 1');
  });

  test('are refused after a number without the user', async () => {
    const answer = await api.get('/events', { after_sequence: '1' });
    expectInvalid(answer, 'after_sequence: Input should come with user_id and without after');
  });

  test('of an unknown or erased user are not found, and the others can be read past them', async () => {
    const own = await newOrganization();
    const [erased, kept] = [await own.user(5), await own.user(6)];
    const first = await page(own, { limit: '1' });
    const { organizationId } = own;
    await eraseUser(organizationId, erased, { ...testContext(), why: 'asked' });
    for (const user_id of [erased, 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV', 'x'.repeat(50), '']) {
      const { status, body } = await invoke('events/list', { organizationId, query: { user_id } });
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'user_not_found' });
    }
    const rest = await page(own, { after: first.next });
    expect([...first.events, ...rest.events].map(({ data }) => data.user_id)).toEqual([erased, kept]);
  });
});

describe('a cursor', () => {
  const cursorOf = async (of: Api, query: Query = {}) => (await of.get('/events', query)).body.next;

  test.each<[string, () => Promise<string>, Query]>([
    ['of another organization', async () => cursorOf(await newOrganization()), {}],
    ['that was altered', async () => `${(await cursorOf(api)).slice(0, -2)}AA`, {}],
    ['of another filter', () => cursorOf(api), { event_type: 'outcome' }],
    ['of one user', () => cursorOf(api, { user_id: users[0]! }), {}],
    ['that is no token', async () => 'latest', {}],
  ])('%s is refused', async (_, cursor, query) => {
    const answer = await api.get('/events', { ...query, after: await cursor() });
    expectInvalid(
      answer,
      'after: Input should come from an earlier page of this list, with the same filters',
    );
  });

  test('is valid for every API key of the organization', async () => {
    const next = await cursorOf(api);
    const key = await createApiKey(api.organizationId, 'local', testContext());
    expect((await apiOf(api.organizationId, key).get('/events', { after: next })).status).toBe(200);
  });
});

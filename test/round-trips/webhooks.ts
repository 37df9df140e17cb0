import { type EndpointName, invoke } from '../support/invoke.ts';
import { makeUser, type RoundTrips } from '../support/round-trips.ts';

const body = { callback_url: 'https://hooks.example.com/in', secret_key: 'a-secret-of-some-length' };

async function webhook(organizationId: string) {
  const made = await invoke('webhooks/create', { organizationId, body });
  return { path: { webhook_id: String(made.body.webhook_id) } };
}

const unknown = { path: { webhook_id: 'wh_01HZZZZZZZZZZZZZZZZZZZZZZZ' } };

const ofOne = (
  endpoint: EndpointName,
  calls: RoundTrips['calls'],
  { input = {}, whereUnknown = calls.slice(0, 1) }: { input?: object; whereUnknown?: RoundTrips['calls'] },
): RoundTrips[] => [
  {
    endpoint,
    when: 'the webhook exists',
    request: async (organizationId) => ({ ...(await webhook(organizationId)), ...input }),
    calls,
    status: 200,
  },
  {
    endpoint,
    when: 'the webhook is unknown',
    request: async () => ({ ...unknown, ...input }),
    calls: whereUnknown,
    status: 404,
  },
];

const registrations: RoundTrips[] = [
  {
    endpoint: 'webhooks/create',
    when: 'it is the first of its organization',
    request: async () => ({ body }),
    calls: ['Query', 'GetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint: 'webhooks/create',
    when: 'there are others',
    request: async (organizationId) => {
      await webhook(organizationId);
      return { body: { ...body, event: 'outcome' } };
    },
    calls: ['Query', 'GetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint: 'webhooks/create',
    when: 'it is registered already',
    request: async (organizationId) => {
      await webhook(organizationId);
      return { body };
    },
    calls: ['Query', 'PutItem'],
    status: 200,
  },
  {
    endpoint: 'webhooks/list',
    when: 'there is one',
    request: async (organizationId) => {
      await webhook(organizationId);
      return {};
    },
    calls: ['Query'],
    status: 200,
  },
  ...ofOne('webhooks/get', ['GetItem'], {}),
  ...ofOne('webhooks/update', ['GetItem', 'PutItem'], {
    input: { body: { ...body, secret_key: 'another' } },
  }),
  ...ofOne('webhooks/delete', ['TransactWriteItems'], {}),
];

const calls: RoundTrips[] = [
  ...ofOne('webhooks/invoke', ['GetItem', 'PutItem', 'PutItem'], {
    input: { body: { hello: 'there' }, query: { request_id: 'r' } },
  }),
  {
    endpoint: 'webhooks/history',
    when: 'its range lies in one day',
    // Noon in New York, so that the time range is within one day.
    request: async () => ({
      query: { start: '2026-01-05T17:00:00Z', end: '2026-01-05T17:01:00Z' },
      now: Date.parse('2026-01-05T17:01:00Z'),
    }),
    calls: Array(16).fill('Query'),
    status: 200,
  },
];

// Listing events reads five lists of records, each of which has 16 shards.
const events: RoundTrips[] = [
  {
    endpoint: 'events/list',
    when: 'there are new events',
    request: async (organizationId) => {
      await makeUser(organizationId, 5);
      return { now: Date.now() + 2 * 60_000 };
    },
    calls: [...Array(5 * 16 + 1).fill('Query'), 'BatchGetItem'],
    status: 200,
  },
  {
    endpoint: 'events/list',
    when: 'there are none',
    request: async () => ({}),
    calls: Array(5 * 16 + 1).fill('Query'),
    status: 200,
  },
  {
    endpoint: 'events/list',
    when: 'a user has events',
    request: async (organizationId) => ({ query: { user_id: await makeUser(organizationId, 5) } }),
    calls: ['GetItem', ...Array(5).fill('Query')],
    status: 200,
  },
  {
    endpoint: 'events/list',
    when: 'a user has events after a number',
    request: async (organizationId) => ({
      query: { user_id: await makeUser(organizationId, 5), after_sequence: '1' },
    }),
    calls: ['GetItem', ...Array(5 + 5).fill('Query')],
    status: 200,
  },
  {
    endpoint: 'events/list',
    when: 'the user is unknown',
    request: async () => ({ query: { user_id: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV' } }),
    calls: ['GetItem'],
    status: 404,
  },
];

export const webhooks = [...registrations, ...calls, ...events];

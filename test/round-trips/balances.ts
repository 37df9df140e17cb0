import { type EndpointName, invoke } from '../support/invoke.ts';
import { makeUser, type RoundTrips } from '../support/round-trips.ts';

const changes = ['tickets/credit', 'tickets/debit', 'entries/credit', 'entries/debit'] as const;

async function richUser(organizationId: string): Promise<string> {
  const user_id = await makeUser(organizationId, 5);
  const body = { amount: 5, idempotency_key: 'start' };
  await invoke('entries/credit', { organizationId, path: { user_id }, body });
  return user_id;
}

const ofAChange = (endpoint: EndpointName): RoundTrips[] => [
  {
    endpoint,
    when: 'the key is new',
    request: async (organizationId) => ({
      path: { user_id: await richUser(organizationId) },
      body: { amount: 1, idempotency_key: 'k' },
    }),
    calls: ['GetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint,
    when: 'the key is repeated',
    request: async (organizationId) => {
      const path = { user_id: await richUser(organizationId) };
      const body = { amount: 1, idempotency_key: 'k' };
      await invoke(endpoint, { organizationId, path, body });
      return { path, body };
    },
    calls: ['GetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint,
    when: 'the user is unknown',
    request: async () => ({
      path: { user_id: 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ' },
      body: { amount: 1, idempotency_key: 'k' },
    }),
    calls: ['GetItem'],
    status: 404,
  },
];

const refusedDebit = (endpoint: EndpointName): RoundTrips => ({
  endpoint,
  when: 'the balance is too low, and the key must be checked',
  request: async (organizationId) => ({
    path: { user_id: await makeUser(organizationId) },
    body: { amount: 1, idempotency_key: 'k' },
  }),
  calls: ['GetItem', 'GetItem'],
  status: 400,
});

const history = (when: string, tickets: number, query: Record<string, string>) => ({
  endpoint: 'tickets/history' as const,
  when,
  request: async (organizationId: string) => ({
    path: { user_id: await makeUser(organizationId, tickets) },
    query,
  }),
  status: 200,
});

export const balances: RoundTrips[] = [
  ...changes.flatMap(ofAChange),
  refusedDebit('tickets/debit'),
  refusedDebit('entries/debit'),
  {
    endpoint: 'tickets/balance',
    when: 'the user exists',
    request: async (organizationId) => ({ path: { user_id: await makeUser(organizationId) } }),
    calls: ['GetItem'],
    status: 200,
  },
  { ...history('there are transactions', 5, {}), calls: ['Query'] },
  { ...history('there are none, so the user must be checked', 0, {}), calls: ['Query', 'GetItem'] },
  { ...history('the limit is 0', 5, { limit: '0' }), calls: ['Query'] },
];

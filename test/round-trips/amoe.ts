import { type EndpointName, invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { makeUser, type RoundTrips } from '../support/round-trips.ts';
import { testContext } from '../support/test-context.ts';

const unknownUser = 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ';

const spins = async (organizationId: string, num_of_spins: number) => ({
  path: { user_id: await makeUser(organizationId) },
  body: { num_of_spins, idempotency_key: 'spins' },
});

/** Sends a request to an endpoint. Returns the request, so that the test can repeat it. */
async function repeated(endpoint: EndpointName, organizationId: string) {
  const request = await spins(organizationId, 31);
  await invoke(endpoint, { organizationId, ...request });
  return request;
}

/** Requests a free spin that wins cash, from a new prize table that the process has not cached. */
async function cashSpins(organizationId: string) {
  const prizes = [prizeOf('cash_usd', 1, 1_000_000), prizeOf('tickets', 1, 1)];
  await putPrizeTable(organizationId, 'prizewheel', prizes, testContext());
  return spins(organizationId, 1);
}

const queues: RoundTrips[] = (['amoe/queue', 'amoe/guest-queue'] as const).flatMap((endpoint) => [
  {
    endpoint,
    when: 'spins are queued',
    request: (organizationId) => spins(organizationId, 1000),
    calls: ['BatchGetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint,
    when: 'it is a retry',
    request: (organizationId) => repeated(endpoint, organizationId),
    calls: ['BatchGetItem', 'TransactWriteItems'],
    status: 200,
  },
]);

const guests: RoundTrips[] = [
  {
    endpoint: 'amoe/guest-play',
    when: '30 spins run',
    request: (organizationId) => spins(organizationId, 30),
    calls: ['BatchGetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint: 'amoe/guest-play',
    when: '100 spins run',
    request: (organizationId) => spins(organizationId, 100),
    calls: [
      'BatchGetItem',
      'TransactWriteItems',
      'BatchGetItem',
      'TransactWriteItems',
      'BatchGetItem',
      'TransactWriteItems',
      'BatchGetItem',
      'TransactWriteItems',
    ],
    status: 200,
  },
  {
    endpoint: 'amoe/guest-play',
    when: 'it is a retry',
    request: (organizationId) => repeated('amoe/guest-play', organizationId),
    calls: ['BatchGetItem', 'TransactWriteItems', 'Query'],
    status: 200,
  },
  {
    endpoint: 'amoe/guest-play',
    when: 'the organization has its own prize table, and cash is won',
    request: cashSpins,
    calls: ['BatchGetItem', 'GetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint: 'amoe/guest-play',
    when: 'the user is unknown',
    request: async () => ({
      path: { user_id: unknownUser },
      body: { num_of_spins: 1, idempotency_key: 'a' },
    }),
    calls: ['BatchGetItem'],
    status: 404,
  },
];

export const amoe: RoundTrips[] = [...queues, ...guests];

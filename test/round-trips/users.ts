import { invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { makeUser, type RoundTrips } from '../support/round-trips.ts';
import { testContext } from '../support/test-context.ts';

const create = (organizationId: string, external_reference: string) =>
  invoke('users/create', { organizationId, body: { external_reference } });

export const users: RoundTrips[] = [
  {
    endpoint: 'users/create',
    when: 'the reference is free',
    request: async () => ({ body: { external_reference: 'new' } }),
    calls: ['TransactWriteItems'],
    status: 200,
  },
  {
    endpoint: 'users/create',
    when: 'the reference is taken',
    request: async (organizationId) => {
      await create(organizationId, 'taken');
      return { body: { external_reference: 'taken' } };
    },
    calls: ['TransactWriteItems'],
    status: 409,
  },
  {
    endpoint: 'users/find',
    when: 'a user has the reference',
    request: async (organizationId) => {
      await create(organizationId, 'known');
      return { query: { external_reference: 'known' } };
    },
    calls: ['GetItem'],
    status: 200,
  },
  {
    endpoint: 'users/get',
    when: 'the user exists',
    request: async (organizationId) => ({ path: { user_id: await makeUser(organizationId) } }),
    calls: ['GetItem'],
    status: 200,
  },
  {
    endpoint: 'users/get',
    when: 'the id is malformed',
    request: async () => ({ path: { user_id: 'nobody' } }),
    calls: [],
    status: 404,
  },
  {
    endpoint: 'users/summary',
    when: 'the user is new',
    request: async (organizationId) => ({ path: { user_id: await makeUser(organizationId) } }),
    calls: ['BatchGetItem'],
    status: 200,
  },
  {
    endpoint: 'users/summary',
    when: 'the user has outcomes and queued spins, and a game its own prize table, all read at once',
    request: async (organizationId) => {
      const user_id = await makeUser(organizationId);
      const ask = (endpoint: 'amoe/queue' | 'amoe/guest-play') =>
        invoke(endpoint, {
          organizationId,
          path: { user_id },
          body: { num_of_spins: 1, idempotency_key: endpoint },
        });
      await ask('amoe/guest-play');
      await ask('amoe/queue');
      await putPrizeTable(organizationId, 'truck', [prizeOf('tickets', 1, 1)], testContext());
      return { path: { user_id } };
    },
    calls: ['BatchGetItem', 'GetItem', 'Query', 'Query'],
    status: 200,
  },
  {
    endpoint: 'users/update',
    when: 'the reference changes',
    request: async (organizationId) => ({
      path: { user_id: await makeUser(organizationId) },
      body: { external_reference: 'renamed' },
    }),
    calls: ['GetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint: 'users/update',
    when: "the reference is the user's own",
    request: async (organizationId) => {
      const { body } = await create(organizationId, 'own');
      return { path: { user_id: body.user_id }, body: { external_reference: 'own' } };
    },
    calls: ['GetItem'],
    status: 200,
  },
];

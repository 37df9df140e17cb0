import { shardCount } from '../../shared/shards.ts';
import { type EndpointName, invoke } from '../support/invoke.ts';
import { prizeOf } from '../support/prize.ts';
import { putPrizeTable } from '../support/put-prize-table.ts';
import { makeUser, type RoundTrips } from '../support/round-trips.ts';
import { testContext } from '../support/test-context.ts';

type Made = { path: { user_id: string } };
const user = async (organizationId: string, tickets: number): Promise<Made> => ({
  path: { user_id: await makeUser(organizationId, tickets) },
});
const unknown = async (): Promise<Made> => ({ path: { user_id: 'usr_01HZZZZZZZZZZZZZZZZZZZZZZZ' } });

async function playPath(organizationId: string, { tickets = 3, game = 'prizewheel', now = Date.now() } = {}) {
  const made = await user(organizationId, tickets);
  const { body } = await invoke('games/play', { organizationId, ...made, body: { game }, now });
  return { path: { token: String(body.url).split('/').at(-1)! } };
}

async function playedPath(organizationId: string) {
  const path = await playPath(organizationId);
  await invoke('play/spin', { organizationId, ...path, body: {} });
  return path;
}

/** Stores a prize table with cash, which the process has not cached. */
async function putCash(organizationId: string) {
  const prizes = [prizeOf('cash_usd', 1, 1_000_000), prizeOf('tickets', 1, 1)];
  await putPrizeTable(organizationId, 'prizewheel', prizes, testContext());
}

const debug = (endpoint: EndpointName, body: object): RoundTrips => ({
  endpoint,
  when: 'it is set',
  request: async () => ({ body }),
  calls: ['GetItem', 'TransactWriteItems'],
  status: 200,
});

const urls: RoundTrips[] = [
  {
    endpoint: 'games/play',
    when: 'the user exists',
    request: async (organizationId) => user(organizationId, 0),
    calls: ['BatchGetItem', 'PutItem'],
    status: 200,
  },
  {
    endpoint: 'games/play',
    when: 'the organization has its own prize table',
    request: async (organizationId) => {
      await putCash(organizationId);
      return user(organizationId, 0);
    },
    // Reads the table while it stores the session.
    calls: ['BatchGetItem', 'PutItem', 'GetItem'],
    status: 200,
  },
  {
    endpoint: 'games/play',
    when: 'the user is unknown',
    request: unknown,
    calls: ['BatchGetItem'],
    status: 404,
  },
  {
    endpoint: 'debug/play',
    when: 'the organization has its own prize table',
    request: async (organizationId) => {
      await putCash(organizationId);
      return { ...(await user(organizationId, 0)), body: { result: 'jackpot' } };
    },
    calls: ['BatchGetItem', 'GetItem', 'PutItem'],
    status: 200,
  },
  debug('debug/daily-cash-limit', { cash_limit: 100 }),
  debug('debug/daily-spin-limit', { on: false }),
  {
    endpoint: 'debug/spin-run',
    when: 'nothing is queued',
    request: async () => ({}),
    // Queries both partition keys of each shard, at the same time.
    calls: ['GetItem', ...Array(2 * shardCount).fill('Query')],
    status: 200,
  },
];

const plays: RoundTrips[] = [
  {
    endpoint: 'play/spin',
    when: 'it is not played',
    request: playPath,
    calls: ['GetItem', 'BatchGetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint: 'play/spin',
    when: 'cash is won, with the organization’s prize table cached by the page',
    request: async (organizationId) => {
      await putCash(organizationId);
      const path = await playPath(organizationId);
      await invoke('play/open', { organizationId, ...path });
      return path;
    },
    calls: ['GetItem', 'BatchGetItem', 'TransactWriteItems'],
    status: 200,
  },
  {
    endpoint: 'play/spin',
    when: 'it is played',
    request: playedPath,
    calls: ['GetItem', 'BatchGetItem'],
    status: 200,
  },
  {
    endpoint: 'play/spin',
    when: 'it has expired',
    request: async (organizationId) => playPath(organizationId, { now: Date.now() - 3600_000 }),
    calls: ['GetItem'],
    status: 410,
  },
  {
    endpoint: 'play/spin',
    when: 'there are too few tickets, and another tab may have played',
    request: async (organizationId) => playPath(organizationId, { tickets: 0 }),
    calls: ['GetItem', 'BatchGetItem', 'GetItem'],
    status: 409,
  },
  {
    endpoint: 'play/spin',
    when: 'the token is malformed',
    request: async () => ({ path: { token: 'x' } }),
    calls: [],
    status: 404,
  },
];

const pages: RoundTrips[] = [
  {
    endpoint: 'play/open',
    when: 'it can be played',
    request: playPath,
    calls: ['GetItem', 'BatchGetItem'],
    status: 200,
  },
  {
    endpoint: 'play/open',
    when: 'it is played',
    request: playedPath,
    calls: ['GetItem', 'BatchGetItem', 'Query'],
    status: 200,
  },
  {
    endpoint: 'play/open',
    when: 'it was played on a past day, so its book is read',
    request: async (organizationId) => ({
      ...(await playedPath(organizationId)),
      now: Date.now() + 30 * 3600_000,
    }),
    calls: ['GetItem', 'BatchGetItem', 'Query', 'GetItem', 'GetItem', 'Query'],
    status: 200,
  },
  {
    endpoint: 'play/open',
    when: 'there are too few tickets',
    request: async (organizationId) => playPath(organizationId, { tickets: 0 }),
    calls: ['GetItem', 'BatchGetItem'],
    status: 200,
  },
  {
    endpoint: 'play/open',
    when: 'it has expired',
    request: async (organizationId) => playPath(organizationId, { now: Date.now() - 3600_000 }),
    calls: ['GetItem', 'GetItem'],
    status: 200,
  },
];

const lookups: RoundTrips[] = [
  {
    endpoint: 'games/history',
    when: 'there are outcomes',
    request: async (organizationId) => {
      const made = await user(organizationId, 3);
      const { body } = await invoke('games/play', { organizationId, ...made });
      await invoke('play/spin', { organizationId, path: { token: String(body.url).split('/').at(-1)! } });
      return made;
    },
    calls: ['Query'],
    status: 200,
  },
  {
    endpoint: 'games/history',
    when: 'there are none',
    request: async (organizationId) => user(organizationId, 0),
    calls: ['Query', 'GetItem'],
    status: 200,
  },
  {
    endpoint: 'games/check-eligibility',
    when: 'the prize table is the default',
    request: async (organizationId) => user(organizationId, 0),
    calls: ['BatchGetItem'],
    status: 200,
  },
  {
    endpoint: 'games/check-eligibility',
    when: 'the organization has its own prize table',
    request: async (organizationId) => {
      await putCash(organizationId);
      return user(organizationId, 0);
    },
    calls: ['BatchGetItem', 'GetItem'],
    status: 200,
  },
];

export const games: RoundTrips[] = [...urls, ...plays, ...pages, ...lookups];

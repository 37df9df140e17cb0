import { appendRecord } from '../../shared/accounts/records.ts';
import { readUser } from '../../shared/accounts/user.ts';
import { putItem } from '../../shared/table/client.ts';
import { invoke } from '../support/invoke.ts';
import { newOutcome } from '../support/records.ts';
import { makeUser, type RoundTrips } from '../support/round-trips.ts';

const paths = {
  tickets: 'reports/tickets',
  entries: 'reports/entries',
  outcomes: 'reports/outcomes',
} as const;
const nobody = 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV';

async function withEntries(organizationId: string): Promise<string> {
  const user_id = await makeUser(organizationId);
  for (const type of ['truck', 'flight']) {
    const body = { amount: 1, type, idempotency_key: type };
    await invoke('entries/credit', { organizationId, path: { user_id }, body });
  }
  return user_id;
}

async function withOutcome(organizationId: string): Promise<string> {
  const user_id = await makeUser(organizationId);
  const user = await readUser(organizationId, user_id);
  await putItem(appendRecord(user, newOutcome(new Date().toISOString()), Date.now()).record);
  return user_id;
}

const filled = { tickets: (id: string) => makeUser(id, 5), entries: withEntries, outcomes: withOutcome };

// Returns a report's cases. The report of entries reads two `lists`, one for each type of entry; others read one.
const reportOf = (report: keyof typeof paths, lists: number): RoundTrips[] => [
  {
    endpoint: paths[report],
    when: 'there are rows',
    request: async (organizationId) => {
      await filled[report](organizationId);
      return {};
    },
    // One query for the index. For each list and shard, one for new rows and one for the page.
    calls: Array(1 + 2 * 16 * lists).fill('Query'),
    status: 200,
  },
  {
    endpoint: paths[report],
    when: 'a user has rows',
    request: async (organizationId) => ({ query: { user_id: await filled[report](organizationId) } }),
    calls: Array(2 * lists + 1 + lists).fill('Query'),
    status: 200,
  },
  {
    endpoint: paths[report],
    when: 'the user is unknown',
    request: async () => ({ query: { user_id: nobody } }),
    calls: [...Array(2 * lists).fill('Query'), 'GetItem'],
    status: 404,
  },
  {
    endpoint: paths[report],
    when: 'the user id is malformed and too long for a key',
    request: async () => ({ query: { user_id: 'x'.repeat(3000) } }),
    calls: [],
    status: 404,
  },
];

export const reports: RoundTrips[] = [
  ...reportOf('tickets', 1),
  ...reportOf('entries', 2),
  ...reportOf('outcomes', 1),
  {
    endpoint: 'books/get',
    when: 'the day was before the organization',
    request: async () => ({ path: { day: '2026-01-05' } }),
    calls: ['GetItem'],
    status: 404,
  },
];

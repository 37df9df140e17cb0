/** Operations of the cost model that a host causes by requests about users, balances and histories. */
import { randomUUID } from 'node:crypto';
import { credit } from '../../../shared/accounts/ledger.ts';
import { postTransaction } from '../../../shared/accounts/post.ts';
import { type EndpointName, eventOf, type InvokeRequest } from '../../support/invoke.ts';
import { userOf, writeRecords } from '../../support/records.ts';
import { makeUser } from '../../support/round-trips.ts';
import type { Operation } from './measure.ts';

/** Returns an operation of the cost model: one HTTP request to an endpoint. */
export const request = (
  name: string,
  of: EndpointName,
  organizationId: string,
  prepare: () => Promise<Omit<InvokeRequest, 'organizationId'>>,
  more: Partial<Operation> = {},
): Operation => ({
  name,
  of,
  isRequest: true,
  prepare: async () => {
    const event = eventOf(of, { organizationId, ...(await prepare()) });
    return { ...event, headers: { ...event.headers, 'Accept-Encoding': 'gzip' } };
  },
  ...more,
});

/** Returns a typical request body for a credit or a debit. */
const change = () => ({ amount: 5, description: 'Five for a friend', idempotency_key: randomUUID() });

export function hostOperations(organizationId: string): Operation[] {
  const user = async (tickets = 0) => ({ path: { user_id: await makeUser(organizationId, tickets) } });
  const of = (name: string, endpoint: EndpointName, prepare: Parameters<typeof request>[3]) =>
    request(name, endpoint, organizationId, prepare);
  return [
    of('a user made', 'users/create', async () => ({ body: { external_reference: randomUUID() } })),
    of('a credit', 'tickets/credit', async () => ({ ...(await user(1)), body: change() })),
    of('a credit repeated, at most', 'tickets/credit', () => repeated(organizationId)),
    of('a debit', 'tickets/debit', async () => ({ ...(await user(10)), body: change() })),
    of('an entry credited', 'entries/credit', async () => ({ ...(await user()), body: change() })),
    of('a balance', 'tickets/balance', () => user(1)),
    of('a page of history, 10 rows', 'tickets/history', () => userWithRecords(organizationId)),
    of('eligibility', 'games/check-eligibility', () => user(1)),
    of('a summary', 'users/summary', () => userWithRecords(organizationId)),
  ];
}

/** Returns a request that repeats an earlier, successful credit. */
async function repeated(organizationId: string) {
  const userId = await makeUser(organizationId);
  const body = change();
  await credit({ organizationId, userId, account: 'tickets', change: body, now: Date.now() });
  return { path: { user_id: userId }, body };
}

/** Creates a user with two pages of history. Does not write the row index, because histories do not use it. */
async function userWithRecords(organizationId: string) {
  const user_id = await makeUser(organizationId);
  let user = userOf(organizationId, user_id);
  const records = [];
  for (let i = 0; i < 20; i++) {
    const posted = postTransaction(user, { account: 'tickets', ...change() }, Date.now());
    user = posted.user;
    records.push(posted.record);
  }
  await writeRecords(records as never);
  return { path: { user_id } };
}

/** The final requests of a run read all data through the API. Rules compare the answers with the table. */
import { entryTypes } from '../../../shared/vocabulary.ts';
import type { Random } from '../../support/random.ts';
import type { Exchange, Journal } from '../journal.ts';
import type { Api } from './api.ts';
import { type Caller, call, type Request } from './client.ts';
import { readByNumber, readByToken, readForward } from './lists.ts';
import { linkIn } from './players.ts';

// Final requests are never duplicated, repeated or abandoned.
const habits = { duplicateChance: 0, repeatChance: 0, abandonChance: 0 };
const allPages = 10_000;

/**
 * Reads the data of all organizations through the API. Returns the requests. `limits` are maximum numbers per
 * organization: users, users whose reports are read, and play URLs.
 */
export async function finalRequests(
  api: Api,
  limits: Limits = { users: 100, inReports: 20, links: 500 },
): Promise<Exchange[]> {
  const { exchanges } = api.journal;
  const before = exchanges.length;
  const known = [...organizationsIn(api.journal).values()];
  await Promise.all(known.map((organization) => askOrganization(api, organization, limits)));
  return exchanges.slice(before);
}

type Limits = { users: number; inReports: number; links: number };
type KnownOrganization = { caller: Caller; users: Set<string>; tokens: Set<string> };

/** Returns each organization with its newest API key, user ids and tokens of play URLs. */
function organizationsIn({ operatorCommands, exchanges }: Journal): Map<string, KnownOrganization> {
  const known = new Map<string, KnownOrganization>();
  for (const { args, exitCode, printed } of operatorCommands) {
    const made = ['org create', 'key create'].includes(args.slice(0, 2).join(' ')) && exitCode === 0;
    if (!made) continue;
    const { organization_id: organizationId, api_key: apiKey } = printed as Record<string, string>;
    // A newer key replaces the organization's earlier key, which may be revoked. The workload never revokes the newest
    // key.
    const users = known.get(organizationId!)?.users ?? new Set();
    known.set(organizationId!, {
      caller: { organizationId: organizationId!, apiKey: apiKey! },
      users,
      tokens: new Set(),
    });
  }
  for (const { endpoint, organizationId, answer, mistake } of exchanges) {
    const organization = known.get(organizationId);
    if (!organization || answer?.status !== 200 || mistake) continue;
    if (endpoint.startsWith('users/')) organization.users.add(answer.body.user_id);
    const link = linkIn(answer);
    if (link) organization.tokens.add(link.token);
  }
  return known;
}

async function askOrganization(
  api: Api,
  { caller, users, tokens }: KnownOrganization,
  limits: Limits,
): Promise<void> {
  const random = api.random.fork(`final questions of ${caller.organizationId}`);
  const send = (request: Request) =>
    call(api, request.endpoint.startsWith('play/') ? player(caller) : caller, request, random, habits);
  const selectedUsers = someOf([...users], limits.users, random);
  for (const user of selectedUsers) await readUserData(send, user);
  for (const user of someOf(selectedUsers, limits.inReports, random))
    await readReports(send, { user_id: user });
  await readReports(send, { page_size: '1000' });
  await readReports(send, { page_size: '97' });
  await readByToken(send, { endpoint: 'webhooks/list' }, allPages);
  const always = { start: '1970-01-01', end: '9999-12-31' };
  await readByToken(send, { endpoint: 'webhooks/history', query: always }, allPages);
  const events: Request = { endpoint: 'events/list', query: { limit: '1000' } };
  await readForward(send, events, lastCursor(api.journal, caller), allPages);
  for (const token of someOf([...tokens], limits.links, random)) await openAndSpin(send, token);
}

/** Returns the cursor after the last page of events that an organization's host has read. */
function lastCursor({ exchanges }: Journal, { organizationId }: Caller): string | undefined {
  const last = exchanges.findLast(
    ({ endpoint, answer, query, mistake, ...exchange }) =>
      endpoint === 'events/list' &&
      answer?.status === 200 &&
      exchange.organizationId === organizationId &&
      !query.user_id &&
      !mistake,
  );
  return last?.answer?.body.next;
}

/** Returns up to `maxItems` random elements of a list. */
function someOf<T>(items: T[], maxItems: number, random: Random): T[] {
  const some = [...items];
  while (some.length > maxItems) some.splice(random.below(some.length), 1);
  return some;
}

/** Opens a play URL. If the URL is played or expired, also sends a spin request, which must not change anything. */
async function openAndSpin(send: SendRequest, token: string): Promise<void> {
  const page = await send({ endpoint: 'play/open', path: { token } });
  if (!['played', 'expired'].includes(page?.body?.state)) return;
  await send({ endpoint: 'play/spin', path: { token }, body: {} });
}

const player = ({ organizationId }: Caller): Caller => ({ organizationId });

const reports: Request[] = [
  { endpoint: 'reports/tickets' },
  { endpoint: 'reports/outcomes' },
  { endpoint: 'reports/entries' },
  ...entryTypes.map((entry_type): Request => ({ endpoint: 'reports/entries', query: { entry_type } })),
];

async function readReports(send: SendRequest, query: Record<string, string>): Promise<void> {
  for (const report of reports) {
    await readByNumber(send, { ...report, query: { ...report.query, ...query } }, allPages);
  }
}

type SendRequest = Parameters<typeof readByToken>[0];

async function readUserData(send: SendRequest, userId: string): Promise<void> {
  const path = { user_id: userId };
  const user = await send({ endpoint: 'users/get', path });
  const external_reference = user?.body?.external_reference;
  if (external_reference) await send({ endpoint: 'users/find', query: { external_reference } });
  await send({ endpoint: 'tickets/balance', path });
  await send({ endpoint: 'games/check-eligibility', path });
  await send({ endpoint: 'users/summary', path });
  const query = { limit: '1000' };
  await readByToken(send, { endpoint: 'tickets/history', path, query }, allPages);
  await readByToken(send, { endpoint: 'games/history', path, query }, allPages);
}

/** Simulated hosts read lists page by page: histories, reports, events and webhook calls. */
import { entryTypes, eventTypes } from '../../../shared/vocabulary.ts';
import type { Random } from '../../support/random.ts';
import { dayMs, dayOf, hourMs } from './action-times.ts';
import type { Answer, Request } from './client.ts';
import { type Host, pickOrUndefined, sendRequest, type User } from './host.ts';

type SendRequest = (request: Request) => Promise<Answer | undefined>;

/** Reads a list's pages by `next_token` until the last page, at most `maxPages` pages. Returns the answers. */
export async function readByToken(send: SendRequest, request: Request, maxPages: number): Promise<Answer[]> {
  const pages: Answer[] = [];
  let token: string | undefined;
  while (pages.length < maxPages) {
    const page = await send({
      ...request,
      query: { ...request.query, ...(token ? { next_token: token } : {}) },
    });
    if (page?.status !== 200) break;
    pages.push(page);
    token = page.body.next_token;
    if (!token) break;
  }
  return pages;
}

/** Reads a report by page number, up to `maxPages` pages. */
export async function readByNumber(send: SendRequest, request: Request, maxPages: number): Promise<Answer[]> {
  const pages: Answer[] = [];
  for (let page = 0; page < maxPages; page++) {
    const answer = await send({ ...request, query: { ...request.query, page: String(page) } });
    if (answer?.status !== 200) break;
    pages.push(answer);
    if (page + 1 >= Number(answer.body.total_pages)) break;
  }
  return pages;
}

/** Reads a user's ticket balance, eligibility or summary, or up to five pages of the user's ticket or game history. */
export async function readUser(
  host: Host,
  user: User,
  random: Random,
  kind = random.weighted({ balance: 4, eligibility: 2, summary: 2, tickets: 2, games: 2 }),
  limit = random.pick([undefined, '0', '1', '3', '10', '1000']),
): Promise<void> {
  const path = { user_id: user.id };
  if (kind === 'balance') {
    const answer = await sendRequest(host, { endpoint: 'tickets/balance', path }, random);
    if (answer?.status === 200) user.tickets = answer.body.balance;
  } else if (kind === 'eligibility') {
    await sendRequest(host, { endpoint: 'games/check-eligibility', path }, random);
  } else if (kind === 'summary') {
    await sendRequest(host, { endpoint: 'users/summary', path }, random);
  } else {
    const request: Request = { endpoint: `${kind}/history`, path, query: limit ? { limit } : {} };
    const pages = await readByToken(
      (page) => sendRequest(host, page, random),
      request,
      limit === '0' ? 1 : 5,
    );
    const token = pages[0]?.body.next_token;
    if (kind === 'tickets' && token) host.token = { of: user, token };
  }
}

/** Reads up to six pages or up to 30 rows of a report, sometimes of a time range, a user or an entry type. */
export async function readReport(host: Host, random: Random): Promise<void> {
  const endpoint = random.pick(['reports/tickets', 'reports/outcomes', 'reports/entries'] as const);
  const size = random.pick([1, 3, 10, 64, 100, undefined]);
  const parameters = {
    ...range(host, random),
    ...(size ? { page_size: String(size) } : {}),
    ...(random.chance(0.3) && host.users.length > 0 ? { user_id: random.pick(host.users).id } : {}),
    ...(endpoint === 'reports/entries' && random.chance(0.5) ? { entry_type: random.pick(entryTypes) } : {}),
  };
  if (random.chance(0.3)) {
    // The API also accepts report parameters in the body of a GET request. The query takes precedence.
    const body = { ...parameters, ...(size ? { page_size: size } : {}), page: random.below(3) };
    await sendRequest(
      host,
      { endpoint, body, ...(random.chance(0.3) ? { query: { page: '0' } } : {}) },
      random,
    );
    return;
  }
  const request: Request = { endpoint, query: parameters };
  await readByNumber((page) => sendRequest(host, page, random), request, 1 + random.below(6));
}

/** Reads up to four pages or up to 30 rows of the history of webhook calls. */
export async function readCalls(host: Host, random: Random): Promise<void> {
  const query = {
    ...rangeOf(host.api.now(), random),
    ...(random.chance(0.3) ? { event_type: random.pick(eventTypes) } : {}),
    ...(random.chance(0.5) ? { limit: random.pick(['0', '1', '10', '100']) } : {}),
  };
  const maxPages = query.limit === '0' ? 1 : 4;
  await readByToken(
    (page) => sendRequest(host, page, random),
    { endpoint: 'webhooks/history', query },
    maxPages,
  );
}

/**
 * Reads up to five pages of events after the host's cursor, and stores the new cursor. Sometimes reads one user's
 * events instead.
 */
export async function readEvents(host: Host, random: Random): Promise<void> {
  const limit = random.pick([undefined, '1', '2', '10', '1000']);
  const ofUser = random.chance(0.3) ? pickOrUndefined(random, host.users) : undefined;
  const filter = ofUser && { user_id: ofUser.id };
  const request: Request = { endpoint: 'events/list', query: { ...(limit ? { limit } : {}), ...filter } };
  const pages = await readForward(
    (page) => sendRequest(host, page, random),
    request,
    ofUser ? undefined : host.cursor,
    5,
  );
  if (!ofUser) host.cursor = pages.at(-1)?.body.next ?? host.cursor;
}

/** Reads events from a cursor until the newest event, at most `maxPages` pages. Returns the answers. */
export async function readForward(
  send: SendRequest,
  request: Request,
  from: string | undefined,
  maxPages: number,
): Promise<Answer[]> {
  const pages: Answer[] = [];
  let after = from;
  while (pages.length < maxPages) {
    const page = await send({ ...request, query: { ...request.query, ...(after ? { after } : {}) } });
    if (page?.status !== 200) break;
    pages.push(page);
    after = page.body.next;
    if (page.body.is_all) break;
  }
  return pages;
}

/** Returns a random time range. Its start and its end are each absent in 40 % of the cases. */
function range(host: Host, random: Random): { start?: string; end?: string } {
  const { start, end } = rangeOf(host.api.now(), random);
  return { ...(random.chance(0.6) ? { start } : {}), ...(random.chance(0.6) ? { end } : {}) };
}

/** Returns a random time range. It starts hours to days before `now` and may end after `now`. */
function rangeOf(now: number, random: Random): { start: string; end: string } {
  const start = Math.floor(now - random.around(random.pick([hourMs, dayMs, 5 * dayMs])));
  const end = start + Math.floor(random.around(random.pick([hourMs, dayMs, 5 * dayMs])));
  // A date as `end` means midnight at the start of that day. Sends the day after `end`, so that the range includes
  // `end`.
  if (random.chance(0.2)) return { start: dayOf(start), end: dayOf(end + dayMs) };
  return { start: instant(start, random), end: instant(end, random) };
}

/** Formats a time in one of several equivalent ISO 8601 notations. */
export function instant(time: number, random: Random): string {
  const iso = (at: number) => new Date(at).toISOString().slice(0, -1);
  return random.pick([
    `${iso(time)}Z`,
    iso(time),
    `${iso(time).replace('T', ' ')}Z`,
    `${iso(time - 4 * hourMs)}-04:00`,
    `${iso(time + 5.5 * hourMs)}+0530`,
  ]);
}

/**
 * An in-memory fake of the API with plausible answers, for tests of simulated hosts and operators without the
 * service.
 */
import { requestOf } from '../../../shared/api/request.ts';
import type { Route } from '../../../shared/api/route.ts';
import { routes } from '../../../shared/api/routes.ts';
import { Refusal, refusals } from '../../../shared/refusals.ts';
import { isPayload } from '../../../shared/webhooks/invocations.ts';
import { eventOf } from '../../support/invoke.ts';
import { loadClientBundle } from '../bundles.ts';
import { loadClient } from '../client.ts';
import { type Exchange, type HttpRequest, type HttpResponse, newJournal } from '../journal.ts';
import { createRandom } from '../random.ts';
import { createTimeline, type Timeline } from '../timeline.ts';
import { dayOf } from './action-times.ts';
import type { Api } from './api.ts';

type FakeApi = {
  api: Api;
  /** Advances the virtual clock until the promise `work` settles. */
  run(work: Promise<unknown>): Promise<void>;
};

const clientBundle = await loadClientBundle();
const momentEveryMs = 3 * 3_600_000;
const headers = { 'content-type': 'application/json; charset=utf-8' };

export function createFakeApi(start: string): FakeApi {
  const random = createRandom('1');
  const timeline = createTimeline(Date.parse(start), random.fork('time'));
  const latency = random.fork('latency');
  const journal = newJournal();
  const keys = createKeys();
  const answer = createAnswers(timeline.now, keys.organizationOf);
  let requestNumbers = 0;
  const api: Api = {
    random: random.fork('inhabitants'),
    now: timeline.now,
    wait: timeline.wait,
    createClient: loadClient(clientBundle, timeline, random.fork('client')),
    moment: (until) => timeline.wait(Math.min(until - timeline.now(), momentEveryMs)),
    journal,
    newRequestNumber: () => ++requestNumbers,
    async send(request) {
      const exchange = journal.exchanges.at(-1)!;
      await timeline.wait(latency.around(100));
      return answer(exchange, request);
    },
    async admin(args) {
      const at = timeline.now();
      await timeline.wait(latency.around(1000));
      const result = { exitCode: 0, printed: { day: dayOf(at), ...keys.printed(args) } };
      journal.operatorCommands.push({ at, args, ...result });
      return result;
    },
    deadLetters: () => ({ count: 0, bodies: [], purge() {}, moveBack() {} }),
    receivers: { register() {} },
  };
  return { api, run: (work) => passUntil(work, timeline) };
}

async function passUntil(work: Promise<unknown>, timeline: Timeline): Promise<void> {
  let done = false;
  const watched = work.finally(() => {
    done = true;
  });
  watched.catch(() => {});
  while (!done) await timeline.runUntil(timeline.now() + 3600_000);
  await watched;
}

/** Simulates the operator commands that create organizations and that create, list or revoke API keys. */
function createKeys() {
  const live = new Map<string, string>();
  let made = 0;
  const newKey = (organizationId: string) => {
    const key = `inc_staging_${String(++made).padStart(26, '0')}_${'s'.repeat(43)}`;
    live.set(key, organizationId);
    return { organization_id: organizationId, api_key: key };
  };
  const keysOf = (organizationId: string) =>
    [...live].flatMap(([key, owner]) => (owner === organizationId ? { key_id: key.split('_')[2] } : []));
  return {
    organizationOf: (key: string) => live.get(key),
    printed([noun, verb, ...args]: string[]): object {
      const [, organizationId = '', , keyId] = args;
      if (noun === 'org' && verb === 'list') return { organizations: [] };
      if (noun === 'org') return newKey(`org_${live.size}`);
      if (verb === 'create') return newKey(organizationId);
      if (verb === 'revoke') for (const key of live.keys()) if (key.includes(keyId!)) live.delete(key);
      return { keys: noun === 'key' ? keysOf(organizationId) : [], scheduled: [] };
    },
  };
}

/** Creates a function that validates requests as the service does, and returns made-up answers. */
function createAnswers(now: () => number, organizationOf: (apiKey: string) => string | undefined) {
  const known = new Map<string, string>();
  const make = (prefix: string, organizationId: string) => {
    const id = `${prefix}_${String(known.size).padStart(26, 'A')}`;
    known.set(id, organizationId);
    return id;
  };
  return (exchange: Exchange, { headers: sent, body }: HttpRequest): HttpResponse => {
    const { endpoint, organizationId, path } = exchange;
    try {
      const isPage = endpoint.startsWith('play/');
      const owner = organizationOf((sent.authorization ?? '').replace('Bearer ', ''));
      if (!isPage && owner !== organizationId) throw refusals.unauthorized();
      const event = { ...eventOf(endpoint, { ...exchange, now: now() }), body: body ?? null };
      event.headers = { 'X-Organization-Id': sent['x-organization-id'] ?? '' };
      const route: Route = routes[endpoint];
      const request = requestOf(route, route.schemas(), event as never) as Parsed;
      if (endpoint === 'webhooks/invoke' && !isPayload(request.bodyText ?? ''))
        throw refusals.unprocessable();
      const [, prefix] = /\{(user|webhook|token)/.exec(route.path) ?? [];
      const [id = ''] = Object.values(path);
      if (prefix && !(id.startsWith(prefix) && known.get(id) === organizationId)) throw refusals.notFound();
      if (endpoint === 'play/open')
        return { status: 200, headers: { 'content-type': 'text/html' }, body: page };
      const fields = fieldsOf(request, now(), (prefix) => make(prefix, organizationId));
      return { status: 200, headers, body: JSON.stringify({ status: 'success', ...fields }) };
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      const { status, code, message } = refusal;
      return { status, headers, body: JSON.stringify({ status: 'error', code, message }) };
    }
  };
}

const page =
  '<main><p>Hello &amp; welcome</p><script type="application/json" id="data">{"state":"ready","texts":{}}</script></main>';

type Parsed = {
  query: { page?: number; next_token?: string; after?: string };
  nextToken?: (last: string) => string;
  bodyText?: string;
};

/** Returns one response for all endpoints, with every field that an actor reads. All lists have two pages. */
const fieldsOf = ({ query, nextToken }: Parsed, now: number, make: (prefix: string) => string) => ({
  user_id: make('user'),
  webhook_id: make('webhook'),
  new_ticket_balance: 7,
  balance: 7,
  sequence: 1,
  url: `https://api.example/staging/play/${make('token')}`,
  expiry_time: new Date(now + 30 * 60_000).toISOString(),
  outcome: { id: make('out') },
  items: [],
  webhooks: [],
  transactions: [],
  calls: [],
  events: [],
  ...(query.page === undefined
    ? { next_token: query.next_token ? '' : nextToken?.('position') }
    : { page: query.page, total_pages: 2 }),
  next: nextToken?.('position'),
  is_all: Boolean(query.after ?? query.next_token),
});

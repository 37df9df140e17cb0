/**
 * Requests to the API as its callers send them: written into the journal, and sent again as the contract
 * tells them to.
 */
import { pathTo } from '../../../shared/api/route.ts';
import { routes } from '../../../shared/api/routes.ts';
import type { EndpointName } from '../../support/invoke.ts';
import type { Exchange, HttpRequest, HttpResponse } from '../journal.ts';
import type { Random } from '../random.ts';
import { pageData } from './page-data.ts';
import { type Api, ConnectionLost } from './surroundings.ts';

/** Who sends a request: an organization with an API key, or a player of it without one. */
export type Caller = {
  organizationId: string;
  apiKey?: string;
  /** The organization that the request names, if it is another one than its own; empty if none. */
  named?: string;
};

/** What a caller has to say. */
export type Request = {
  endpoint: EndpointName;
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** Text is sent as it is, all else as JSON. */
  body?: unknown;
  /** What the caller knows to be wrong with it. */
  mistake?: string;
  /** The intent of an earlier request, if it is that one again. */
  intent?: number;
};
export type Answer = NonNullable<Exchange['answer']>;

/** How often a caller sends a request again although it has an answer, and how soon it gives up without one. */
export type Habits = { twiceAtOnce: number; onceMore: number; givesUp: number };

/**
 * Sends a request, and again while the contract says so. Now and then sends it twice at once, or again once there is an
 * answer. Returns an answer, a success if there was one; undefined if the caller gave up before there was any.
 */
export async function call(
  api: Api,
  caller: Caller,
  request: Request,
  random: Random,
  habits: Habits,
): Promise<Answer | undefined> {
  // An intent is named by the place of its first exchange in the journal, which is written before anything
  // else happens.
  const same: Intended = { ...request, intent: request.intent ?? api.journal.exchanges.length };
  const patience = () => drawPatience(random, habits);
  const fearless = !request.mistake && hasOneEffect(request);
  const twice = fearless && random.chance(habits.twiceAtOnce);
  const [first, second] = await Promise.all([
    insist(api, caller, same, strandOf(random), patience()),
    twice ? insist(api, caller, same, strandOf(random), patience()) : undefined,
  ]);
  const answer = second?.status === 200 ? second : first;
  if (!answer || !fearless || !random.chance(habits.onceMore)) return answer;
  await api.wait(random.around(5000));
  return (await insist(api, caller, same, strandOf(random), patience())) ?? answer;
}

/** A stream of one's own for what goes on at the same time as something else. */
export const strandOf = (random: Random): Random => random.fork(String(random.next()));

type Intended = Request & { intent: number };

const drawPatience = (random: Random, { givesUp }: Habits): number =>
  random.chance(givesUp) ? 0 : random.pick([120_000, 120_000, 300_000, 3600_000]);

/** Sends a request until there is an answer that is not for now only, or the patience is at its end. */
async function insist(
  api: Api,
  caller: Caller,
  request: Intended,
  random: Random,
  patienceMs: number,
): Promise<Answer | undefined> {
  const deadline = api.now() + patienceMs;
  for (let sent = 1; ; sent++) {
    const answer = await sendOnce(api, caller, request, random);
    const pause = pauseAfter(answer, sent, random);
    if (pause === undefined || !mayRepeat(request, answer) || api.now() + pause > deadline) return answer;
    await api.wait(pause);
  }
}

/** How long to wait before the same request is sent again; undefined if it need not be. */
export function pauseAfter(answer: Answer | undefined, sent: number, random: Random): number | undefined {
  if (!answer) return Math.min(30_000, 500 * 2 ** sent) * (0.5 + random.next());
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const seconds = Number(answer.headers['retry-after']);
  return 1000 * (seconds >= 0 ? seconds : 1) * (1 + random.next());
}

/** Whether a request that had this answer, or none, may be sent again without a look at what became of it. */
function mayRepeat(request: Request, answer: Answer | undefined): boolean {
  const nothingDone = ['too_many_requests', 'unavailable'].includes(answer?.body?.code);
  return nothingDone || !repeatsItsEffect(request);
}

/** Requests that do what they do once more if they are sent once more. */
const repeatsItsEffect = ({ endpoint, query }: Request): boolean =>
  endpoint === 'webhooks/create' || (endpoint === 'webhooks/invoke' && query?.request_id === undefined);

/** Requests that come to the same however often they are sent, so that one can do so without a reason. */
const hasOneEffect = (request: Request): boolean =>
  !repeatsItsEffect(request) && request.endpoint !== 'games/play' && request.endpoint !== 'debug/play';

/** Sends a request once, and writes it into the journal with its answer. Returns undefined if that was lost. */
async function sendOnce(
  api: Api,
  caller: Caller,
  request: Intended,
  random: Random,
): Promise<Answer | undefined> {
  const { endpoint, path = {}, query = {}, body, intent, mistake } = request;
  const { organizationId } = caller;
  const exchange: Exchange = { sentAt: api.now(), endpoint, organizationId, path, query, body, intent };
  if (mistake) exchange.mistake = mistake;
  api.journal.exchanges.push(exchange);
  try {
    const response = await api.send(httpRequestOf(caller, request, random));
    exchange.answer = answerOf(response, api.now());
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
  }
  return exchange.answer;
}

function httpRequestOf(caller: Caller, request: Request, random: Random): HttpRequest {
  const { endpoint, path = {}, query, body } = request;
  const route = routes[endpoint];
  // A slash at the end is nothing, in every path.
  const slash = random.chance(0.02) ? '/' : '';
  return {
    method: route.method,
    path: pathTo(route, path) + slash,
    ...(query ? { query } : {}),
    headers: headersOf(caller, request, random),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}

function headersOf({ organizationId, apiKey, named }: Caller, { endpoint, body }: Request, random: Random) {
  const isPage = endpoint.startsWith('play/');
  const accepts = random.pick(['', 'gzip', 'gzip, deflate, br', 'identity', 'br;q=1.0, gzip;q=0.5, *;q=0']);
  return {
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(isPage || named === '' ? {} : { 'x-organization-id': named ?? organizationId }),
    ...(isPage ? { 'accept-language': random.pick(['en-US,en;q=0.9', 'es-MX', 'fr']) } : {}),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(accepts ? { 'accept-encoding': accepts } : {}),
  };
}

function answerOf({ status, headers, body }: HttpResponse, at: number): Answer {
  return { at, status, headers, body: readBody(headers['content-type'] ?? '', body) };
}

/** A body that says it is JSON and is not stays text, for a rule to find. */
function readBody(contentType: string, body: string): unknown {
  if (contentType.startsWith('text/html')) return pageData(body) ?? body;
  if (!contentType.startsWith('application/json')) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/**
 * Sends requests to the API as its clients do: retries as the contract says, and records each attempt in the
 * journal.
 */
import { pathTo } from '../../../shared/api/route.ts';
import { routes } from '../../../shared/api/routes.ts';
import type { EndpointName } from '../../support/invoke.ts';
import type { Exchange, HttpRequest, HttpResponse } from '../journal.ts';
import type { Random } from '../random.ts';
import { type Api, ConnectionLost } from './api.ts';
import { pageData } from './page-data.ts';

/** The sender of a request: an organization with its API key, or one of its players without a key. */
export type Caller = {
  organizationId: string;
  apiKey?: string;
  /** The organization id in the request's header, if it is not the sender's own. Empty for no header. */
  named?: string;
};

/** The content of a request. */
export type Request = {
  endpoint: EndpointName;
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
  /** The deliberate mistake in the request. */
  mistake?: string;
  /** The intent of the earlier request that this one repeats. */
  intent?: number;
};
export type Answer = NonNullable<Exchange['answer']>;

/**
 * Probabilities of sending a request twice at once, of repeating it after an answer, and of giving up at the
 * first failure.
 */
export type ClientHabits = { duplicateChance: number; repeatChance: number; abandonChance: number };

/**
 * Sends a request and retries as the contract says. Sometimes sends it twice at once, or again after an
 * answer. Returns an answer, preferably a success, or undefined if the caller gave up without one.
 */
export async function call(
  api: Api,
  caller: Caller,
  request: Request,
  random: Random,
  habits: ClientHabits,
): Promise<Answer | undefined> {
  // The intent is the index of the request's first exchange in the journal. Nothing else runs before that
  // exchange is added.
  const same: Intended = { ...request, intent: request.intent ?? api.journal.exchanges.length };
  const patience = () => drawPatience(random, habits);
  const isRepeatable = !request.mistake && canRepeatFreely(request);
  const twice = isRepeatable && random.chance(habits.duplicateChance);
  const [first, second] = await Promise.all([
    sendUntilFinal(api, caller, same, forkRandom(random), patience()),
    twice ? sendUntilFinal(api, caller, same, forkRandom(random), patience()) : undefined,
  ]);
  const answer = second?.status === 200 ? second : first;
  if (!answer || !isRepeatable || !random.chance(habits.repeatChance)) return answer;
  await api.wait(random.around(5000));
  return (await sendUntilFinal(api, caller, same, forkRandom(random), patience())) ?? answer;
}

/** Returns a separate random stream for a concurrent activity. */
export const forkRandom = (random: Random): Random => random.fork(String(random.next()));

type Intended = Request & { intent: number };

const drawPatience = (random: Random, { abandonChance }: ClientHabits): number =>
  random.chance(abandonChance) ? 0 : random.pick([120_000, 120_000, 300_000, 3600_000]);

/** Sends a request until it gets a final answer or the patience is over. */
async function sendUntilFinal(
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
    if (pause === undefined || !canRetry(request, answer) || api.now() + pause > deadline) return answer;
    await api.wait(pause);
  }
}

/** Returns the pause before the next attempt, in milliseconds, or undefined if the answer is final. */
export function pauseAfter(answer: Answer | undefined, sent: number, random: Random): number | undefined {
  if (!answer) return Math.min(30_000, 500 * 2 ** sent) * (0.5 + random.next());
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const seconds = Number(answer.headers['retry-after']);
  return 1000 * (seconds >= 0 ? seconds : 1) * (1 + random.next());
}

/** Returns whether a request can be retried without first checking whether it had succeeded. */
function canRetry(request: Request, answer: Answer | undefined): boolean {
  const nothingDone = ['too_many_requests', 'unavailable'].includes(answer?.body?.code);
  return nothingDone || !isNotIdempotent(request);
}

/** Requests that are not idempotent: repeating them repeats their effect. */
const isNotIdempotent = ({ endpoint, query }: Request): boolean =>
  endpoint === 'webhooks/create' || (endpoint === 'webhooks/invoke' && query?.request_id === undefined);

/** Requests that can be repeated for no reason. Those for a play URL would make another one. */
const canRepeatFreely = (request: Request): boolean =>
  !isNotIdempotent(request) && request.endpoint !== 'games/play' && request.endpoint !== 'debug/play';

/** Sends a request once and records it in the journal. Returns undefined if the answer was lost. */
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
  // The API ignores a trailing slash.
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

/** Invalid JSON stays text, so that a rule can report it. */
function readBody(contentType: string, body: string): unknown {
  if (contentType.startsWith('text/html')) return pageData(body) ?? body;
  if (!contentType.startsWith('application/json')) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Sends requests of simulated hosts and players, with retries. */
import { pathTo } from '../../../shared/api/route.ts';
import { routes } from '../../../shared/api/routes.ts';
import type { EndpointName } from '../../support/invoke.ts';
import type { Random } from '../../support/random.ts';
import type { Exchange, HttpRequest, HttpResponse } from '../journal.ts';
import { type Api, ConnectionLost } from './api.ts';
import { pageData } from './page-data.ts';

/** The sender of a request: an organization with its API key, or one of its players without a key. */
export type Caller = {
  organizationId: string;
  apiKey?: string;
  /** The id in the `X-Organization-Id` header, by default `organizationId`. An empty string omits the header. */
  named?: string;
};

/** A request to the API, before it becomes an HTTP request. */
export type Request = {
  endpoint: EndpointName;
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** The request's body: a string is sent unchanged, anything else as JSON. */
  body?: unknown;
  /** If the request is deliberately invalid, a description of its mistake. */
  mistake?: string;
  /** A number that a request shares with its retries and repetitions. By default a new number. */
  requestNumber?: number;
};
export type Answer = NonNullable<Exchange['answer']>;

/** Probabilities of a client's habits: concurrent copies, repeats of answered requests, and giving up early. */
export type ClientHabits = {
  duplicateChance: number;
  repeatChance: number;
  abandonChance: number;
};

/**
 * Sends a request with retries. At random, sends two copies concurrently, or repeats the request after an answer.
 * Returns undefined if no whole answer of the API arrived.
 */
export async function call(
  api: Api,
  caller: Caller,
  request: Request,
  random: Random,
  habits: ClientHabits,
): Promise<Answer | undefined> {
  const same: NumberedRequest = {
    ...request,
    requestNumber: request.requestNumber ?? api.newRequestNumber(),
  };
  const send = () => {
    const chance = forkRandom(random);
    return sendUntilFinal(api, caller, same, chance, drawPatience(random, habits));
  };
  const isRepeatable = !request.mistake && canRepeatFreely(request);
  const twice = isRepeatable && random.chance(habits.duplicateChance);
  const [first, second] = await Promise.all([send(), twice ? send() : undefined]);
  const answer = second?.status === 200 ? second : first;
  if (!answer || !isRepeatable || !random.chance(habits.repeatChance)) return answer;
  await api.wait(random.around(5000));
  return (await send()) ?? answer;
}

/** Returns a separate generator for a concurrent activity, so that the activities' order changes no random values. */
export const forkRandom = (random: Random): Random => random.fork(String(random.next()));

type NumberedRequest = Request & { requestNumber: number };

const drawPatience = (random: Random, { abandonChance }: ClientHabits): number =>
  random.chance(abandonChance) ? 0 : random.pick([120_000, 120_000, 300_000, 3600_000]);

/** Retries a request until its answer is final, a retry is unsafe, or `patienceMs` have passed. */
async function sendUntilFinal(
  api: Api,
  caller: Caller,
  request: NumberedRequest,
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

/** Returns the milliseconds before a retry, or undefined for no retry. `sent` counts the attempts so far. */
function pauseAfter(answer: Answer | undefined, sent: number, random: Random): number | undefined {
  if (!answer) return Math.min(30_000, 500 * 2 ** sent) * (0.5 + random.next());
  if (answer.status !== 429 && answer.status !== 503) return undefined;
  const seconds = Number(answer.headers['retry-after']);
  return 1000 * (seconds >= 0 ? seconds : 1) * (1 + random.next());
}

/** Returns whether the client may retry a request without first checking whether the request was executed. */
function canRetry(request: Request, answer: Answer | undefined): boolean {
  const nothingDone = ['too_many_requests', 'unavailable'].includes(answer?.body?.code);
  return nothingDone || !isNotIdempotent(request);
}

/** Returns whether a repetition of the request would make a second webhook call. */
const isNotIdempotent = ({ endpoint, query }: Request): boolean =>
  endpoint === 'webhooks/invoke' && query?.request_id === undefined;

/**
 * Returns whether a client may repeat an answered request. Excludes play requests, because each creates another play
 * URL.
 */
const canRepeatFreely = (request: Request): boolean =>
  !isNotIdempotent(request) && request.endpoint !== 'games/play' && request.endpoint !== 'debug/play';

/** Sends a request once by raw HTTP. Returns undefined if the response was lost. */
async function sendOnce(
  api: Api,
  caller: Caller,
  request: NumberedRequest,
  random: Random,
): Promise<Answer | undefined> {
  const http = httpRequestOf(caller, request, random);
  const response = await exchange(api, caller.organizationId, request, http);
  return response && answerOf(response, api.now());
}

/** Sends a request to the API once and records it in the journal. Resolves with undefined if no response arrives. */
async function exchange(
  api: Api,
  organizationId: string,
  request: NumberedRequest,
  http: HttpRequest,
): Promise<HttpResponse | undefined> {
  const { endpoint, path = {}, query = {}, body, requestNumber, mistake } = request;
  const made: Exchange = { sentAt: api.now(), endpoint, organizationId, path, query, body, requestNumber };
  if (mistake) made.mistake = mistake;
  api.journal.exchanges.push(made);
  try {
    const response = await api.send(http);
    made.answer = answerOf(response, api.now());
    return response;
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    return undefined;
  }
}

function httpRequestOf(caller: Caller, request: Request, random: Random): HttpRequest {
  const { endpoint, path = {}, query, body } = request;
  const route = routes[endpoint];
  // The API must ignore a trailing slash, so some paths get one.
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

/** Parses a response body. Returns invalid JSON as text, so that a rule can report it. */
function readBody(contentType: string, body: string): unknown {
  if (contentType.startsWith('text/html')) return pageData(body) ?? body;
  if (!contentType.startsWith('application/json')) return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Sends hosts' requests with the real client (`shared/client`), and checks the client's results and retries. */
import { isDeepStrictEqual } from 'node:util';
import type { Route } from '../../../shared/api/route.ts';
import { routes } from '../../../shared/api/routes.ts';
import type { IncentivesError } from '../../../shared/client/client.ts';
import { operations } from '../../../shared/client/operations.ts';
import type { EndpointName } from '../../support/invoke.ts';
import type { Random } from '../../support/random.ts';
import type { HttpRequest, HttpResponse } from '../journal.ts';
import type { Api } from './api.ts';
import type { Caller, Request } from './client.ts';
import { carryByProxy } from './proxies.ts';

type Data = { method: string; path: string; query: readonly string[]; items?: string };
/** A method of the client: its name, such as `tickets.credit`, and the HTTP method and path of its endpoint. */
type Method = Data & { name: string; group: string; method: string; verb: string };

const methods = Object.entries<Record<string, Data>>(operations).flatMap(([group, all]) =>
  Object.entries(all).map(([verb, data]): Method => ({ ...data, name: `${group}.${verb}`, group, verb })),
);
/** The names of all methods of the client, including `.each` methods, which iterate over a list. */
export const methodNames = methods.flatMap(({ name, items }) => (items ? [name, `${name}.each`] : [name]));

const byEndpoint = new Map(
  Object.entries<Route>(routes).flatMap(([endpoint, { method, path }]) => {
    const found = methods.find((one) => one.method === method && one.path === path);
    return found ? [[endpoint as EndpointName, found] as const] : [];
  }),
);

type Input = Record<string, unknown>;

/** Returns the client's method and input for a request, or undefined if only raw HTTP can send it. */
export function callOf(caller: Caller, request: Request): { method: Method; input: Input } | undefined {
  const { endpoint, path = {}, query = {}, mistake } = request;
  const method = byEndpoint.get(endpoint);
  if (!method || mistake || caller.named !== undefined) return undefined;
  const body = bodyOf(request, method);
  const isKnown = Object.keys(query).every((name) => method.query.includes(name));
  return body && isKnown ? { method, input: { ...body, ...query, ...path } } : undefined;
}

function bodyOf({ endpoint, body }: Request, { method }: Method): Input | undefined {
  const hasBody = method === 'POST' || method === 'PUT';
  if (body === undefined) return hasBody ? undefined : {};
  if (!hasBody) return undefined;
  if (endpoint !== 'webhooks/invoke') return typeof body === 'object' ? (body as Input) : undefined;
  // The client formats payloads itself, so only raw HTTP can send a text with other spacing or escapes.
  if (typeof body === 'object') return { payload: body };
  const payload = JSON.parse(String(body));
  return JSON.stringify(payload) === body ? { payload } : undefined;
}

/** One HTTP attempt of the client. Without `response`, the attempt failed. */
type Attempt = { sentAt: number; endedAt?: number; response?: HttpResponse };
/**
 * How the client sends: `carry` forwards one attempt to the API; `badChance` is the probability that a faulty proxy
 * interferes.
 */
export type Sending = {
  tries: number;
  badChance: number;
  abandonAfterMs?: number | undefined;
  carry: (request: HttpRequest) => Promise<HttpResponse | undefined>;
};
/**
 * The client's result: the body of a success, or an error. `response` is the last response that the client received.
 */
type Result = { body?: unknown; error?: IncentivesError; response: HttpResponse | undefined };

/** Sends a request with the client. Throws if the client's result or retries are wrong. */
export async function sendByClient(
  api: Api,
  caller: Caller,
  { method, input }: { method: Method; input: Input },
  random: Random,
  sending: Sending,
): Promise<Result> {
  const { client, attempts, signal } = clientOf(api, caller, random, sending);
  // biome-ignore lint/suspicious/noExplicitAny: the method's name is only known at run time
  const send = (client as any)[method.group][method.verb];
  api.journal.clientMethods.push(method.name);
  const result = await (send(input, { signal }) as Promise<unknown>).then(
    (body) => ({ body }),
    (error: IncentivesError) => ({ error }),
  );
  if (!signal.aborted) checkResult(method, input, attempts, result, sending.tries);
  return { ...result, response: attempts.at(-1)?.response };
}

/**
 * Iterates over a list's first `most` items with the client. Throws if the items differ from those in the
 * responses, or if the iteration ends before the last page.
 */
export async function iterate(
  api: Api,
  caller: Caller,
  { method, input }: { method: Method; input: Input },
  most: number,
  random: Random,
  sending: Sending,
): Promise<void> {
  const { client, attempts } = clientOf(api, caller, random, sending);
  // biome-ignore lint/suspicious/noExplicitAny: the method's name is only known at run time
  const { each } = (client as any)[method.group][method.verb];
  api.journal.clientMethods.push(`${method.name}.each`);
  const items: unknown[] = [];
  let isWhole = false;
  try {
    // Converts `limit` to a number: at the number 0, the client ends the iteration. At the text `0`, it would read
    // empty pages endlessly.
    const limit = input.limit === undefined ? {} : { limit: Number(input.limit) };
    for await (const item of each({ ...input, ...limit })) if (items.push(item) >= most) break;
    isWhole = items.length < most;
  } catch (error) {
    if ((error as Error).name !== 'IncentivesError') throw error;
  }
  const pages = attempts.flatMap(({ response }) => successIn(response) ?? []);
  const listed = pages.flatMap((page) => page[method.items!] as unknown[]);
  const { is_all, next_token, page = 0, total_pages = 0 } = pages.at(-1) ?? {};
  const isLastPage =
    method.name === 'events.list' ? is_all : !next_token && Number(page) + 1 >= Number(total_pages);
  const isLast = input.limit === '0' || isLastPage;
  if (!isDeepStrictEqual(items, isWhole ? listed : listed.slice(0, items.length)) || (isWhole && !isLast))
    throw new Error(
      `${method.name}.each ${JSON.stringify(input)} gives ${items.length} of ${listed.length} items`,
    );
}

/** Makes a client whose requests go through a proxy. `attempts` collects the client's HTTP attempts. */
function clientOf(api: Api, { organizationId, apiKey }: Caller, random: Random, sending: Sending) {
  const attempts: Attempt[] = [];
  const controller = new AbortController();
  if (sending.abandonAfterMs !== undefined)
    void api.wait(sending.abandonAfterMs).then(() => controller.abort(new Error('the host gives up')));
  const fetch = (url: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const attempt: Attempt = { sentAt: api.now() };
      attempts.push(attempt);
      const fail = (error: unknown) => {
        attempt.endedAt ??= api.now();
        reject(error);
      };
      init.signal!.addEventListener('abort', () => fail(init.signal!.reason));
      const carry = () => sending.carry(httpRequestOf(url, init, random));
      carryByProxy(carry, api, random, sending.badChance).then((response) => {
        if (!response) return fail(new TypeError('fetch failed'));
        if (attempt.endedAt !== undefined) return;
        Object.assign(attempt, { endedAt: api.now(), response });
        resolve(new Response(response.body, { status: response.status, headers: response.headers }));
      }, fail);
    });
  const client = api.createClient({
    baseUrl: 'https://api.example.com',
    organizationId,
    ...(apiKey === undefined ? {} : { apiKey }),
    tries: sending.tries,
    fetch: fetch as typeof globalThis.fetch,
  });
  return { client, attempts, signal: controller.signal };
}

function httpRequestOf(url: string, { method, headers, body }: RequestInit, random: Random): HttpRequest {
  const { pathname, searchParams } = new URL(url);
  const accepts = random.pick(['', 'gzip', 'gzip, deflate, br', 'identity', 'br;q=1.0, gzip;q=0.5, *;q=0']);
  return {
    method: method!,
    path: pathname,
    ...(searchParams.size > 0 ? { query: Object.fromEntries(searchParams) } : {}),
    headers: { ...(headers as Record<string, string>), ...(accepts ? { 'accept-encoding': accepts } : {}) },
    ...(body == null ? {} : { body: String(body) }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
function jsonIn(response: HttpResponse | undefined): any {
  try {
    return JSON.parse(response?.body ?? '');
  } catch {
    return undefined;
  }
}

const successIn = (response: HttpResponse | undefined) =>
  response?.status === 200 && jsonIn(response)?.status === 'success' ? jsonIn(response) : undefined;

/** Returns the code of the error that the client must throw after an attempt. */
function codeAfter({ response }: Attempt): string {
  if (!response) return 'no_answer';
  const body = jsonIn(response);
  return body?.status === 'error' ? body.code : 'unexpected_answer';
}

/** Returns whether the client must retry a request after an attempt, as `shared/client/README.md` says. */
function isRepeated(attempt: Attempt, isRepeatable: boolean): boolean {
  const code = codeAfter(attempt);
  if (code === 'too_many_requests' || code === 'unavailable') return true;
  const { status = 503 } = attempt.response ?? {};
  return (
    isRepeatable && (status === 503 || (code === 'unexpected_answer' && (status === 429 || status >= 500)))
  );
}

function checkResult(
  { name }: Method,
  input: Input,
  attempts: Attempt[],
  { body, error }: { body?: unknown; error?: IncentivesError },
  tries: number,
): void {
  const isRepeatable = name !== 'webhooks.invoke' || input.request_id !== undefined;
  const wrong = (what: string) => {
    throw new Error(`${name} ${JSON.stringify(input)} ${what}: ${JSON.stringify(attempts)}`, {
      cause: error,
    });
  };
  if (attempts.length > tries) wrong(`is sent more than ${tries} times`);
  attempts.slice(1).forEach((next, index) => {
    const before = attempts[index]!;
    if (successIn(before.response) || !isRepeated(before, isRepeatable)) wrong('is repeated without need');
    const seconds = /^\d{1,6}$/.exec(before.response?.headers['retry-after'] ?? '')?.[0];
    if (next.sentAt - before.endedAt! < Number(seconds ?? 0) * 1000) wrong('is repeated too early');
  });
  const last = attempts.at(-1)!;
  const success = successIn(last.response);
  if (success) {
    if (!isDeepStrictEqual(body, success)) wrong(`returns ${JSON.stringify(body)}`);
    return;
  }
  if (error?.code !== codeAfter(last)) wrong(`throws ${error}`);
  if (isRepeated(last, isRepeatable) && attempts.length < tries) wrong('is not repeated');
}

import { type Operations, operations } from './operations.ts';
import { sendWithRetries } from './send.ts';

export { IncentivesError } from './errors.ts';
export type * from './operations.ts';

export type ClientOptions = {
  /** Base URL of the API, or of your proxy that forwards to the API. */
  baseUrl: string | URL;
  /** API key. Omit it in a browser, and let your proxy add the `Authorization` header. */
  apiKey?: string;
  /** Id of the API key's organization, sent as `X-Organization-Id`. */
  organizationId?: string;
  /** Maximum number of attempts per request, at least 1. Default: 5. */
  tries?: number;
  /**
   * Timeout of each attempt in milliseconds, or `Infinity`. Default: 35,000, which is longer than the API's timeout of
   * 29 s.
   */
  timeoutMs?: number;
  /** Additional headers of every request, for example for your proxy. */
  headers?: Record<string, string>;
  /** Function to use instead of the global `fetch`. */
  fetch?: typeof fetch;
};

export type CallOptions = {
  signal?: AbortSignal;
  /**
   * Fault for the first attempt, to test retries. With `lost`, the request takes effect but fails. Not on production.
   */
  fault?: 'unavailable' | 'throttled' | 'lost' | 'slow' | `slow=${number}`;
};

/** Arguments of a method. The input is optional if all its fields are optional. */
type Arguments<Input> =
  // biome-ignore lint/complexity/noBannedTypes: tests whether the input may be empty
  {} extends Input ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions];
/** A method of the client. The method of a list has a function `each`, which iterates over the items of all pages. */
type Call<Operation> = Operation extends { input: infer Input; reply: infer Reply }
  ? ((...args: Arguments<Input>) => Promise<Reply>) &
      (Operation extends { item: infer Item }
        ? { each: (...args: Arguments<Input>) => AsyncGenerator<Item, void, undefined> }
        : unknown)
  : never;

/**
 * The client, with a method for each operation of the API. For example, call `client.tickets.credit(…)`, or
 * iterate over `client.tickets.history.each(…)`.
 */
export type Client = {
  [Group in keyof Operations]: {
    [Method in keyof Operations[Group]]: Call<Operations[Group][Method]>;
  };
};

/**
 * Creates an API client. Throws TypeError for invalid options. The client's methods repeat failed requests if this is
 * safe. They throw IncentivesError, TypeError for invalid ids, or the abort reason of `signal`.
 */
export function createClient(options: ClientOptions): Client {
  checkLimits(options);
  const service: Service = { options, address: addressOf(options.baseUrl), headers: headersOf(options) };
  const client: Record<string, Record<string, unknown>> = {};
  for (const [group, methods] of Object.entries<Record<string, Data>>(operations)) {
    const calls = Object.entries(methods).map(([method, data]) => {
      const operation = { ...data, name: `${group}.${method}` };
      const call = (input: Fields = {}, callOptions: CallOptions = {}) =>
        request(operation, input, service, callOptions);
      return [method, Object.assign(call, { each: itemsOf(operation, call) })];
    });
    client[group] = Object.fromEntries(calls);
  }
  return client as Client;
}

type Fields = Record<string, unknown>;
type Data = { method: string; path: string; query: readonly string[]; items?: string };
type Operation = Data & { name: string };
type Service = { options: ClientOptions; address: string; headers: Record<string, string> };

/** Returns the base URL without a trailing slash. In a browser, `baseUrl` can also be a path. */
function addressOf(baseUrl: string | URL): string {
  const { location } = globalThis as { location?: { href: string } };
  const url = baseUrl ? (parsed(baseUrl) ?? parsed(baseUrl, location?.href)) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('createClient: baseUrl must be a URL such as https://api.example.com');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}

// JavaScript ends longer timers at once.
const maxTimerMs = 2 ** 31 - 1;

function checkLimits({ tries, timeoutMs }: ClientOptions): void {
  const isCount = tries === Infinity || (Number.isInteger(tries) && tries! >= 1);
  if (tries !== undefined && !isCount) {
    throw new TypeError('createClient: tries must be a whole number from 1, or Infinity');
  }
  const isTimer = typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs <= maxTimerMs;
  if (timeoutMs !== undefined && timeoutMs !== Infinity && !isTimer) {
    throw new TypeError(`createClient: timeoutMs must be a number up to ${maxTimerMs}, or Infinity`);
  }
}

function parsed(url: string | URL, base?: string): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

function headersOf({ apiKey, organizationId, headers }: ClientOptions): Record<string, string> {
  const all = {
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    ...(organizationId === undefined ? {} : { 'x-organization-id': organizationId }),
    ...headers,
  };
  // Throws a TypeError for an invalid header when the client is created, not only with the first request.
  new Headers(all);
  return all;
}

async function request(
  { name, method, path, query }: Operation,
  input: Fields,
  { options, address, headers }: Service,
  { signal, fault }: CallOptions,
): Promise<unknown> {
  const { fetch = globalThis.fetch, tries = 5, timeoutMs = 35_000 } = options;
  const rest = { ...input };
  const take = (field: string) => {
    const value = rest[field];
    delete rest[field];
    return value;
  };
  const filledPath = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const id = take(field);
    // Rejects empty, `.` and `..` ids, because URL normalization would send the request to a different path.
    if (typeof id !== 'string' || ['', '.', '..'].includes(id)) {
      throw new TypeError(`${name}: ${field} must be an id, but is ${JSON.stringify(id)}`);
    }
    return encodeURIComponent(id);
  });
  const search = new URLSearchParams();
  for (const field of query) {
    const value = take(field);
    if (value !== undefined) search.set(field, String(value));
  }
  const queryString = String(search);
  const hasBody = method === 'POST' || method === 'PUT';
  return sendWithRetries(
    {
      url: `${address}${filledPath}${queryString && `?${queryString}`}`,
      method,
      headers: hasBody ? { 'content-type': 'application/json', ...headers } : headers,
      body: hasBody ? JSON.stringify(rest.payload ?? rest) : undefined,
      repeatable: isRepeatable(name, input),
    },
    { fetch, tries, timeoutMs, signal, fault },
  );
}

/** Returns whether a request may be sent again: an `invoke` without `request_id` would send its payload twice. */
const isRepeatable = (name: string, { request_id }: Fields) =>
  name !== 'webhooks.invoke' || request_id !== undefined;

/** Returns `each` for a list: it yields the items of all pages, fetched when needed. Undefined for other operations. */
function itemsOf(
  { items, query }: Operation,
  call: (input: Fields, options?: CallOptions) => Promise<unknown>,
) {
  if (items === undefined) return undefined;
  return async function* each(input: Fields = {}, options: CallOptions = {}): AsyncGenerator<unknown, void> {
    for (let next: Fields | undefined = input; next; ) {
      const reply = (await call(next, options)) as Fields;
      yield* reply[items] as unknown[];
      next = followingPage(query)(reply, next);
    }
  };
}

/** Returns a function that returns the input for the next page, or undefined after the last page. */
function followingPage(query: readonly string[]): (reply: Fields, input: Fields) => Fields | undefined {
  if (query.includes('after')) return eventsAfter;
  return query.includes('page') ? pageAfter : tokenAfter;
}

const eventsAfter = ({ next, is_all }: Fields, input: Fields) =>
  is_all ? undefined : { ...input, after: next, after_sequence: undefined };

// Ends at a `limit` of 0: every page of `webhooks.history` would be empty but have a `next_token`, and the loop would
// never end.
const tokenAfter = ({ next_token }: Fields, input: Fields) =>
  next_token && input.limit !== 0 ? { ...input, next_token } : undefined;

const pageAfter = ({ page, total_pages }: Fields, input: Fields) =>
  Number(page) + 1 < Number(total_pages) ? { ...input, page: Number(page) + 1 } : undefined;

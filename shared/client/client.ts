import { type Operations, operations } from './operations.ts';
import { type Patience, send } from './send.ts';

export { IncentivesError } from './errors.ts';
export type * from './operations.ts';

/** Options of a client. */
export type ClientOptions = {
  /** Address of the API, or of your proxy in front of it. */
  baseUrl: string | URL;
  /** API key. Leave it out in a browser, where your proxy adds it. */
  apiKey?: string;
  /** Id of the key's organization. */
  organizationId?: string;
  /** Attempts of a request in all; default 5. */
  tries?: number;
  /** Timeout of an attempt in milliseconds; default 35,000, a little more than the service's own limit. */
  timeoutMs?: number;
  /** Additional headers of every request, such as those your proxy needs. */
  headers?: Record<string, string>;
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch;
};

/** Options of one call. */
export type CallOptions = { signal?: AbortSignal };

type Given<Input> =
  // biome-ignore lint/complexity/noBannedTypes: whether a call without an input is one
  {} extends Input ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions];
/** A callable operation. A list also has `each`, which iterates over all pages. */
type Call<Operation> = Operation extends { input: infer Input; reply: infer Reply }
  ? ((...given: Given<Input>) => Promise<Reply>) &
      (Operation extends { item: infer Item }
        ? { each: (...given: Given<Input>) => AsyncGenerator<Item, void, undefined> }
        : unknown)
  : never;

/**
 * The API: `client.tickets.credit(…)`, and for lists `for await (… of client.tickets.history.each(…))`. Its keys are
 * those of `Operations`, so that editors show their documentation.
 */
export type Client = {
  [Group in keyof Operations]: {
    [Method in keyof Operations[Group]]: Call<Operations[Group][Method]>;
  };
};

/**
 * Makes a client of the API. Each call takes path, query and body as one object and returns the body of the answer. It
 * repeats the same request after a 429, a 503 or no answer. A call throws an IncentivesError, or a TypeError for a
 * malformed id. `createClient` throws a TypeError for invalid options.
 */
export function createClient(options: ClientOptions): Client {
  const at: Service = { options, address: addressOf(options.baseUrl), headers: headersOf(options) };
  const client: Record<string, Record<string, unknown>> = {};
  for (const [group, methods] of Object.entries<Record<string, Data>>(operations)) {
    const calls = Object.entries(methods).map(([method, data]) => {
      const operation = { ...data, name: `${group}.${method}` };
      const call = (input: Fields = {}, more: CallOptions = {}) => request(operation, input, at, more);
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

/** Returns an address without a trailing slash. In a browser it may be a path of the page's origin. */
function addressOf(baseUrl: string | URL): string {
  const { location } = globalThis as { location?: { href: string } };
  const url = baseUrl ? (parsed(baseUrl) ?? parsed(baseUrl, location?.href)) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new TypeError('createClient: baseUrl has to be an address as https://api.example.com');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
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
  // Throws for an invalid header now instead of at the first request.
  new Headers(all);
  return all;
}

async function request(
  { name, method, path, query }: Operation,
  input: Fields,
  { options, address, headers }: Service,
  { signal }: CallOptions,
): Promise<unknown> {
  const { fetch = globalThis.fetch, tries = 5, timeoutMs = 35_000 } = options;
  const rest = { ...input };
  const take = (field: string) => {
    const value = rest[field];
    delete rest[field];
    return value;
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => {
    const id = take(field);
    // URL normalization would send these ids to a different path.
    if (typeof id !== 'string' || ['', '.', '..'].includes(id)) {
      throw new TypeError(`${name}: ${field} must be an id, and is ${JSON.stringify(id)}`);
    }
    return encodeURIComponent(id);
  });
  const search = new URLSearchParams();
  for (const field of query) {
    const value = take(field);
    if (value !== undefined) search.set(field, String(value));
  }
  const asked = String(search);
  const hasBody = method === 'POST' || method === 'PUT';
  const patience: Patience = { fetch, tries, timeoutMs, signal };
  return send(
    {
      url: `${address}${filled}${asked && `?${asked}`}`,
      method,
      headers: hasBody ? { 'content-type': 'application/json', ...headers } : headers,
      body: hasBody ? JSON.stringify(rest.payload ?? rest) : undefined,
      repeatable: isRepeatable(name, input),
    },
    patience,
  );
}

/** Whether a request may be repeated: the service cannot recognize a second registration or an unnamed invocation. */
const isRepeatable = (name: string, { request_id }: Fields) =>
  name !== 'webhooks.create' && (name !== 'webhooks.invoke' || request_id !== undefined);

/** Iterates over a list from the requested page to the last; fetches each page when it is reached. */
function itemsOf({ items, query }: Operation, call: (input: Fields, more?: CallOptions) => Promise<unknown>) {
  if (items === undefined) return undefined;
  return async function* each(input: Fields = {}, more: CallOptions = {}): AsyncGenerator<unknown, void> {
    for (let next: Fields | undefined = input; next; ) {
      const reply = (await call(next, more)) as Fields;
      yield* reply[items] as unknown[];
      next = query.includes('page') ? pageAfter(reply, next) : tokenAfter(reply, next);
    }
  };
}

// With a limit of 0, the next page would be the same one forever.
const tokenAfter = ({ next_token }: Fields, input: Fields) =>
  next_token && input.limit !== 0 ? { ...input, next_token } : undefined;

const pageAfter = ({ page, total_pages }: Fields, input: Fields) =>
  Number(page) + 1 < Number(total_pages) ? { ...input, page: Number(page) + 1 } : undefined;

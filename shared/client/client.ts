import { type Operations, operations } from './operations.ts';
import { type Patience, send } from './send.ts';

export { IncentivesError } from './errors.ts';
export type * from './operations.ts';

/** What a client needs to know. */
export type ClientOptions = {
  /** The address of the API, or of a proxy of your own in front of it. */
  baseUrl: string | URL;
  /** An API key. Leave it out in a browser: there, a proxy of your own adds it. */
  apiKey?: string;
  /** The id of the organization that the key belongs to. */
  organizationId?: string;
  /** Tries of a request in all; 5 by default. */
  tries?: number;
  /** Milliseconds that a try may take; 35,000 by default, a little more than the service takes at most. */
  timeoutMs?: number;
  /** Headers that every request gets besides, such as those that your proxy asks for. */
  headers?: Record<string, string>;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch;
};

/** What one call may have of its own. */
export type CallOptions = { signal?: AbortSignal };

type Given<Input> =
  // biome-ignore lint/complexity/noBannedTypes: whether a call without an input is one
  {} extends Input ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions];
/** An operation that can be called; one that returns a list page by page can be looped over as well. */
type Call<Operation> = Operation extends { input: infer Input; reply: infer Reply }
  ? ((...given: Given<Input>) => Promise<Reply>) &
      (Operation extends { item: infer Item }
        ? { each: (...given: Given<Input>) => AsyncGenerator<Item, void, undefined> }
        : unknown)
  : never;

/**
 * The API: `client.tickets.credit(…)`, and of lists `for await (… of client.tickets.history.each(…))`. It has the keys of
 * `Operations` as they are, by which editors find what is said of each.
 */
export type Client = {
  [Group in keyof Operations]: {
    [Method in keyof Operations[Group]]: Call<Operations[Group][Method]>;
  };
};

/**
 * A client of the API. Each call takes path, query and body as one object and returns the body of the answer. It is
 * repeated, as it is, while nothing is known of its outcome or the service asks for it; it throws an IncentivesError, and a
 * TypeError for an id that none can be. Throws a TypeError for options with which nothing could ever be sent.
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

/** An address without a slash at its end. In a browser it may be a path of the page's own origin. */
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
  // Throws for what no header can have, which `fetch` would do only once it is tried.
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
    // An address is tidied on its way: with these the request would be for another path.
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

/** A registration of a webhook has nothing by which a second one would be known, nor has an unnamed invocation. */
const isRepeatable = (name: string, { request_id }: Fields) =>
  name !== 'webhooks.create' && (name !== 'webhooks.invoke' || request_id !== undefined);

/** The items of a list, from the page that is asked for to its last; pages are fetched when they are reached. */
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

// A page without a row leads to itself.
const tokenAfter = ({ next_token }: Fields, input: Fields) =>
  next_token && input.limit !== 0 ? { ...input, next_token } : undefined;

const pageAfter = ({ page, total_pages }: Fields, input: Fields) =>
  Number(page) + 1 < Number(total_pages) ? { ...input, page: Number(page) + 1 } : undefined;

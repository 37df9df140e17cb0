import { type Operations, operations } from './operations.ts';
import { type Patience, send } from './send.ts';

export { IncentivesError } from './errors.ts';
export type * from './operations.ts';

/** What a client needs to know. */
export type ClientOptions = {
  /** The address of the API, or of a proxy of your own in front of it. */
  baseUrl: string;
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

type Name = keyof Operations;
type Input<N extends Name> = Operations[N]['input'];
type Reply<N extends Name> = Operations[N]['reply'];

/** The operations that return a list page by page, and what their items are. */
type Paged<N extends Name> = (typeof operations)[N] extends { items: infer Field extends string }
  ? Reply<N> extends { [field in Field]: (infer Item)[] }
    ? { each: (...given: Given<N>) => AsyncGenerator<Item, void, undefined> }
    : unknown
  : unknown;

type Given<N extends Name> =
  // biome-ignore lint/complexity/noBannedTypes: whether a call without an input is one
  {} extends Input<N> ? [input?: Input<N>, options?: CallOptions] : [input: Input<N>, options?: CallOptions];
type Call<N extends Name> = ((...given: Given<N>) => Promise<Reply<N>>) & Paged<N>;

type Group = Name extends `${infer G}.${string}` ? G : never;
type CallsOf<G extends Group> = {
  [N in Name as N extends `${G}.${infer Rest}` ? Rest : never]: Call<N>;
};

/** The API: `client.tickets.credit(…)`, and of lists `for await (… of client.tickets.history.each(…))`. */
export type Client = { [G in Group]: CallsOf<G> };

/**
 * A client of the API. Each call takes path, query and body as one object and returns the body of the answer. It is
 * repeated, as it is, while nothing is known of its outcome or the service asks for it; it throws an IncentivesError, and a
 * TypeError for an id that none can be. Without a `baseUrl` there is no client, but a TypeError.
 */
export function createClient(options: ClientOptions): Client {
  // What a variable that is not set gives.
  if (!options.baseUrl) throw new TypeError('createClient: baseUrl is missing');
  const client: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(operations) as Name[]) {
    const [group = '', method = ''] = name.split('.');
    const call = (input: Fields = {}, more: CallOptions = {}) => request(name, input, options, more);
    client[group] = { ...client[group], [method]: Object.assign(call, { each: itemsOf(name, call) }) };
  }
  return client as Client;
}

type Fields = Record<string, unknown>;
type Data = { method: string; path: string; query: readonly string[]; items?: string };

async function request(
  name: Name,
  input: Fields,
  options: ClientOptions,
  { signal }: CallOptions,
): Promise<unknown> {
  const { method, path, query }: Data = operations[name];
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
      url: `${options.baseUrl.replace(/\/+$/, '')}${filled}${asked && `?${asked}`}`,
      method,
      headers: headersOf(options, hasBody),
      body: hasBody ? JSON.stringify(rest.payload ?? rest) : undefined,
      repeatable: isRepeatable(name, input),
    },
    patience,
  );
}

/** A registration of a webhook has nothing by which a second one would be known, nor has an unnamed invocation. */
const isRepeatable = (name: Name, { request_id }: Fields) =>
  name !== 'webhooks.create' && (name !== 'webhooks.invoke' || request_id !== undefined);

const headersOf = ({ apiKey, organizationId, headers }: ClientOptions, hasBody: boolean) => ({
  ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  ...(organizationId === undefined ? {} : { 'x-organization-id': organizationId }),
  ...(hasBody ? { 'content-type': 'application/json' } : {}),
  ...headers,
});

/** The items of a list, from the page that is asked for to its last; pages are fetched when they are reached. */
function itemsOf(name: Name, call: (input: Fields, more?: CallOptions) => Promise<unknown>) {
  const { items, query }: Data = operations[name];
  if (items === undefined) return undefined;
  return async function* each(input: Fields = {}, more: CallOptions = {}): AsyncGenerator<unknown, void> {
    for (let next: Fields | undefined = input; next; ) {
      const reply = (await call(next, more)) as Fields;
      yield* reply[items] as unknown[];
      next = query.includes('page') ? pageAfter(reply, next) : tokenAfter(reply, next);
    }
  };
}

const tokenAfter = ({ next_token }: Fields, input: Fields) =>
  next_token ? { ...input, next_token } : undefined;

const pageAfter = ({ page, total_pages }: Fields, input: Fields) =>
  Number(page) + 1 < Number(total_pages) ? { ...input, page: Number(page) + 1 } : undefined;

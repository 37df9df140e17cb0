import { createOrganization } from '../../shared/actions/create-organization.ts';
import { dynamodb, scheduler, sqs } from '../../shared/aws.ts';
import { untilAnswered } from './repeat.ts';
import { stage } from './stage.ts';

// Raises the AWS clients' timeouts to a minute, because the test machine may be busy.
type Handler = { updateHttpClientConfig: (name: string, value: number) => void };
for (const { config } of [dynamodb(), sqs(), scheduler()]) {
  const handler = config.requestHandler as unknown as Handler;
  handler.updateHttpClientConfig('connectionTimeout', 60_000);
  handler.updateHttpClientConfig('requestTimeout', 60_000);
}

/** A response of the local stage. `sent` is the number of times that its request was sent. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
export type Answer = { status: number; headers: Headers; body: any; sent: number };
type Options = { query?: Record<string, string | number>; body?: unknown; headers?: Record<string, string> };
/** An API client of the local stage for one organization. */
export type Api = {
  organizationId: string;
  apiKey: string;
  call: (method: string, path: string, options?: Options) => Promise<Answer>;
  get: (path: string, query?: Options['query']) => Promise<Answer>;
  post: (path: string, body?: unknown) => Promise<Answer>;
  put: (path: string, body?: unknown) => Promise<Answer>;
  delete: (path: string) => Promise<Answer>;
  /** Creates a user, optionally with tickets. Returns the user id. */
  user: (tickets?: number) => Promise<string>;
};

export const baseUrl = stage.baseUrl;

/** Creates an organization and returns an API client for the organization. */
export async function newOrganization(name = 'Test'): Promise<Api> {
  const { organization_id, api_key } = await createOrganization(name, 'local', {
    operator: 'test',
    now: Date.now(),
  });
  return apiOf(organization_id, api_key);
}

/** Returns the secret of an API key. It may contain `_`, and a part of it can occur anywhere. */
export const secretOf = (apiKey: string): string => apiKey.split('_').slice(3).join('_');

/** Returns the organization's webhook calls since an hour ago. A longer range would need one query per day. */
export async function callsOf(api: Api) {
  const hour = 3_600_000;
  const [start, end] = [-hour, hour].map((ms) => new Date(Date.now() + ms).toISOString());
  return (await api.get('/webhook/history', { start: start!, end: end! })).body.calls;
}

/** Returns an API client that authenticates as an organization. */
export function apiOf(organizationId: string, apiKey: string): Api {
  const credentials = { authorization: `Bearer ${apiKey}`, 'x-organization-id': organizationId };
  const call: Api['call'] = (method, path, { headers, ...options } = {}) =>
    request(method, path, { ...options, headers: { ...credentials, ...headers } });
  const api: Api = {
    organizationId,
    apiKey,
    call,
    get: (path, query) => call('GET', path, query ? { query } : {}),
    post: (path, body) => call('POST', path, { body }),
    put: (path, body) => call('PUT', path, { body }),
    delete: (path) => call('DELETE', path),
    user: (tickets = 0) => makeUser(api, tickets),
  };
  return api;
}

/**
 * Sends a request to the local stage. Sends text and bytes unchanged, other bodies as JSON. Retries temporary
 * refusals; `invoke` does not.
 */
export const request = (method: string, path: string, options: Options): Promise<Answer> =>
  untilAnswered(() => send(method, path, options));

async function send(method: string, path: string, { query, body, headers = {} }: Options) {
  const search = query
    ? `?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}`
    : '';
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(stage.baseUrl + path + search, {
    method,
    headers,
    ...(body === undefined ? {} : { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
}

async function makeUser(api: Api, tickets: number): Promise<string> {
  const { body } = await api.post('/users', { external_reference: crypto.randomUUID() });
  if (tickets > 0) {
    await api.post(`/users/${body.user_id}/tickets/credit`, { amount: tickets, idempotency_key: 'start' });
  }
  return body.user_id;
}

/** Calls `make` `count` times, with the index from 0 on. Returns the results in order. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

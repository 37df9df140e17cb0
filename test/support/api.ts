import { inject } from 'vitest';
import { dynamodb, scheduler, sqs } from '../../shared/aws.ts';
import { createOrganization } from '../../shared/operations/create-organization.ts';
import { untilAnswered } from './repeat.ts';

const stage = inject('stage');

// What a test runs in its own process waits for a busy machine, instead of trying again as it would on AWS.
type Handler = { updateHttpClientConfig: (name: string, value: number) => void };
for (const { config } of [dynamodb(), sqs(), scheduler()]) {
  const handler = config.requestHandler as unknown as Handler;
  handler.updateHttpClientConfig('connectionTimeout', 60_000);
  handler.updateHttpClientConfig('requestTimeout', 60_000);
}

/** An answer of the service as a test looks at it, and how often its request was sent until it came. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the answer has
export type Answer = { status: number; headers: Headers; body: any; sent: number };
type Options = { query?: Record<string, string | number>; body?: unknown; headers?: Record<string, string> };
/** Calls the local stage as one organization. */
export type Api = {
  organizationId: string;
  apiKey: string;
  call: (method: string, path: string, options?: Options) => Promise<Answer>;
  get: (path: string, query?: Options['query']) => Promise<Answer>;
  post: (path: string, body?: unknown) => Promise<Answer>;
  put: (path: string, body?: unknown) => Promise<Answer>;
  delete: (path: string) => Promise<Answer>;
  /** Makes a user, with tickets where a number is given, and answers the id. */
  user: (tickets?: number) => Promise<string>;
};

export const baseUrl = stage.baseUrl;

/** A fresh organization and a way to call the API as it. */
export async function newOrganization(name = 'Test'): Promise<Api> {
  const { organization_id, api_key } = await createOrganization(name, 'local', {
    operator: 'test',
    now: Date.now(),
  });
  return apiOf(organization_id, api_key);
}

/** The calls of an organization's webhooks in the last hour; a longer time would take a query for each of its days. */
export async function callsOf(api: Api) {
  const hour = 3_600_000;
  const [start, end] = [-hour, hour].map((ms) => new Date(Date.now() + ms).toISOString());
  return (await api.get('/webhook/history', { start: start!, end: end! })).body.calls;
}

/** A way to call the API with any credentials. */
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
 * One request to the local stage; a body that is a string or bytes is sent as it is, all else as JSON. It is sent again
 * while the stage refuses it for now: a test of such a refusal itself sees it by `invoke`.
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

/** Makes a number of things one after the other, from their index. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

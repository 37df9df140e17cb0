/** Makes valid requests, responses and webhook calls. Tests change them to break a rule. */
import type { Exchange, ReceiverCall, StoredItem } from '../../journal.ts';
import { iso, organizationId, start, ulidOf } from '../examples.ts';
import { shortId } from '../item-types.ts';
import { signatureOf } from './signature.ts';

export const webhookId = `wh_${ulidOf(start - 600_000)}`;
export const secret = 'a secret of the webhook';
export const url = 'https://hooks.example.com/all';
const jsonHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-request-id': 'request',
};
let intents = 0;

/** Returns a request to the API with its response, which arrives after 100 ms. */
export function exchange(
  endpoint: Exchange['endpoint'],
  sentAt: number,
  request: { path?: object; query?: object; body?: unknown },
  response: { body: unknown; status?: number; headers?: object },
): Exchange {
  const { status = 200, headers = {}, body } = response;
  const success = endpoint === 'play/open' ? body : { status: 'success', ...(body as object) };
  return {
    sentAt,
    endpoint,
    organizationId,
    path: { ...request.path },
    query: { ...request.query },
    body: request.body,
    intent: ++intents,
    answer: {
      at: sentAt + 100,
      status,
      headers: {
        ...jsonHeaders,
        ...(endpoint === 'play/open' ? { 'content-type': 'text/html; charset=utf-8' } : {}),
        ...headers,
      },
      body: status === 200 ? success : body,
    },
  };
}

/** Returns the service's response for a refusal. */
export const refusal = (status: number, code: string) => ({
  status,
  body: { status: 'error', message: code, code, request_id: 'request' },
  headers: { ...jsonHeaders, ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}) },
});

/**
 * Returns a call to the webhook, signed with some secrets. The call reaches the receiver 50 ms after `at`.
 */
export function callOf(id: string, body: string, at: number, secrets = [secret]): ReceiverCall {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at / 1000)) };
  const signatures = secrets.map((one) => signatureOf({ headers, body }, one));
  return {
    at: at + 50,
    url,
    addresses: ['93.184.216.34'],
    headers: { ...headers, 'webhook-signature': signatures.join(' ') },
    body,
    reaction: 200,
  };
}

/** Returns the item that records a call to the webhook. */
export const callItem = (
  { headers, body, at, reaction }: ReceiverCall,
  type: string,
  of: object = {},
): StoredItem => ({
  pk: `CALLS#${shortId(organizationId)}#2026-03-06`,
  sk: ulidOf(at - 50, at % 1000),
  organization_id: organizationId,
  webhook_id: webhookId,
  event_id: headers['webhook-id'],
  event_type: type,
  timestamp: iso(at - 50),
  url,
  payload: body,
  attempt: 1,
  duration_ms: 50,
  response_status: reaction,
  ttl: at / 1000 + 90 * 24 * 3600,
  ...of,
});

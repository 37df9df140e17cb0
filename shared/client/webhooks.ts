import type { WebhookEvent } from './operations.ts';

/** A call as it came in. */
export type IncomingWebhook = {
  /** The body as it was sent, before any parsing: not one byte may differ. */
  body: string | Uint8Array | ArrayBuffer;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The `secret_key` of the registration; several if one of them has only just taken another's place. */
  secret: string | string[];
  /** By how many seconds its timestamp may differ from the clock here; 300 by default. */
  toleranceSeconds?: number;
  /** Epoch milliseconds; the clock here by default. */
  now?: number;
};

/** What a call says: an event, or what the host itself had sent by `invoke`. Its `id` is the same in each delivery. */
export type WebhookMessage =
  | { id: string; kind: 'event'; event: WebhookEvent }
  | { id: string; kind: 'invocation'; payload: Record<string, unknown> };

/** A call that is not from the service, was altered or is old. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/**
 * Checks that a call was signed with the secret and not long ago, as Standard Webhooks 1.0 has it, and returns what it
 * says. Throws a WebhookVerificationError otherwise: answer that with a 400. Throws a TypeError for a secret that cannot
 * be one, and for a body that is parsed already or missing: the mistake is then the receiver's own.
 */
export async function verifyWebhook(call: IncomingWebhook): Promise<WebhookMessage> {
  const { secret, toleranceSeconds = 300, now = Date.now() } = call;
  const keys = [secret].flat().map(keyBytes);
  if (keys.length === 0) throw noSecret();
  const body = textOf(call.body);
  const id = headerOf(call, 'webhook-id');
  const timestamp = headerOf(call, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(call, 'webhook-signature'));
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a number');
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('webhook-timestamp is too far from the time here');
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  if (!(await anySigned(keys, signatures, signed))) {
    throw new WebhookVerificationError('no signature is one of this secret');
  }
  const payload = JSON.parse(body);
  return id.startsWith('inv_') ? { id, kind: 'invocation', payload } : { id, kind: 'event', event: payload };
}

const noSecret = () => new TypeError('secret: there is none');

function textOf(body: IncomingWebhook['body']): string {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  }
  throw new TypeError('body: it has to be what was sent, as text or bytes, before any parsing');
}

function headerOf({ headers }: IncomingWebhook, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : lookUp(headers, name);
  if (!value) throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

function lookUp(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const key = Object.keys(headers).find((one) => one.toLowerCase() === name);
  return key === undefined ? undefined : [headers[key]].flat()[0];
}

const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((one) => (one.startsWith('v1,') ? bytesOf(one.slice('v1,'.length)) : []));

async function anySigned(
  keys: Uint8Array<ArrayBuffer>[],
  signatures: Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
) {
  const { subtle } = await webCrypto();
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  for (const bytes of keys) {
    const key = await subtle.importKey('raw', bytes, hmac, false, ['verify']);
    for (const signature of signatures) {
      if (await subtle.verify('HMAC', key, signature, signed)) return true;
    }
  }
  return false;
}

/** A secret is base64 after `whsec_`; any other text stands for its own bytes. */
function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string' || secret === '') throw noSecret();
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret);
  const [bytes] = bytesOf(secret.slice('whsec_'.length));
  if (!bytes?.length) throw new TypeError('secret: it has to be base64 after whsec_');
  return bytes;
}

/** The bytes of a base64 text; none of a text that is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))];
  } catch {
    return [];
  }
}

/** Node 18 has it in a module alone, of which no bundler for browsers should know. */
async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto) return globalThis.crypto;
  const name = 'node:crypto';
  return (await import(name)).webcrypto;
}

import type { WebhookEvent } from './operations.ts';

/** A webhook call that your server has received. */
export type IncomingWebhook = {
  /** The raw body as received. A body that was parsed and serialized again has other bytes than those signed. */
  body: string | Uint8Array | ArrayBuffer;
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The webhook's `secret_key`. While you replace it, a list of the old and the new secret. */
  secret: string | string[];
  /** Maximum difference in seconds between the call's timestamp and the local clock. Default: 300. */
  toleranceSeconds?: number;
  /** Current time in epoch milliseconds. Default: the time of the local clock. */
  now?: number;
};

/** A verified message: an event, or a payload sent with `invoke`. Repeated deliveries have the same `id`. */
export type WebhookMessage =
  | { id: string; kind: 'event'; event: WebhookEvent }
  | { id: string; kind: 'invocation'; payload: Record<string, unknown> };

/** Thrown if a call was forged, or its timestamp is too far from the current time. Respond with a 400. */
export class WebhookVerificationError extends Error {
  override name = 'WebhookVerificationError';
}

/** Verifies a Standard Webhooks 1.0 call. Throws WebhookVerificationError, or TypeError for invalid arguments. */
export async function verifyWebhook(call: IncomingWebhook): Promise<WebhookMessage> {
  const { secret, toleranceSeconds = 300, now = Date.now() } = call;
  const keys = [secret].flat().map(keyBytes);
  if (keys.length === 0) throw noSecret();
  if (!(toleranceSeconds >= 0) || !Number.isFinite(now)) {
    throw new TypeError('toleranceSeconds and now must be numbers');
  }
  const body = textOf(call.body);
  const id = headerOf(call, 'webhook-id');
  const timestamp = headerOf(call, 'webhook-timestamp');
  const signatures = signaturesIn(headerOf(call, 'webhook-signature'));
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('webhook-timestamp is not a number');
  if (Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('webhook-timestamp is too far from the local clock');
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  if (!(await anySigned(keys, signatures, signed))) {
    throw new WebhookVerificationError('no signature matches the secret');
  }
  const payload = JSON.parse(body);
  return id.startsWith('inv_') ? { id, kind: 'invocation', payload } : { id, kind: 'event', event: payload };
}

const noSecret = () => new TypeError('secret is missing');

function textOf(body: IncomingWebhook['body']): string {
  if (typeof body === 'string') return body;
  if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  }
  throw new TypeError('body must be the raw body as text or bytes, before any parsing');
}

function headerOf({ headers }: IncomingWebhook, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : lookUp(headers, name);
  if (!value) throw new WebhookVerificationError(`${name} is missing`);
  return value;
}

function lookUp(headers: Record<string, string | string[] | undefined>, name: string): string | undefined {
  const key = Object.keys(headers).find((header) => header.toLowerCase() === name);
  return key === undefined ? undefined : [headers[key]].flat()[0];
}

const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((text) => (text.startsWith('v1,') ? bytesOf(text.slice('v1,'.length)) : []));

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

/** Returns a key's bytes: the base64 after `whsec_`, or the UTF-8 text of a secret without this prefix. */
function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  if (typeof secret !== 'string' || secret === '') throw noSecret();
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret);
  const [bytes] = bytesOf(secret.slice('whsec_'.length));
  if (!bytes?.length) throw new TypeError('secret must be base64 after whsec_');
  return bytes;
}

/** Decodes base64. Returns a list for `flatMap`, which is empty if the base64 is malformed. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer>[] {
  try {
    return [Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))];
  } catch {
    return [];
  }
}

/** Returns the Web Crypto API, which Node 18 has only in `node:crypto`. */
async function webCrypto(): Promise<Crypto> {
  if (globalThis.crypto) return globalThis.crypto;
  // The name is in a variable, so that bundlers for browsers do not try to bundle `node:crypto`.
  const name = 'node:crypto';
  return (await import(name)).webcrypto;
}

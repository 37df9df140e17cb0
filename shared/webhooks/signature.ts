import { createHmac } from 'node:crypto';

/**
 * The headers that let a receiver trust a call, by Standard Webhooks 1.0: HMAC-SHA-256 over `id.timestamp.body`, one
 * signature for each secret.
 */
export function signedHeaders(
  { id, atSeconds, body }: { id: string; atSeconds: number; body: string },
  secrets: string[],
): Record<string, string> {
  const signed = `${id}.${atSeconds}.${body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(atSeconds),
    'webhook-signature': signatures.join(' '),
  };
}

const base64Prefix = 'whsec_';

/** The bytes of a secret: those that its base64 after `whsec_` spells, or, without that prefix, those of its text. */
function keyOf(secret: string): Buffer {
  const decoded = secret.startsWith(base64Prefix)
    ? Buffer.from(secret.slice(base64Prefix.length), 'base64')
    : Buffer.alloc(0);
  return decoded.length > 0 ? decoded : Buffer.from(secret, 'utf8');
}

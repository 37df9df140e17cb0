import { createHmac } from 'node:crypto';

/**
 * Returns the headers by which a receiver authenticates a call, after Standard Webhooks 1.0: an HMAC-SHA-256 of
 * `id.timestamp.body` for each secret.
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

/**
 * Returns the key bytes of a secret: the decoded base64 after `whsec_`, or the text's own bytes without that
 * prefix.
 */
function keyOf(secret: string): Buffer {
  const decoded = secret.startsWith(base64Prefix)
    ? Buffer.from(secret.slice(base64Prefix.length), 'base64')
    : Buffer.alloc(0);
  return decoded.length > 0 ? decoded : Buffer.from(secret, 'utf8');
}

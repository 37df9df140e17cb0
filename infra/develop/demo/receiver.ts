/** The host's receiver of webhooks. */
import type { IncomingHttpHeaders } from 'node:http';
import {
  verifyWebhook,
  type WebhookMessage,
  WebhookVerificationError,
} from '../../../shared/client/webhooks.ts';
import { applyEvent, type Kept, shownAccount } from './accounts.ts';
import type { Feed } from './feed.ts';

/** What a receiver works on: the accounts by the service's ids of users, and the pages to tell. */
export type ReceiverOptions = { secret: string; accounts: Map<string, Kept>; feed: Feed };

/**
 * Takes a call: verifies it, applies what it tells, once, and shows all of it to the developer. Returns the status to
 * answer with: 204, or 400 for a call that is not from the service.
 */
export function createReceiver(options: ReceiverOptions) {
  const { secret, feed } = options;
  const seen = new Set<string>();
  return async (body: Buffer, headers: IncomingHttpHeaders): Promise<number> => {
    const shown = { kind: 'webhook' as const, headers: signedHeaders(headers), payload: readable(body) };
    try {
      const message = await verifyWebhook({ body, headers, secret });
      const note = seen.has(message.id) ? 'nothing: it came before' : apply(message, options);
      seen.add(message.id);
      feed.tellStep({ ...shown, title: titleOf(message), isVerified: true, note });
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      feed.tellStep({ ...shown, title: 'Not from the service', isVerified: false, note: error.message });
      return 400;
    }
  };
}

const titleOf = (message: WebhookMessage) => (message.kind === 'event' ? message.event.type : 'invocation');

function apply(message: WebhookMessage, { accounts, feed }: ReceiverOptions): string {
  if (message.kind === 'invocation') return 'noted';
  const { event } = message;
  const kept = 'user_id' in event.data ? accounts.get(event.data.user_id) : undefined;
  if (!kept) return 'noted: nobody of this user is signed in';
  const note = applyEvent(kept, event);
  const { person } = kept.shown;
  feed.tell(person, { type: 'account', account: shownAccount(kept) });
  if (event.type === 'cash_won') feed.tell(person, { type: 'won', prize: { cash_usd: event.data.cash_usd } });
  if (event.type === 'prize_won') feed.tell(person, { type: 'won', prize: event.data.prize });
  return note;
}

const signedHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      String(headers[name] ?? ''),
    ]),
  );

function readable(body: Buffer): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return String(body);
  }
}

import type { IncomingHttpHeaders } from 'node:http';
import {
  verifyWebhook,
  type WebhookMessage,
  WebhookVerificationError,
} from '../../../shared/client/webhooks.ts';
import { accountForPage, applyEvent, type StoredAccount } from './accounts.ts';
import type { PageFeed } from './feed.ts';

/** The keys of `accounts` are user ids. */
type ReceiverOptions = { secret: string; accounts: Map<string, StoredAccount>; feed: PageFeed };

/** Returns a handler of webhook calls that returns the HTTP status: 204, or 400 for an invalid signature. */
export function createWebhookHandler(options: ReceiverOptions) {
  const { secret, feed } = options;
  const seen = new Set<string>();
  return async (body: Buffer, headers: IncomingHttpHeaders): Promise<number> => {
    const step = { kind: 'webhook' as const, headers: signedHeaders(headers), payload: readable(body) };
    try {
      const message = await verifyWebhook({ body, headers, secret });
      const note = seen.has(message.id) ? 'ignored: received before' : apply(message, options);
      seen.add(message.id);
      feed.addStep({ ...step, title: titleOf(message), isVerified: true, note });
      return 204;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      feed.addStep({
        ...step,
        title: 'Webhook with an invalid signature',
        isVerified: false,
        note: error.message,
      });
      return 400;
    }
  };
}

const titleOf = (message: WebhookMessage) => (message.kind === 'event' ? message.event.type : 'invocation');

function apply(message: WebhookMessage, { accounts, feed }: ReceiverOptions): string {
  if (message.kind === 'invocation') return 'no change';
  const { event } = message;
  const stored = 'user_id' in event.data ? accounts.get(event.data.user_id) : undefined;
  if (!stored) return 'ignored: this user is not signed in';
  const note = applyEvent(stored, event);
  const { person } = stored.account;
  feed.send(person, { type: 'account', account: accountForPage(stored) });
  if (event.type === 'cash_won') feed.send(person, { type: 'won', prize: { cash_usd: event.data.cash_usd } });
  if (event.type === 'prize_won') feed.send(person, { type: 'won', prize: event.data.prize });
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

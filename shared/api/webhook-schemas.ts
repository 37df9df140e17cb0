/** Schemas of webhooks, in a file of their own so that other functions' bundles do not contain them. */
import * as z from 'zod/mini';
import { currentStage } from '../environment.ts';
import { eventTypes } from '../vocabulary.ts';
import { isCallableUrl } from '../webhooks/public-address.ts';
import { describedAs, documented, eventId, eventType, instant, text, url, webhookId } from './schemas.ts';

export const subscription = z.enum(['all', ...eventTypes]);
export const callbackUrl = documented(
  text(1, 2048).check(
    z.refine((value: string) => isCallableUrl(value, currentStage()), {
      error: 'Input should be a valid URL',
      params: { detail: 'It must be an https URL with a public address and without user info' },
    }),
  ),
  { format: 'uri' },
);
/** Matches `whsec_` and padded base64. Webhook libraries may decode other base64 to another key. */
const base64Secret = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;
export const webhookFields = z.object({
  callback_url: callbackUrl,
  secret_key: documented(
    text(1, 255).check(
      z.refine(
        (secret: string) => !secret.startsWith('whsec_') || base64Secret.test(secret),
        'Input should be base64, with its padding, after whsec_',
      ),
    ),
    {
      description:
        'The key that signs deliveries: base64 of its bytes after `whsec_`, or any other text for its ' +
        'UTF-8 bytes. Use 24 random bytes; the strength is not checked',
      anyOf: [{ not: { pattern: '^whsec_' } }, { pattern: base64Secret.source }],
    },
  ),
  event: z.optional(subscription),
});
const failingSince = describedAs(instant, 'When deliveries began to fail; absent while they succeed');
const disabledAt = describedAs(
  instant,
  'When the webhook was switched off after five days of failures; a PUT switches it on',
);
const lastFailure = documented(z.string(), {
  description: 'The last failure before the webhook was switched off',
});
export const webhookReply = z.object({
  webhook_id: webhookId,
  callback_url: url,
  secret_key: z.string(),
  event: subscription,
  failing_since: z.optional(failingSince),
  disabled_at: z.optional(disabledAt),
  disabled_reason: z.optional(lastFailure),
});
/** A webhook in the list of webhooks. Its field `receives` depends on the other webhooks. */
export const listedWebhook = z.extend(webhookReply, {
  receives: documented(z.array(eventType), {
    description:
      'The types of events that the webhook receives now. Empty while it is switched off, and if newer webhooks ' +
      'with the same callback URL receive them all',
  }),
});
/** `payload` is an event, or the body sent to `webhooks/invoke`. */
export const webhookCall = z.object({
  timestamp: instant,
  url,
  payload: z.record(z.string(), z.unknown()),
  webhook_id: webhookId,
  event_id: eventId,
  event_type: z.string(),
  attempt: z.number(),
  response_status: z.optional(
    documented(z.number(), { description: 'Absent if the receiver did not respond' }),
  ),
  duration_ms: z.number(),
  error: z.optional(documented(z.string(), { description: 'Present if the receiver did not respond' })),
});

import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import type { ItemPage } from '../table/ranges.ts';
import { type EventType, eventTypes } from '../vocabulary.ts';
import { audienceOf } from './audience.ts';
import { readWebhooks, type WebhookView, webhookViewOf } from './webhooks.ts';

type ListedWebhook = WebhookView & { receives: EventType[] };

/** Returns a page of webhooks, oldest first. Throws `invalidToken` if `after` is neither empty nor a webhook id. */
export async function listWebhooks(
  organizationId: string,
  { limit, after = '' }: { limit: number; after?: string | undefined },
): Promise<ItemPage<ListedWebhook>> {
  if (after !== '' && !isId('wh', after)) throw refusals.invalidToken();
  // Reads all webhooks (at most 100), because an older webhook gets no event that a newer webhook with the same URL
  // gets.
  const all = await readWebhooks(organizationId);
  const audience = audienceOf(all);
  const rest = all.filter(({ webhook_id }) => webhook_id > after);
  const items = await Promise.all(
    rest.slice(0, limit).map(async (webhook) => ({
      ...(await webhookViewOf(webhook)),
      receives: eventTypes.filter((type) => audience(type, Infinity).includes(webhook)),
    })),
  );
  return { items, last: rest.length > limit ? (items.at(-1)?.webhook_id ?? after) : undefined };
}

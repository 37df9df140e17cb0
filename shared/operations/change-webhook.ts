/** How an operator changes a webhook: with a record of who did it. */
import { queueNextStep } from '../webhooks/store-receiver.ts';
import { readWebhook, switchedOn, unchanged, type Webhook } from '../webhooks/webhooks.ts';
import type { About, By } from './operation-records.ts';
import { type Deed, operate } from './record-action.ts';

/** Limits the deliveries to a webhook to so many a second, or ends the limit. Throws `Invalid webhook ID`. */
export async function limitWebhook(
  organizationId: string,
  webhookId: string,
  perSecond: number | undefined,
  by: By,
): Promise<void> {
  const decide = (webhook: Webhook) => {
    const { per_second: limit, ...unlimited } = webhook;
    if (limit === perSecond) return undefined;
    const before = limit === undefined ? {} : { per_second: limit };
    const after = perSecond === undefined ? {} : { per_second: perSecond };
    return { webhook: { ...unlimited, ...after }, before, after };
  };
  await change(organizationId, webhookId, 'webhook_limited', decide, by);
}

/**
 * Drops the replaced secrets of a webhook, which sign no more from the next delivery on; the current one stays. Returns
 * how many of them still signed. Throws `Invalid webhook ID`.
 */
export async function dropReplacedSecrets(
  organizationId: string,
  webhookId: string,
  by: By,
): Promise<number> {
  // A repeated try whose first answer was lost finds none.
  let dropped = 0;
  const decide = (webhook: Webhook) => {
    const signing = webhook.previous.filter(({ until }) => until > by.now).length;
    if (signing === 0) return undefined;
    dropped = signing;
    return {
      webhook: { ...webhook, previous: [] },
      before: { replaced_secrets: signing },
      after: { replaced_secrets: 0 },
    };
  };
  await change(organizationId, webhookId, 'webhook_secrets_dropped', decide, by);
  return dropped;
}

/**
 * Switches a webhook on again, and has it told what it missed. Returns since when it had failed, if it did. Throws
 * `Invalid webhook ID`.
 */
export async function enableWebhook(
  organizationId: string,
  webhookId: string,
  by: By,
): Promise<string | undefined> {
  let since: string | undefined;
  const decide = (webhook: Webhook) => {
    const { failing_since, disabled_at } = webhook.receiver ?? {};
    if (failing_since === undefined) return undefined;
    since = failing_since;
    const before = { failing_since, ...(disabled_at === undefined ? {} : { disabled_at }) };
    return { webhook: switchedOn(webhook, by.now), before, after: {} };
  };
  // Queued each time: an earlier command may have ended before it did so.
  await queueNextStep(await change(organizationId, webhookId, 'webhook_enabled', decide, by));
  return since;
}

/** A webhook as it is to be, and what its record says of it before and after. */
type Changed = { webhook: Omit<Webhook, 'version'> } & NonNullable<About['webhook']>;

/** Writes what is decided of a webhook, with its record. Returns the webhook as it then is. */
async function change(
  organizationId: string,
  webhookId: string,
  action: Deed['action'],
  decide: (webhook: Webhook) => Changed | undefined,
  by: By,
): Promise<Webhook> {
  let stored: Webhook | undefined;
  await operate(
    organizationId,
    async () => {
      const read = await readWebhook(organizationId, webhookId);
      const changed = decide(read);
      stored = read;
      if (!changed) return undefined;
      const { webhook, before, after } = changed;
      stored = { ...webhook, version: read.version + 1 };
      return {
        action,
        about: { webhook_id: webhookId, webhook: { before, after } },
        before: {},
        after: {},
        parts: { webhook: { Put: { Item: stored, ...unchanged(read) } } },
      };
    },
    by,
  );
  return stored!;
}

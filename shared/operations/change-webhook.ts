/** Lets operators change a webhook. Each change is recorded as an operator action. */
import { queueNextStep } from '../webhooks/store-receiver.ts';
import { readWebhook, switchedOn, unchanged, type Webhook } from '../webhooks/webhooks.ts';
import type { About, By } from './operation-records.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/**
 * Sets the maximum number of deliveries per second to a webhook. Removes the limit if `perSecond` is
 * undefined. Throws `Invalid webhook ID` if the webhook does not exist.
 */
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
 * Removes a webhook's replaced secrets, so that later deliveries are signed with the current secret only.
 * Does nothing if all replaced secrets have expired. Returns the number of removed secrets that had not
 * expired. Throws `Invalid webhook ID` if the webhook does not exist.
 */
export async function dropReplacedSecrets(
  organizationId: string,
  webhookId: string,
  by: By,
): Promise<number> {
  // `decide` can run again after a successful write whose response from DynamoDB was lost. It then finds no
  // secrets to remove, so `dropped` keeps the number from the first run.
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
 * Re-enables a failing or disabled webhook and queues the delivery of its backlog. Returns the ISO instant at
 * which the webhook started to fail, or undefined if it was not failing. Throws `Invalid webhook ID` if the
 * webhook does not exist.
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
  // Queues the next delivery step even if the webhook is unchanged. An earlier command may have changed the
  // webhook and then failed before it queued the step.
  await queueNextStep(await change(organizationId, webhookId, 'webhook_enabled', decide, by));
  return since;
}

/** A changed webhook. `before` and `after` contain only the changed fields, for the action's record. */
type Changed = { webhook: Omit<Webhook, 'version'> } & NonNullable<About['webhook']>;

/**
 * Writes the webhook that `decide` returns, together with the action's record. Writes nothing if `decide`
 * returns undefined. Returns the webhook as it is then stored.
 */
async function change(
  organizationId: string,
  webhookId: string,
  action: OperatorAction['action'],
  decide: (webhook: Webhook) => Changed | undefined,
  by: By,
): Promise<Webhook> {
  let stored: Webhook | undefined;
  await recordAction(
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

/** Operator actions: limit a webhook, drop its replaced secrets, and enable it again. */
import { queueNextStep } from '../webhooks/store-receiver.ts';
import { readWebhook, switchedOn, type Webhook, webhookUnchanged } from '../webhooks/webhooks.ts';
import type { About, ActionContext } from './operation-records.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/** Sets or removes a webhook's limit of deliveries per second. Throws `webhookNotFound`. */
export async function limitWebhook(
  organizationId: string,
  webhookId: string,
  perSecond: number | undefined,
  context: ActionContext,
): Promise<void> {
  const decide = (webhook: Webhook) => {
    const { per_second: limit, ...unlimited } = webhook;
    if (limit === perSecond) return undefined;
    const before = limit === undefined ? {} : { per_second: limit };
    const after = perSecond === undefined ? {} : { per_second: perSecond };
    return { webhook: { ...unlimited, ...after }, before, after };
  };
  await change(organizationId, webhookId, 'webhook_limited', decide, context);
}

/**
 * Removes a webhook's replaced secrets, so only the current secret signs deliveries. Returns how many had not
 * expired.
 */
export async function dropReplacedSecrets(
  organizationId: string,
  webhookId: string,
  context: ActionContext,
): Promise<number> {
  let dropped = 0;
  const decide = (webhook: Webhook, now: number) => {
    const signing = webhook.previous.filter(({ until }) => until > now).length;
    if (signing === 0) return undefined;
    dropped = signing;
    return {
      webhook: { ...webhook, previous: [] },
      before: { replaced_secrets: signing },
      after: { replaced_secrets: 0 },
    };
  };
  await change(organizationId, webhookId, 'webhook_secrets_dropped', decide, context);
  return dropped;
}

/**
 * Re-enables a failing or disabled webhook and queues the next step of its backlog. Returns the ISO instant of the
 * first failure, or undefined if the webhook was not failing.
 */
export async function enableWebhook(
  organizationId: string,
  webhookId: string,
  context: ActionContext,
): Promise<string | undefined> {
  let failingSince: string | undefined;
  const decide = (webhook: Webhook, now: number) => {
    const { failing_since, disabled_at } = webhook.receiver ?? {};
    if (failing_since === undefined) return undefined;
    failingSince = failing_since;
    const before = { failing_since, ...(disabled_at === undefined ? {} : { disabled_at }) };
    return { webhook: switchedOn(webhook, now), before, after: {} };
  };
  // Queues the backlog's next step even if the webhook is unchanged: an earlier command may have changed the
  // webhook and failed before queueing the step.
  await queueNextStep(await change(organizationId, webhookId, 'webhook_enabled', decide, context));
  return failingSince;
}

/** A changed webhook. `before` and `after` contain only the changed fields, for the action's record. */
type Changed = { webhook: Omit<Webhook, 'version'> } & NonNullable<About['webhook']>;

/** Writes the webhook that `decide` returns, with the action's record. Returns the webhook as it is stored. */
async function change(
  organizationId: string,
  webhookId: string,
  action: OperatorAction['action'],
  decide: (webhook: Webhook, now: number) => Changed | undefined,
  context: ActionContext,
): Promise<Webhook> {
  let stored: Webhook | undefined;
  await recordAction(
    organizationId,
    async (_, { now }) => {
      const read = await readWebhook(organizationId, webhookId);
      const changed = decide(read, now);
      stored = read;
      if (!changed) return undefined;
      const { webhook, before, after } = changed;
      stored = { ...webhook, version: read.version + 1 };
      return {
        action,
        about: { webhook_id: webhookId, webhook: { before, after } },
        before: {},
        after: {},
        parts: { webhook: { Put: { Item: stored, ...webhookUnchanged(read) } } },
      };
    },
    context,
  );
  return stored!;
}

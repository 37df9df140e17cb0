/** Operator actions: drop a webhook's replaced secrets, and enable it again. */

import type { ActionDetails } from '../books/leaves.ts';
import { afterSwitchOn } from '../webhooks/receiver.ts';
import { readWebhook, type Webhook, webhookUnchanged, withReceiver } from '../webhooks/webhooks.ts';
import type { ActionContext } from './action-records.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/** Makes only the current secret sign deliveries. Returns the number of removed secrets that had not expired. */
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

/** Switches a failing webhook on. Returns the ISO instant of its first failure, or undefined if it was not failing. */
export async function enableWebhook(
  organizationId: string,
  webhookId: string,
  context: ActionContext,
): Promise<string | undefined> {
  let failingSince: string | undefined;
  const decide = (webhook: Webhook) => {
    const { failing_since, disabled_at } = webhook.receiver ?? {};
    if (failing_since === undefined) return undefined;
    failingSince = failing_since;
    const before = { failing_since, ...(disabled_at === undefined ? {} : { disabled_at }) };
    return { webhook: withReceiver(webhook, afterSwitchOn(webhook.receiver)), before, after: {} };
  };
  await change(organizationId, webhookId, 'webhook_enabled', decide, context);
  return failingSince;
}

/** `before` and `after` contain only the changed fields, for the action's record. */
type Changed = { webhook: Omit<Webhook, 'version'> } & NonNullable<ActionDetails['webhook']>;

/** Writes the webhook that `decide` returns, with the action's record. */
async function change(
  organizationId: string,
  webhookId: string,
  action: OperatorAction['action'],
  decide: (webhook: Webhook, now: number) => Changed | undefined,
  context: ActionContext,
): Promise<void> {
  await recordAction(
    organizationId,
    async (_, { now }) => {
      const read = await readWebhook(organizationId, webhookId);
      const changed = decide(read, now);
      if (!changed) return undefined;
      const { webhook, before, after } = changed;
      return {
        action,
        about: { webhook_id: webhookId, webhook: { before, after } },
        before: {},
        after: {},
        writes: {
          webhook: { Put: { Item: { ...webhook, version: read.version + 1 }, ...webhookUnchanged(read) } },
        },
      };
    },
    context,
  );
}

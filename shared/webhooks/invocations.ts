/** Invoking a webhook on request: a host's own payload, delivered once for each request id. */
import { refusals } from '../refusals.ts';
import { again, retry } from '../retry.ts';
import { get, put, update } from '../table/client.ts';
import { invocationKey } from '../table/keys.ts';
import { enqueue } from './delivery-queue.ts';
import { digest80 as base32Digest } from '../ids.ts';
import { readWebhook } from './webhooks.ts';

type Invocation = { organizationId: string; webhookId: string; requestId: string; body: string; now: number };

const claimMs = 8_000;
const unclaimed = 'attribute_not_exists(pk) OR (queued = :no AND claimed_until < :now)';

/**
 * Queues a body for a webhook, byte for byte, unless the same request id has done so before. The id is claimed
 * first and marked when the delivery is on the queue, so that after a crash in between the same request can be sent
 * again. Throws `Invalid webhook ID`.
 */
export async function invokeWebhook(invocation: Invocation): Promise<void> {
  const { organizationId, webhookId, requestId, now } = invocation;
  await readWebhook(organizationId, webhookId);
  const key = invocationKey(organizationId, webhookId, requestId);
  const started = performance.now();
  const current = () => Math.floor(now + performance.now() - started);
  await retry(async () => {
    if (await claim(key, current())) {
      await queue(invocation);
      await update({
        Key: key,
        UpdateExpression: 'SET queued = :yes',
        ExpressionAttributeValues: { ':yes': true },
      });
      return undefined;
    }
    // Another request with this id was first; its answer is ours once its delivery is on the queue.
    return (await get(key))?.queued === true ? undefined : again;
  });
}

const claim = (key: { pk: string; sk: string }, now: number) =>
  put(
    { ...key, queued: false, claimed_until: now + claimMs },
    {
      ConditionExpression: unclaimed,
      ExpressionAttributeValues: { ':no': false, ':now': now },
    },
  );

async function queue({ organizationId, webhookId, requestId, body }: Invocation): Promise<void> {
  const failed = await enqueue([
    {
      organization_id: organizationId,
      webhook_id: webhookId,
      event_id: idOf(organizationId, webhookId, requestId),
      event_type: 'invoke',
      body,
      attempt: 1,
    },
  ]);
  if (failed.length > 0) throw refusals.unavailable();
}

/** The `webhook-id` that follows from a request id, in the shape of an event's. */
function idOf(organizationId: string, webhookId: string, requestId: string): string {
  const text = `invoke\n${organizationId}\n${webhookId}\n${requestId}`;
  return `evt_0${base32Digest(`${text}\ntime`).slice(0, 9)}${base32Digest(text)}`;
}

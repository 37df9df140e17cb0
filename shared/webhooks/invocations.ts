/** Invokes a webhook at the host's request: delivers the payload that the host sent, once per request id. */
import { randomUUID } from 'node:crypto';
import { digest80, idOf, newId, sha256 } from '../ids.ts';
import { log } from '../log.ts';
import { faultRefusals, refusals } from '../refusals.ts';
import { RETRY, retry } from '../retry.ts';
import { getItem, putItem, putOrReadExisting, type WriteCondition } from '../table/client.ts';
import { type Key, ttlAt } from '../table/keys.ts';
import { invocationKey } from '../table/webhook-keys.ts';
import { enqueueDeliveries } from './delivery-queue.ts';
import { readWebhook } from './webhooks.ts';

type Invocation = {
  organizationId: string;
  webhookId: string;
  /** A request without an id is queued each time that it is sent. */
  requestId?: string | undefined;
  body: string;
  now: number;
};

/** An erasure deletes `payload` and its digest `parameters`. */
export type StoredInvocation = Key & {
  ttl: number;
  payload?: string;
  parameters?: string;
  queued: boolean;
  claimed_by: string;
  claimed_until: number;
};

// A claim outlasts the Lambda timeout, so two functions cannot queue the same request.
const claimMs = 30_000;
// Milliseconds for which request ids and payloads are stored: 90 days, as long as calls stay in the history.
export const invocationRetentionMs = 90 * 24 * 60 * 60 * 1000;
const claimable = 'queued = :no AND (claimed_by = :me OR claimed_until < :now)';
// An erasure deletes `parameters`, so an erased invocation that was not queued accepts any payload.
const isSameRequest = '(attribute_not_exists(parameters) OR parameters = :parameters)';
const unclaimed = `attribute_not_exists(pk) OR (${isSameRequest} AND ${claimable})`;

/** Queues a payload unchanged, once per request id. Throws `webhookNotFound` or `requestIdReused`. */
export async function invokeWebhook(invocation: Invocation): Promise<void> {
  const { organizationId, webhookId, requestId, body, now } = invocation;
  await readWebhook(organizationId, webhookId);
  const id = requestId === undefined ? newId('inv', now) : invocationId(organizationId, webhookId, requestId);
  const key = invocationKey(organizationId, id);
  const claimed = await claim(key, body, now);
  if (!claimed) return;
  try {
    await queueDelivery(invocation, id);
  } catch (error) {
    // Releases the claim so that the host can retry immediately. Otherwise, the retry waits until the claim expires.
    await releaseClaim(claimed).catch((cause: unknown) => log.failure('releasing an invocation', cause));
    throw error;
  }
  // Only logs a failure: the invocation is already queued. A repeated request may queue it again, with the same
  // `webhook-id`.
  await retry(() => markQueued(claimed)).catch((error: unknown) =>
    log.failure('marking an invocation as queued', error),
  );
}

/** Returns undefined if the invocation was queued before. Throws `requestIdReused` for another payload. */
function claim(key: Key, payload: string, now: number): Promise<StoredInvocation | undefined> {
  const me = randomUUID();
  const parameters = sha256(payload);
  const started = performance.now();
  // Waits up to 10 s until another request's claim ends.
  return retry(async () => {
    const current = Math.floor(now + performance.now() - started);
    const claimed = {
      ...key,
      ...ttlAt(now + invocationRetentionMs),
      payload,
      parameters,
      queued: false,
      claimed_by: me,
      claimed_until: current + claimMs,
    };
    const isClaimed = await putItem(claimed, {
      ConditionExpression: unclaimed,
      ExpressionAttributeValues: { ':no': false, ':now': current, ':me': me, ':parameters': parameters },
    });
    if (isClaimed) return claimed;
    const used = await getItem(key);
    // An erasure deletes the digest with the payload, so a repeated request is not refused after an erasure.
    if (used && (used.parameters ?? parameters) !== parameters) throw refusals.requestIdReused();
    return used?.queued === true ? undefined : RETRY;
  });
}

const releaseClaim = (claimed: StoredInvocation) =>
  changeInvocation(claimed, (invocation) => ({ ...invocation, claimed_until: 0 }));

const markQueued = (claimed: StoredInvocation) =>
  changeInvocation(claimed, (invocation) => ({ ...invocation, queued: true }));

/** Changes an invocation unless it has expired. If it was changed meanwhile, repeats `change` on the stored one. */
export async function changeInvocation(
  before: StoredInvocation,
  change: (invocation: StoredInvocation) => StoredInvocation,
): Promise<void> {
  let invocation: StoredInvocation | undefined = before;
  while (invocation?.pk !== undefined)
    invocation = (await putOrReadExisting(change(invocation), unchanged(invocation))) as
      | StoredInvocation
      | undefined;
}

const unchanged = ({ payload, queued, claimed_by, claimed_until }: StoredInvocation): WriteCondition => ({
  ConditionExpression:
    `queued = :queued AND claimed_by = :by AND claimed_until = :until AND ` +
    `${payload === undefined ? 'attribute_not_exists' : 'attribute_exists'}(payload)`,
  ExpressionAttributeValues: { ':queued': queued, ':by': claimed_by, ':until': claimed_until },
});

async function queueDelivery({ organizationId, webhookId }: Invocation, id: string): Promise<void> {
  const { failed } = await enqueueDeliveries([
    {
      organization_id: organizationId,
      webhook_id: webhookId,
      event_id: id,
      event_type: 'invoke',
      attempt: 1,
    },
  ]);
  // SQS may have accepted the message although its response was lost, so the outcome is unknown.
  if (failed.length > 0) throw faultRefusals.outcomeUnknown();
}

/** Derives the `webhook-id` from the request id. The prefix `inv`, which the signature covers, marks invocations. */
export function invocationId(organizationId: string, webhookId: string, requestId: string): string {
  const text = `invoke\n${organizationId}\n${webhookId}\n${requestId}`;
  return idOf('inv', `0${digest80(`${text}\ntime`).slice(0, 9)}${digest80(text)}`);
}

// Maximum levels of nesting in a payload. Deeper nesting would overflow the stack of the recursive JSON serialization.
export const maxPayloadLevels = 100;

/** Returns whether a text can be an invocation's payload: a JSON object with at most 100 levels of nesting. */
export function isInvocationPayload(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      nestingDepth(text) <= maxPayloadLevels
    );
  } catch {
    return false;
  }
}

function nestingDepth(json: string): number {
  let [level, maxLevel] = [0, 0];
  for (const [part] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (part === '[' || part === '{') maxLevel = Math.max(maxLevel, ++level);
    else if (part === ']' || part === '}') level--;
  }
  return maxLevel;
}

/** Invoking a webhook on request: a host's own payload, queued once for each request id. */
import { randomUUID } from 'node:crypto';
import { digest80, idOf, newId } from '../ids.ts';
import { log } from '../log.ts';
import { refusals } from '../refusals.ts';
import { RETRY, retry } from '../retry.ts';
import { get, put, update } from '../table/client.ts';
import { type Key, ttlAt } from '../table/keys.ts';
import { invocationKey } from '../table/webhook-keys.ts';
import { enqueue } from './delivery-queue.ts';
import { readWebhook } from './webhooks.ts';

type Invocation = {
  organizationId: string;
  webhookId: string;
  /** Without one the request cannot be told from any other, and is queued each time. */
  requestId?: string | undefined;
  body: string;
  now: number;
};

// Longer than a function lives that may still be queueing.
const claimMs = 30_000;
// Long after a host has stopped repeating a request; also how long its call is in the history.
const keptMs = 90 * 24 * 60 * 60 * 1000;
const unclaimed = 'attribute_not_exists(pk) OR claimed_by = :me OR (queued = :no AND claimed_until < :now)';

/**
 * Queues a body for a webhook, byte for byte, unless the same request id has done so before. The id is claimed
 * first and marked once the delivery is on the queue, so that after a crash in between the same request can be sent
 * again. Throws `Invalid webhook ID`.
 */
export async function invokeWebhook(invocation: Invocation): Promise<void> {
  const { organizationId, webhookId, requestId, now } = invocation;
  await readWebhook(organizationId, webhookId);
  if (requestId === undefined) return queue(invocation, newId('inv', now));
  const key = invocationKey(organizationId, webhookId, requestId);
  if (!(await claim(key, now))) return;
  try {
    await queue(invocation, invocationId(organizationId, webhookId, requestId));
  } catch (error) {
    // So that the same request need not wait until the claim runs out; if this fails, it does.
    await release(key).catch((cause: unknown) => log.failure('releasing an invocation', cause));
    throw error;
  }
  // What is on the queue is delivered: if the mark is missing, a repetition sends it again under the same id.
  await retry(() => mark(key)).catch((error: unknown) =>
    log.failure('marking an invocation as queued', error),
  );
}

/** Claims a request id; returns false if another request with it has been queued, and waits while one is at it. */
function claim(key: Key, now: number): Promise<boolean> {
  const me = randomUUID();
  const started = performance.now();
  return retry(async () => {
    const current = Math.floor(now + performance.now() - started);
    const claimed = await put(
      { ...key, ...ttlAt(now + keptMs), queued: false, claimed_by: me, claimed_until: current + claimMs },
      {
        ConditionExpression: unclaimed,
        ExpressionAttributeValues: { ':no': false, ':now': current, ':me': me },
      },
    );
    if (claimed) return true;
    return (await get(key))?.queued === true ? false : RETRY;
  });
}

const release = (key: Key) =>
  update({
    Key: key,
    UpdateExpression: 'SET claimed_until = :past',
    ExpressionAttributeValues: { ':past': 0 },
  });

const mark = (key: Key) =>
  update({
    Key: key,
    UpdateExpression: 'SET queued = :yes',
    ExpressionAttributeValues: { ':yes': true },
  });

async function queue({ organizationId, webhookId, body }: Invocation, id: string): Promise<void> {
  const failed = await enqueue([
    {
      organization_id: organizationId,
      webhook_id: webhookId,
      event_id: id,
      event_type: 'invoke',
      body,
      attempt: 1,
    },
  ]);
  // A request to the queue that got no answer may have been carried out.
  if (failed.length > 0) throw refusals.outcomeUnknown();
}

/**
 * The `webhook-id` that follows from a request id. What it begins with tells an invocation from an event, and it is
 * part of what is signed.
 */
function invocationId(organizationId: string, webhookId: string, requestId: string): string {
  const text = `invoke\n${organizationId}\n${webhookId}\n${requestId}`;
  return idOf('inv', `0${digest80(`${text}\ntime`).slice(0, 9)}${digest80(text)}`);
}

// The history shows a payload as JSON again, which is written by recursion: a deeper one would make it fail.
const mostLevels = 100;

/** Whether a text can be the payload of a call: a JSON object, nested no deeper than can be shown again. */
export function isPayload(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (
      typeof value === 'object' && value !== null && !Array.isArray(value) && levelsOf(text) <= mostLevels
    );
  } catch {
    return false;
  }
}

/** How deep the objects and lists of a JSON text are nested. */
function levelsOf(json: string): number {
  let [level, most] = [0, 0];
  for (const [part] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (part === '[' || part === '{') most = Math.max(most, ++level);
    else if (part === ']' || part === '}') level--;
  }
  return most;
}

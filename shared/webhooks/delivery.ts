/** One attempt to deliver an event to a webhook, and what follows from it. */
import { isoOf } from '../time.ts';
import type { RecordCall } from './calls.ts';
import { type Delivery, enqueueLater, park } from './delivery-queue.ts';
import type { Answer, Post } from './post.ts';
import { delayAfter, retryAfterSeconds } from './retry-schedule.ts';
import { signedHeaders } from './signature.ts';
import { secretsOf, type Webhook } from './webhooks.ts';

/** What an attempt needs of the world around it. */
export type Around = {
  post: Post;
  record: RecordCall;
  /** Epoch milliseconds. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
  /** Seconds between attempts. */
  delays: number[];
};

/**
 * What became of an attempt: a 2xx; a failure that is tried again; one after the last attempt, parked; a 410, or a
 * webhook that was deleted meanwhile, with which the delivery ends; a message that came before its time.
 */
export type Verdict = 'delivered' | 'retried' | 'parked' | 'gone' | 'dropped' | 'early';

/**
 * Makes one attempt. The call is recorded before the next attempt is queued, and only then may the message be taken
 * off the queue: a crash on the way repeats the attempt, and loses nothing. Throws where it could not be recorded or
 * queued.
 */
export async function deliver(
  delivery: Delivery,
  webhook: Webhook | undefined,
  around: Around,
): Promise<Verdict> {
  if (!webhook) return 'dropped';
  const { not_before = 0, ...due } = delivery;
  const early = not_before - around.now();
  if (early > 1000) {
    await enqueueLater(due, early / 1000, around.now());
    return 'early';
  }
  const answer = await attempt(delivery, webhook, around);
  if ('status' in answer && answer.status >= 200 && answer.status < 300) return 'delivered';
  if ('status' in answer && answer.status === 410) return 'gone';
  const header = 'status' in answer ? answer.retryAfter : undefined;
  const retryAfter = retryAfterSeconds(header, around.now()) ?? 0;
  const seconds = delayAfter(delivery.attempt, {
    delays: around.delays,
    retryAfter,
    random: around.random(),
  });
  if (seconds === undefined) {
    await park(due);
    return 'parked';
  }
  await enqueueLater({ ...due, attempt: due.attempt + 1 }, seconds, around.now());
  return 'retried';
}

async function attempt(delivery: Delivery, webhook: Webhook, { post, record, now }: Around): Promise<Answer> {
  const at = now();
  const { event_id: id, body } = delivery;
  const headers = signedHeaders({ id, atSeconds: Math.floor(at / 1000), body }, await secretsOf(webhook, at));
  const started = performance.now();
  const answer = await post(webhook.callback_url, headers, body);
  await record({
    organization_id: delivery.organization_id,
    webhook_id: delivery.webhook_id,
    event_id: id,
    event_type: delivery.event_type,
    timestamp: isoOf(at),
    url: webhook.callback_url,
    payload: body,
    attempt: delivery.attempt,
    duration_ms: Math.round(performance.now() - started),
    ...('status' in answer ? { response_status: answer.status } : { error: answer.error }),
  });
  return answer;
}

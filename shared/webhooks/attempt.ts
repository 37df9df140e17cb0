import { shardOf } from '../shards.ts';
import { isoOf } from '../time.ts';
import type { RecordCall, WebhookCall } from './calls.ts';
import { type Delivery, enqueueForLater, parkDelivery } from './delivery-queue.ts';
import type { CallResponse, PostCall } from './post.ts';
import { maxRetryAfterSeconds, parseRetryAfter, retryDelayAfter } from './retry-schedule.ts';
import { signedHeaders } from './signature.ts';
import { decryptSecrets, type Webhook } from './webhooks.ts';

export type DeliveryDeps = {
  post: PostCall;
  record: RecordCall;
  /** Returns the current time in epoch milliseconds. */
  now: () => number;
  random: () => number;
  /** Seconds before each retry: the first entry is the delay between the first and the second attempt. */
  delays: number[];
};

/** Makes one attempt, and records it as a call. Throws if recording failed. */
export async function attemptDelivery(
  delivery: Delivery,
  body: string,
  webhook: Webhook,
  { post, record, now }: DeliveryDeps,
): Promise<CallResponse> {
  const at = now();
  const { event_id: id } = delivery;
  const headers = signedHeaders(
    { id, atSeconds: Math.floor(at / 1000), body },
    await decryptSecrets(webhook, at),
  );
  const started = performance.now();
  const answer = await post(webhook.callback_url, headers, body);
  const duration_ms = Math.round(performance.now() - started);
  await record(
    callOf(delivery, body, webhook, at, {
      duration_ms,
      ...('status' in answer ? { response_status: answer.status } : { error: answer.error }),
    }),
  );
  return answer;
}

/** Returns `delivered` for a 2xx response, `gone` for 410. Returns undefined if the delivery must be retried. */
export function finalVerdict(answer: CallResponse): 'delivered' | 'gone' | undefined {
  if ('status' in answer && answer.status >= 200 && answer.status < 300) return 'delivered';
  return 'status' in answer && answer.status === 410 ? 'gone' : undefined;
}

/** Returns the seconds in `Retry-After`, up to a day; 0 if the header is missing or invalid. */
export function requestedWaitSeconds(answer: CallResponse, now: number): number {
  const header = 'status' in answer ? answer.retryAfter : undefined;
  return Math.min(parseRetryAfter(header, now) ?? 0, maxRetryAfterSeconds);
}

/** Queues the next attempt, or after the last one parks the delivery. Throws if SQS did not confirm the message. */
export async function retryOrPark(
  failed: Delivery,
  answer: CallResponse,
  deps: DeliveryDeps,
): Promise<'retried' | 'parked'> {
  const now = deps.now();
  const retryAfter = requestedWaitSeconds(answer, now);
  const seconds = retryDelayAfter(failed.attempt, { delays: deps.delays, retryAfter, random: deps.random() });
  if (seconds === undefined) {
    await parkDelivery(failed);
    return 'parked';
  }
  await enqueueForLater({ ...failed, attempt: failed.attempt + 1 }, now + seconds * 1000, now);
  return 'retried';
}

const callOf = (
  delivery: Delivery,
  payload: string,
  webhook: Webhook,
  at: number,
  result: Partial<WebhookCall>,
): WebhookCall => ({
  organization_id: delivery.organization_id,
  webhook_id: delivery.webhook_id,
  event_id: delivery.event_id,
  event_type: delivery.event_type,
  timestamp: isoOf(at),
  url: webhook.callback_url,
  payload,
  attempt: delivery.attempt,
  shard: delivery.record && shardOf(delivery.record.user_id),
  duration_ms: 0,
  ...result,
});

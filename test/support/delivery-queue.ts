import { afterAll, beforeEach } from 'vitest';
import { deadLetterQueueName } from '../../infra/deploy/workers.ts';
import { accountId } from '../../infra/develop/local/aws/arns.ts';
import { startAwsEndpoint } from '../../infra/develop/local/aws/endpoint.ts';
import type { Queue } from '../../infra/develop/local/aws/queue.ts';
import { declaredQueues } from '../../infra/develop/local/declared.ts';
import type { DeliveryDeps } from '../../shared/webhooks/attempt.ts';
import type { WebhookCall } from '../../shared/webhooks/calls.ts';
import { deliverAll } from '../../shared/webhooks/delivery.ts';
import { type Delivery, parseDelivery } from '../../shared/webhooks/delivery-queue.ts';
import { retryDelaySeconds } from '../../shared/webhooks/retry-schedule.ts';
import { createManualClock } from '../infra/develop/local/manual-clock.ts';
import { untilEventsEnd } from './stage.ts';

/** Gives a test file its own delivery queue with a manual clock. Empties the queue before each test. */
export async function useDeliveryQueue() {
  const clock = createManualClock();
  const aws = await startAwsEndpoint({ queues: declaredQueues(), invoke: async () => {}, clock });
  const queue = aws.queues.get('deliveries');
  const deadLetters = aws.queues.get(deadLetterQueueName('deliveries'));
  const send = (to: string, parks: string) => {
    process.env.QUEUE_URL_DELIVERIES = `${aws.url}/${accountId}/${to}`;
    process.env.DEAD_LETTER_URL_DELIVERIES = `${aws.url}/${accountId}/${parks}`;
  };
  send(queue.name, deadLetters.name);
  await untilEventsEnd();
  beforeEach(() => {
    send(queue.name, deadLetters.name);
    for (const each of [queue, deadLetters]) each.purge();
  });
  afterAll(() => aws.close());
  const bodiesOn = ({ messages }: Queue) => messages().map(({ body }) => JSON.parse(body) as Delivery);
  return {
    clock,
    queue,
    queued: () => bodiesOn(queue),
    parked: () => bodiesOn(deadLetters),
    /** Receives a message, deletes it from the queue and returns it. Returns undefined if no message is visible. */
    async taken(): Promise<Delivery | undefined> {
      const [message] = await queue.receive({ max: 1 });
      if (!message) return undefined;
      queue.delete(message.receiptHandle);
      return parseDelivery(message.body);
    },
    /**
     * Handles visible messages as the worker `send-webhook` does, in at most `limit` batches. Returns the number of
     * handled messages.
     */
    async handle(deps: DeliveryDeps, limit = Number.POSITIVE_INFINITY): Promise<number> {
      let handled = 0;
      for (let batches = 0; batches < limit; batches++) {
        const batch = await queue.receive({ max: 10 });
        if (batch.length === 0) break;
        const messages = batch.map(({ body }) => parseDelivery(body)!);
        const settled = await deliverAll(messages, deps);
        for (const [index, { receiptHandle }] of batch.entries())
          if (settled.has(messages[index]!)) queue.delete(receiptHandle);
        handled += batch.length;
      }
      return handled;
    },
    /** Calls `work` while all sends to the delivery queue and its dead-letter queue fail. */
    async whileSendsFail<T>(work: () => Promise<T>): Promise<T> {
      send('nowhere', 'nowhere');
      return work().finally(() => send(queue.name, deadLetters.name));
    },
    /**
     * Dependencies of delivery attempts: `post` responds in place of the receiver, and `calls` collects the
     * recorded calls.
     */
    deps: (post: DeliveryDeps['post'], calls: WebhookCall[] = []): DeliveryDeps => ({
      post,
      record: async (call) => void calls.push(call),
      now: clock.now,
      random: () => 0,
      delays: retryDelaySeconds,
    }),
  };
}

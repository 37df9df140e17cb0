import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { failedIdentifiers } from './batch-failures.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Queue, ReceivedMessage } from './queue.ts';

/** A running event source, which invokes a Lambda function. `stop` resolves when all invocations have ended. */
export type EventSource = { stop(): Promise<void> };

type Options = {
  queue: Queue;
  /** Invokes the Lambda function, which may return an `SQSBatchResponse`. */
  invoke: (event: SQSEvent) => Promise<unknown>;
  batchSize: number;
  /** Time in seconds to wait for more messages after the first one of a batch. Defaults to 0. */
  batchWindowSeconds?: number | undefined;
  concurrency: number;
  clock?: Clock;
  onError?: (error: unknown, event: SQSEvent) => void;
};

/** Invokes a function with batches of messages. A failed message reappears after the visibility timeout. */
export function pollQueue(options: Options): EventSource {
  const stopping = new AbortController();
  const feeding = feed(options, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await feeding;
    },
  };
}

async function feed(options: Options, signal: AbortSignal): Promise<void> {
  const { queue, concurrency } = options;
  const underWay = new Set<Promise<void>>();
  while (!signal.aborted) {
    const messages = await gather(options, signal);
    if (signal.aborted) {
      for (const { receiptHandle } of messages) queue.changeVisibility(receiptHandle, 0);
    } else {
      const call = invokeWith(messages, options).finally(() => underWay.delete(call));
      underWay.add(call);
      // Waits for a free invocation slot before receiving, because a receive starts the messages' visibility timeout.
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
  }
  await Promise.all(underWay);
}

/** Waits for the first message, and then until the batch is full or the batch window has passed. */
async function gather(options: Options, signal: AbortSignal): Promise<ReceivedMessage[]> {
  const { queue, batchSize, batchWindowSeconds = 0, clock = systemClock } = options;
  const messages = await queue.receive({ max: batchSize, waitSeconds: Number.POSITIVE_INFINITY, signal });
  const deadline = clock.now() + batchWindowSeconds * 1000;
  while (messages.length < batchSize && !signal.aborted) {
    const waitSeconds = (deadline - clock.now()) / 1000;
    if (waitSeconds <= 0) break;
    messages.push(...(await queue.receive({ max: batchSize - messages.length, waitSeconds, signal })));
  }
  return messages;
}

async function invokeWith(messages: ReceivedMessage[], { queue, invoke, onError }: Options): Promise<void> {
  const event = { Records: messages.map(toRecord) };
  try {
    const ids = messages.map(({ id }) => id);
    const failed = failedIdentifiers(await invoke(event), ids);
    for (const { id, receiptHandle } of messages) if (!failed.has(id)) queue.delete(receiptHandle);
    if (failed.size > 0) onError?.(new Error(`${failed.size} of ${messages.length} failed`), event);
  } catch (error) {
    onError?.(error, event);
  }
}

/** Has only the fields that the service's workers read. */
const toRecord = ({ id: messageId, body }: ReceivedMessage) => ({ messageId, body }) as SQSRecord;

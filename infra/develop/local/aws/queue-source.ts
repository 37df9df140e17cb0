import type { SQSEvent, SQSRecord, SQSRecordAttributes } from 'aws-lambda';
import { region } from './arns.ts';
import { failedIdentifiers } from './batch-failures.ts';
import { type Clock, systemClock } from './clock.ts';
import { md5OfBody } from './message.ts';
import type { Queue, Received } from './queue.ts';
import { systemAttributes } from './sqs-wire.ts';

/** What runs until it is stopped; `stop` resolves when nothing of it is under way any more. */
export type EventSource = { stop(): Promise<void> };

type Options = {
  queue: Queue;
  /** Calls the function, which returns nothing or an `SQSBatchResponse`. */
  invoke: (event: SQSEvent) => Promise<unknown>;
  batchSize: number;
  /** How long to gather a batch after its first message; 0 by default. */
  batchWindowSeconds?: number | undefined;
  /** How many calls may be under way. */
  concurrency: number;
  clock?: Clock;
  onError?: (error: unknown, event: SQSEvent) => void;
};

/**
 * Feeds a queue's messages to a function, at most `concurrency` calls at a time. What the function took is deleted;
 * what it names in `batchItemFailures`, or everything if it fails, comes back after the queue's visibility timeout, and
 * every failure is told to `onError`.
 */
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
      const call = handOver(messages, options).finally(() => underWay.delete(call));
      underWay.add(call);
      // Nothing is received that would only wait for its turn while its visibility timeout runs.
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
  }
  await Promise.all(underWay);
}

/** Waits for a first message, and then for others until the batch is full or its window is over. */
async function gather(options: Options, signal: AbortSignal): Promise<Received[]> {
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

async function handOver(messages: Received[], { queue, invoke, onError }: Options): Promise<void> {
  const event = { Records: messages.map((message) => toRecord(queue, message)) };
  try {
    const ids = messages.map(({ id }) => id);
    const failed = failedIdentifiers(await invoke(event), ids);
    for (const { id, receiptHandle } of messages) if (!failed.has(id)) queue.delete(receiptHandle);
    if (failed.size > 0) onError?.(new Error(`${failed.size} of ${messages.length} failed`), event);
  } catch (error) {
    onError?.(error, event);
  }
}

function toRecord(queue: Queue, message: Received): SQSRecord {
  return {
    messageId: message.id,
    receiptHandle: message.receiptHandle,
    body: message.body,
    attributes: systemAttributes(message) as unknown as SQSRecordAttributes,
    messageAttributes: {},
    md5OfBody: md5OfBody(message.body),
    eventSource: 'aws:sqs',
    eventSourceARN: queue.arn,
    awsRegion: region,
  };
}

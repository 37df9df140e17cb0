import type { SQSEvent, SQSRecord, SQSRecordAttributes } from 'aws-lambda';
import { region } from './arns.ts';
import { failedIdentifiers } from './batch-failures.ts';
import { type Clock, systemClock } from './clock.ts';
import { invokeFunction, type LambdaFunction } from './invoke-function.ts';
import { md5OfBody } from './message.ts';
import type { Queue, Received } from './queue.ts';
import { systemAttributes } from './sqs-wire.ts';

/** What runs until it is stopped; `stop` resolves when nothing of it is under way any more. */
export type EventSource = { stop(): Promise<void> };

/**
 * Feeds a queue's messages to a function, at most `concurrency` calls at a time. What the function took is deleted;
 * what it names in `batchItemFailures`, or everything if it throws or runs out of time, comes back after the queue's
 * visibility timeout, and every failure is told to `onError`.
 */
export function pollQueue(options: {
  queue: Queue;
  /** `handler` returns nothing or an `SQSBatchResponse`. */
  function: LambdaFunction<SQSEvent>;
  batchSize: number;
  /** How long to gather a batch after its first message; 0 by default. */
  batchWindowSeconds?: number;
  /** 2 by default, the least that AWS allows. */
  concurrency?: number;
  clock?: Clock;
  onError?: (error: unknown, event: SQSEvent) => void;
}): EventSource {
  const { queue, batchSize, batchWindowSeconds = 0, concurrency = 2, clock = systemClock } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  const gather = async () => {
    const messages = await queue.receive({ max: batchSize, waitSeconds: 20, signal });
    const deadline = clock.now() + batchWindowSeconds * 1000;
    while (messages.length > 0 && messages.length < batchSize && !signal.aborted) {
      const waitSeconds = (deadline - clock.now()) / 1000;
      if (waitSeconds <= 0) break;
      messages.push(...(await queue.receive({ max: batchSize - messages.length, waitSeconds, signal })));
    }
    return messages;
  };
  const work = async () => {
    while (!signal.aborted) {
      const messages = await gather();
      if (messages.length === 0) continue;
      if (signal.aborted) giveBack(queue, messages);
      else await handOver(queue, messages, options);
    }
  };

  const workers = Array.from({ length: concurrency }, work);
  return {
    async stop() {
      stopping.abort();
      await Promise.all(workers);
    },
  };
}

function giveBack(queue: Queue, messages: Received[]) {
  for (const { receiptHandle } of messages) queue.changeVisibility(receiptHandle, 0);
}

async function handOver(queue: Queue, messages: Received[], options: Parameters<typeof pollQueue>[0]) {
  const event = { Records: messages.map((message) => toRecord(queue, message)) };
  try {
    const response = await invokeFunction(options.function, event, options.clock);
    const failed = failedIdentifiers(
      response,
      messages.map(({ id }) => id),
    );
    for (const { id, receiptHandle } of messages) if (!failed.has(id)) queue.delete(receiptHandle);
    if (failed.size > 0) options.onError?.(new Error(`${failed.size} of ${messages.length} failed`), event);
  } catch (error) {
    options.onError?.(error, event);
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

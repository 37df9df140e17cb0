import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  invokeFunction,
  type LambdaFunction,
} from '../../../../../infra/develop/local/aws/invoke-function.ts';
import type { Queue } from '../../../../../infra/develop/local/aws/queue.ts';
import { type EventSource, pollQueue } from '../../../../../infra/develop/local/aws/queue-source.ts';
import { createQueues } from '../../../../../infra/develop/local/aws/queues.ts';
import { eventually } from '../../../../support/eventually.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';

let clock: ManualClock;
let queue: Queue;
let parked: Queue;
let source: EventSource | undefined;
let received: string[][];

beforeEach(() => {
  clock = createManualClock();
  const declarations = [
    { name: 'work', visibilityTimeoutSeconds: 60, maxReceiveCount: 3, deadLetterQueue: 'parked' },
    { name: 'parked' },
  ];
  const queues = createQueues(declarations, clock);
  [queue, parked] = [queues.get('work'), queues.get('parked')];
  received = [];
});
afterEach(() => source?.stop());

type Handler = LambdaFunction<SQSEvent>['handler'];
const bodiesOf = (event: SQSEvent) => event.Records.map(({ body }) => body);

/** Polls the SQS queue. Records each batch of messages before it calls the handler. */
function poll(handler: Handler, more: Partial<Parameters<typeof pollQueue>[0]> = {}) {
  const recordingHandler: Handler = (event, ...rest) => {
    received.push(bodiesOf(event));
    return handler(event, ...rest);
  };
  const invoke = (event: SQSEvent) =>
    invokeFunction({ name: 'worker', timeoutSeconds: 10, handler: recordingHandler }, event, {
      requestId: '1',
      clock,
    });
  source = pollQueue({ queue, invoke, batchSize: 10, concurrency: 2, clock, ...more });
}
const send = (...bodies: string[]) => {
  for (const body of bodies) queue.send({ body });
};

test('messages that a function has processed are deleted', async () => {
  send('a', 'b');
  poll(async () => {});
  await eventually(() => expect(queue.messages()).toEqual([]));
  expect(received).toEqual([['a', 'b']]);
});

test('only messages that a partial response names come back', async () => {
  send('good', 'bad');
  poll(async (event) => ({
    batchItemFailures: event.Records.filter(({ body }) => body === 'bad').map(({ messageId }) => ({
      itemIdentifier: messageId,
    })),
  }));
  await eventually(() => expect(queue.messages()).toMatchObject([{ body: 'bad' }]));
  await clock.advance(60_000);
  await eventually(() => expect(received).toEqual([['good', 'bad'], ['bad']]));
});

test.each([
  ['an empty identifier', [{ itemIdentifier: '' }]],
  ['an identifier that is not in the batch', [{ itemIdentifier: 'other' }]],
  ['no identifier', [{}]],
])('a partial response with %s fails the whole batch', async (_, batchItemFailures) => {
  const onError = vi.fn();
  send('a', 'b');
  poll(async () => ({ batchItemFailures }), { onError });
  await eventually(() => expect(onError).toHaveBeenCalledTimes(1));
  expect(queue.counts()).toEqual({ visible: 0, delayed: 0, inFlight: 2 });
});

test('a message that keeps failing is dead-lettered after the queue’s maximum of receives', async () => {
  send('poison');
  poll(() => Promise.reject(new Error('down')), { concurrency: 1 });
  for (let times = 1; times <= 3; times++) {
    await eventually(() => expect(received).toHaveLength(times));
    await eventually(() => expect(clock.waiting()).toBe(1));
    await clock.advance(60_000);
  }
  await eventually(() => expect(parked.messages()).toMatchObject([{ body: 'poison' }]));
  expect(received).toHaveLength(3);
});

test('the messages of a function that timed out come back', async () => {
  const onError = vi.fn();
  send('a');
  poll(() => new Promise(() => {}), { onError });
  await eventually(() => expect(received).toHaveLength(1));
  await clock.advance(10_000);
  await eventually(() => expect(onError).toHaveBeenCalledTimes(1));
  expect(queue.counts().inFlight).toBe(1);
});

test('the number of concurrent calls stays within the concurrency', async () => {
  let underWay = 0;
  let most = 0;
  send(...Array.from({ length: 20 }, (_, index) => `message ${index}`));
  const handler = async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
  };
  poll(handler, { batchSize: 1, concurrency: 3 });
  await eventually(() => expect(queue.messages()).toEqual([]));
  expect(most).toBe(3);
  expect(received).toHaveLength(20);
});

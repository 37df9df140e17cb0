import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createNotifier, type Notifier } from '../../../../../infra/develop/local/aws/notifier.ts';
import type { EventSource } from '../../../../../infra/develop/local/aws/queue-source.ts';
import { pollStream, type StreamReader } from '../../../../../infra/develop/local/aws/stream-source.ts';
import { eventually } from '../../../../support/eventually.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';

// A stream in memory that notifies its readers of new records, so that tests need no polling.
let clock: ManualClock;
let records: DynamoDBRecord[];
let written: Notifier;
let source: EventSource | undefined;
let calls: string[][];

beforeEach(() => {
  clock = createManualClock();
  records = [];
  written = createNotifier(clock);
  calls = [];
});
afterEach(() => source?.stop());

const reader: StreamReader = {
  listShards: async () => [{ id: 'shard' }],
  open(_, from) {
    let position = from === 'LATEST' ? records.length : 0;
    return {
      async read(most, signal) {
        while (position === records.length && !signal.aborted) {
          await written.wait(Number.POSITIVE_INFINITY, signal);
        }
        const page = records.slice(position, position + most);
        position += page.length;
        return { records: page, isEnd: false };
      },
    };
  },
};

/** Writes records to the stream in memory. The name `a1` stands for the first record about the item `a`. */
async function write(...names: string[]) {
  for (const name of names) {
    const [pk = ''] = name;
    const ApproximateCreationDateTime = clock.now() / 1000;
    const dynamodb = { Keys: { pk: { S: pk } }, SequenceNumber: name, ApproximateCreationDateTime };
    records.push({ dynamodb });
  }
  written.notify();
  await new Promise((resolve) => setImmediate(resolve));
}

const namesOf = (event: DynamoDBStreamEvent) =>
  event.Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');

type Options = Parameters<typeof pollStream>[0];

function poll(handler: (names: string[]) => Promise<unknown>, more: Partial<Options> = {}) {
  const invoke: Options['invoke'] = (event) => {
    calls.push(namesOf(event));
    return handler(namesOf(event));
  };
  const fixed = { reader, streamArn: 'arn', batchSize: 10, maximumRetryAttempts: 1 };
  source = pollStream({ ...fixed, invoke, clock, ...more });
}

test('a stuck batch does not stop other items, and each item keeps its order', async () => {
  const hanging = Promise.withResolvers<void>();
  poll((names) => (names.includes('a1') ? hanging.promise : Promise.resolve()), { parallelPerShard: 2 });
  await write('a1', 'b1', 'a2', 'b2');
  await eventually(() => expect(calls.flat().sort()).toEqual(['a1', 'a2', 'b1', 'b2']));
  await write('a3', 'b3');
  await eventually(() => expect(calls).toContainEqual(['b3']));
  expect(calls.flat()).not.toContain('a3');
  hanging.resolve();
  await eventually(() => expect(calls.at(-1)).toEqual(['a3']));
});

test('a batch window collects the records that arrive in it, up to a full batch', async () => {
  poll(async () => {}, { batchWindowSeconds: 10, batchSize: 3 });
  await write('a1');
  await clock.advance(9_999);
  await write('a2');
  expect(calls).toEqual([]);
  await clock.advance(1);
  await eventually(() => expect(calls).toEqual([['a1', 'a2']]));
  await write('a3', 'a4', 'a5', 'a6');
  await eventually(() => expect(calls.slice(1)).toEqual([['a3', 'a4', 'a5']]));
});

test('records that are too old are discarded unprocessed', async () => {
  const given: string[] = [];
  const written = new Date(clock.now()).toISOString();
  await write('a1');
  await clock.advance(61_000);
  await write('a2');
  poll(async () => {}, { maximumRecordAgeSeconds: 60, onFailure: (body) => given.push(body) });
  await eventually(() => expect(calls).toEqual([['a2']]));
  expect(given.map((body) => JSON.parse(body))).toMatchObject([
    {
      requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 },
      DDBStreamBatchInfo: {
        startSequenceNumber: 'a1',
        approximateArrivalOfFirstRecord: written,
        approximateArrivalOfLastRecord: written,
        batchSize: 1,
      },
    },
  ]);
});

test('an idle stream causes no wake-ups', async () => {
  poll(async () => {}, { parallelPerShard: 10, batchWindowSeconds: 5 });
  await write('a1');
  await clock.advance(5_000);
  await eventually(() => expect(calls).toEqual([['a1']]));
  const waiting = clock.waiting();
  await clock.advance(86_400_000);
  // Only the shard list, the shard's reader and the ten lanes (parallel deliveries) may wait. Further waits would be a
  // leak.
  expect([waiting, clock.waiting()]).toEqual([12, 12]);
});

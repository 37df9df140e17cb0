import { randomUUID } from 'node:crypto';
import { type AttributeValue, CreateTableCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { EventSource } from '../../../../../infra/develop/local/aws/queue-source.ts';
import { createStreamReader } from '../../../../../infra/develop/local/aws/stream-reader.ts';
import { pollStream } from '../../../../../infra/develop/local/aws/stream-source.ts';
import { useDynamodbLocal } from '../../../../support/dynamodb-local.ts';
import { eventually } from '../../../../support/eventually.ts';

type Options = Parameters<typeof pollStream>[0];
type Handler = Options['invoke'];
let TableName: string;
let streamArn: string;
let source: EventSource | undefined;

const { access, client: tables } = await useDynamodbLocal();
const client = new DynamoDBStreamsClient(access);
afterAll(() => client.destroy());
beforeEach(async () => {
  TableName = randomUUID();
  const { TableDescription } = await tables.send(
    new CreateTableCommand({
      TableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    }),
  );
  streamArn = TableDescription!.LatestStreamArn!;
});
afterEach(() => source?.stop());

async function put(...keys: string[]) {
  for (const key of keys) await putItem({ pk: { S: key } });
}
const putItem = (Item: Record<string, AttributeValue>) =>
  tables.send(new PutItemCommand({ TableName, Item }));
const keysOf = (event: DynamoDBStreamEvent) =>
  event.Records.map(({ dynamodb: record }) => record?.Keys?.pk?.S ?? '');
const failedAt = (event: DynamoDBStreamEvent, index: number) => ({
  batchItemFailures: [{ itemIdentifier: event.Records[index]?.dynamodb?.SequenceNumber ?? '' }],
});

/** Polls the table's stream. Returns an array to which each invocation adds the keys of its records. */
function poll(handler: Handler, more: Partial<Options> = {}): string[][] {
  const calls: string[][] = [];
  source = pollStream({
    reader: createStreamReader({ client, streamArn }),
    streamArn,
    invoke: (event) => {
      calls.push(keysOf(event));
      return handler(event);
    },
    batchSize: 100,
    maximumRetryAttempts: 2,
    retryDelayMilliseconds: 1,
    ...more,
  });
  return calls;
}

test('every record arrives once and in order, including those from before the start', async () => {
  await put('a', 'b', 'c');
  const calls = poll(async () => {});
  await eventually(() => expect(calls.flat()).toEqual(['a', 'b', 'c']));
  await put('d', 'e');
  await eventually(() => expect(calls.flat()).toEqual(['a', 'b', 'c', 'd', 'e']));
});

test('a record has the same form as on Lambda', async () => {
  const events: DynamoDBStreamEvent[] = [];
  await putItem({
    pk: { S: 'a' },
    n: { N: '1.50' },
    bytes: { B: new Uint8Array([0, 255]) },
    nested: { M: { list: { L: [{ B: new Uint8Array([1]) }, { BOOL: true }] } } },
  });
  poll(async (event) => void events.push(event));
  await eventually(() => expect(events).toHaveLength(1));
  expect(events[0]?.Records).toMatchObject([
    {
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      eventSourceARN: streamArn,
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { pk: { S: 'a' } },
        NewImage: {
          n: { N: '1.5' },
          bytes: { B: 'AP8=' },
          nested: { M: { list: { L: [{ B: 'AQ==' }, { BOOL: true }] } } },
        },
        SequenceNumber: expect.any(String),
        StreamViewType: 'NEW_IMAGE',
      },
    },
  ]);
});

test('a batch has at most as many records as its size', async () => {
  await put('a', 'b', 'c');
  const calls = poll(async () => {}, { batchSize: 2 });
  await eventually(() => expect(calls).toEqual([['a', 'b'], ['c']]));
});

test('the latest position skips existing records', async () => {
  await put('old');
  const calls = poll(async () => {}, { startingPosition: 'LATEST' });
  // Writes items until the handler gets one, because the event source starts reading at an unknown time.
  await eventually(async () => {
    await put(randomUUID());
    expect(calls.length).toBeGreaterThan(0);
  });
  expect(calls.flat()).not.toContain('old');
});

test('records that do not match the filter are skipped', async () => {
  await put('a1', 'b', 'a2', 'c', 'd', 'c1');
  await putItem({ pk: { S: 'a1' }, changed: { BOOL: true } });
  const calls = poll(async () => {}, {
    filter: { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'a' }, 'c'] } } } },
  });
  await eventually(() => expect(calls).toEqual([['a1', 'a2', 'c']]));
});

test('a partial failure is retried from the first failed record', async () => {
  await put('a', 'b', 'c');
  let failures = 0;
  const calls = poll(async (event) => (failures++ === 0 ? failedAt(event, 1) : undefined));
  await eventually(() =>
    expect(calls).toEqual([
      ['a', 'b', 'c'],
      ['b', 'c'],
    ]),
  );
});

test('a failed batch is bisected until the failing record is alone', async () => {
  const given: string[] = [];
  await put('a', 'b', 'poison', 'd');
  const taken: string[] = [];
  const handler: Handler = async (event) => {
    if (keysOf(event).includes('poison')) throw new Error('poison');
    taken.push(...keysOf(event));
  };
  const calls = poll(handler, { onFailure: (body) => given.push(body) });
  await eventually(() => expect(taken).toEqual(['a', 'b', 'd']));
  expect(calls.filter((keys) => keys.length === 1 && keys[0] === 'poison')).toHaveLength(3);
  expect(given.map((body) => JSON.parse(body))).toMatchObject([
    {
      requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: 3 },
      DDBStreamBatchInfo: { batchSize: 1, streamArn, shardId: expect.stringMatching(/^shardId-/) },
    },
  ]);
});

test('a record that fails alone with a partial response is discarded alone', async () => {
  const given: string[] = [];
  await put('a', 'poison', 'c');
  const calls = poll(
    async (event) => {
      const index = keysOf(event).indexOf('poison');
      return index < 0 ? undefined : failedAt(event, index);
    },
    { onFailure: (body) => given.push(body) },
  );
  await eventually(() => expect(calls.at(-1)).toEqual(['c']));
  expect(calls[0]).toEqual(['a', 'poison', 'c']);
  expect(given).toHaveLength(1);
});

test('stopping waits for the running call and starts no other', async () => {
  const call = Promise.withResolvers<void>();
  await put('a');
  const calls = poll(() => call.promise);
  await eventually(() => expect(calls).toEqual([['a']]));
  const stopped = source!.stop();
  await put('b');
  call.resolve();
  await stopped;
  expect(calls).toEqual([['a']]);
});

import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { EventSource } from '../../../../../infra/develop/local/aws/queue-source.ts';
import { createStreamReader } from '../../../../../infra/develop/local/aws/stream-reader.ts';
import { pollStream } from '../../../../../infra/develop/local/aws/stream-source.ts';
import { eventually } from '../../../../support/eventually.ts';
import { createManualClock, type ManualClock } from '../manual-clock.ts';

// Mocks the stream to test the end of a shard, which DynamoDB Local reaches only after hours.
const streams = mockClient(DynamoDBStreamsClient);
afterAll(() => streams.restore());
let clock: ManualClock;
let source: EventSource;
let shards: Record<string, { parent?: string; numbers: string[]; isOpen?: boolean }>;
let handled: string[];

beforeEach(() => {
  clock = createManualClock();
  shards = {};
  handled = [];
  streams.reset();
  streams.on(DescribeStreamCommand).callsFake(({ ExclusiveStartShardId }) => {
    // Lists one shard per page, so that the test covers pagination.
    const names = Object.keys(shards);
    const index = ExclusiveStartShardId ? names.indexOf(ExclusiveStartShardId) + 1 : 0;
    const ShardId = names[index]!;
    const listed: Shard = { ShardId, ParentShardId: shards[ShardId]?.parent };
    const isLast = index === names.length - 1;
    return { StreamDescription: { Shards: [listed], ...(!isLast && { LastEvaluatedShardId: ShardId }) } };
  });
  streams.on(GetShardIteratorCommand).callsFake(({ ShardId, ShardIteratorType, SequenceNumber }) => {
    const { numbers } = shards[ShardId]!;
    const position = { TRIM_HORIZON: 0, LATEST: numbers.length }[ShardIteratorType as string];
    return { ShardIterator: `${ShardId} ${position ?? numbers.indexOf(SequenceNumber) + 1}` };
  });
  streams.on(GetRecordsCommand).callsFake(read);
});
afterEach(() => source.stop());

function read({ ShardIterator, Limit }: { ShardIterator: string; Limit: number }) {
  const [shardId = '', position] = ShardIterator.split(' ');
  const { numbers, isOpen } = shards[shardId]!;
  const start = Number(position);
  const page = numbers.slice(start, start + Limit);
  const end = start + page.length;
  return {
    Records: page.map((SequenceNumber) => ({ dynamodb: { SequenceNumber } })),
    ...((isOpen || end < numbers.length) && { NextShardIterator: `${shardId} ${end}` }),
  };
}

function poll(startingPosition: 'TRIM_HORIZON' | 'LATEST' = 'TRIM_HORIZON', parallelPerShard = 1) {
  const streamArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/t/stream/s';
  const client = new DynamoDBStreamsClient({ region: 'us-east-1' });
  source = pollStream({
    reader: createStreamReader({ client, streamArn, clock }),
    streamArn,
    batchSize: 2,
    startingPosition,
    parallelPerShard,
    maximumRetryAttempts: 0,
    clock,
    invoke: async (event) => {
      handled.push(...event.Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? ''));
    },
  });
}

test.each([1, 3])(
  'a shard of %i lanes is read after its parent, whatever their order in the list',
  async (lanes) => {
    shards = {
      child: { parent: 'parent', numbers: ['4', '5'], isOpen: true },
      parent: { parent: 'trimmed long ago', numbers: ['1', '2', '3'] },
    };
    poll('TRIM_HORIZON', lanes);
    await eventually(() => expect(handled).toEqual(['1', '2', '3', '4', '5']));
  },
);

test('the children of an ended shard are found and read from their beginning', async () => {
  shards = { parent: { numbers: ['1'], isOpen: true } };
  poll('LATEST');
  await eventually(() => expect(streams.commandCalls(GetRecordsCommand)).not.toHaveLength(0));
  shards.parent!.numbers.push('2');
  shards.parent!.isOpen = false;
  shards.child = { parent: 'parent', numbers: ['3'], isOpen: true };
  await eventually(async () => {
    await clock.advance(100);
    expect(handled).toEqual(['2', '3']);
  });
});

test.each([
  ['an expired iterator', ExpiredIteratorException, ['1', '2', '3']],
  // DynamoDB has deleted (trimmed) records that were not read in time. Reading continues at the oldest record
  // that exists.
  ['trimmed data', TrimmedDataAccessException, ['1', '2', '1', '2', '3']],
])('%s is replaced by a new iterator', async (_, Refusal, expected) => {
  shards = { only: { numbers: ['1', '2', '3'], isOpen: true } };
  let reads = 0;
  streams.on(GetRecordsCommand).callsFake((input) => {
    if (++reads === 2) throw new Refusal({ message: 'gone', $metadata: {} });
    return read(input);
  });
  poll();
  await eventually(async () => {
    await clock.advance(1000);
    expect(handled).toEqual(expected);
  });
});

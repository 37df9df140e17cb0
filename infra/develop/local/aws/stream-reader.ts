import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
} from '@aws-sdk/client-dynamodb-streams';
import { type Clock, systemClock } from './clock.ts';
import { toLambdaRecord } from './stream-record.ts';
import type { StreamPosition, StreamReader, StreamShard, StreamShardReader } from './stream-source.ts';

type Stream = { client: DynamoDBStreamsClient; streamArn: string; clock?: Clock };

/** Creates a reader that polls a DynamoDB stream with the AWS SDK's client: every 100 ms, and less often when idle. */
export function createStreamReader(stream: Stream): StreamReader {
  return {
    listShards: (signal) => listShards(stream, signal),
    open: (shardId, from) => openShard(stream, shardId, from),
  };
}

async function listShards({ client, streamArn }: Stream, abortSignal: AbortSignal): Promise<StreamShard[]> {
  const shards: StreamShard[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const command = new DescribeStreamCommand({ StreamArn: streamArn, ExclusiveStartShardId });
    const { StreamDescription } = await client.send(command, { abortSignal });
    for (const { ShardId: id = '', ParentShardId: parentId } of StreamDescription?.Shards ?? []) {
      shards.push({ id, parentId });
    }
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  return shards;
}

type Place = Pick<GetShardIteratorCommandInput, 'ShardIteratorType' | 'SequenceNumber'>;

const pollMilliseconds = 100;
const idlePollMilliseconds = 1000;
/** Empty reads (ten seconds) after which a stream counts as idle. */
const idleAfter = 100;
const endOfShard = { records: [], isEnd: true };
const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

function openShard(
  { client, streamArn, clock = systemClock }: Stream,
  ShardId: string,
  from: StreamPosition,
): StreamShardReader {
  let place: Place = { ShardIteratorType: from };
  let iterator: string | undefined;

  async function getIterator(abortSignal: AbortSignal) {
    const command = new GetShardIteratorCommand({ StreamArn: streamArn, ShardId, ...place });
    const { ShardIterator } = await client.send(command, { abortSignal });
    if (!ShardIterator) throw new Error(`no iterator for shard ${ShardId}`);
    return ShardIterator;
  }
  async function readOnce(Limit: number, abortSignal: AbortSignal) {
    iterator ??= await getIterator(abortSignal);
    const command = new GetRecordsCommand({ ShardIterator: iterator, Limit });
    const { Records = [], NextShardIterator } = await client.send(command, { abortSignal });
    iterator = NextShardIterator;
    const SequenceNumber = Records.at(-1)?.dynamodb?.SequenceNumber;
    if (SequenceNumber) place = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber };
    return { records: Records.map((record) => toLambdaRecord(record, streamArn)), isEnd: !iterator };
  }

  return {
    async read(limit, signal) {
      for (let empty = 0; ; empty++) {
        try {
          const page = await readOnce(limit, signal);
          if (page.records.length > 0 || page.isEnd) return page;
        } catch (error) {
          // Requests a new iterator after an error, because the old iterator may have expired while the laptop slept.
          iterator = undefined;
          if (isNamed(error, 'TrimmedDataAccessException')) place = { ShardIteratorType: 'TRIM_HORIZON' };
          if (isNamed(error, 'ResourceNotFoundException')) return endOfShard;
          throw error;
        }
        await clock.wait(empty < idleAfter ? pollMilliseconds : idlePollMilliseconds, signal);
        if (signal.aborted) return { records: [], isEnd: false };
      }
    },
  };
}

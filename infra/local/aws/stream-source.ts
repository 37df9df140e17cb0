import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
  type _Record as StreamRecord,
} from '@aws-sdk/client-dynamodb-streams';
import { type Clock, systemClock } from './clock.ts';
import type { EventSource } from './queue-source.ts';
import { type BatchPolicy, handOverBatch } from './stream-batch.ts';
import { type FilterPattern, matchesAny } from './stream-filter.ts';
import { toLambdaRecord } from './stream-record.ts';

type StreamOptions = Omit<BatchPolicy, 'clock' | 'signal'> & {
  client: DynamoDBStreamsClient;
  /** Up to 1000; 100 by default. */
  batchSize?: number;
  /** `TRIM_HORIZON` by default. Only for shards there are at the start; later ones are read from their beginning. */
  startingPosition?: 'TRIM_HORIZON' | 'LATEST';
  /** Records that match none of these are passed over. */
  filters?: FilterPattern[];
  /** How long an idle shard rests between two looks; 100 by default. */
  pollMilliseconds?: number;
  clock?: Clock;
};

type Reader = StreamOptions & { clock: Clock; signal: AbortSignal };
type Position =
  | { type: 'TRIM_HORIZON' | 'LATEST' }
  | { type: 'AFTER_SEQUENCE_NUMBER'; sequenceNumber: string };

const restAfterError = 1000;
const restBetweenLists = 10_000;

/**
 * Feeds a DynamoDB stream to a function: the records of a shard in order, a shard after its parent. What fails is
 * tried again by the policy, and holds up its own shard alone. Where the reading stood is not kept: a new start
 * begins at `startingPosition` again.
 */
export function pollStream(options: StreamOptions): EventSource {
  const stopping = new AbortController();
  const { signal } = stopping;
  const reading = followShards({ ...options, clock: options.clock ?? systemClock, signal });
  return {
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}

/** Reads every shard once its parent has been read to its end, until it is stopped. */
async function followShards(reader: Reader): Promise<void> {
  const { clock, signal, startingPosition = 'TRIM_HORIZON' } = reader;
  const finished = new Set<string>();
  const open = new Map<string, Promise<void>>();
  let position = startingPosition;
  while (!signal.aborted) {
    const shards = await untilItWorks(reader, () => listShards(reader));
    if (!shards) break;
    const listed = new Set(shards.map(({ ShardId }) => ShardId));
    for (const { ShardId = '', ParentShardId = '' } of shards) {
      const waitsForParent = listed.has(ParentShardId) && !finished.has(ParentShardId);
      if (finished.has(ShardId) || open.has(ShardId) || (position === 'TRIM_HORIZON' && waitsForParent))
        continue;
      const done = readShard(ShardId, { type: position }, reader).then(() => {
        open.delete(ShardId);
        finished.add(ShardId);
      });
      open.set(ShardId, done);
    }
    if (shards.length > 0) position = 'TRIM_HORIZON';
    // New shards follow upon the end of an old one, perhaps not listed yet.
    const rest = open.size > 0 ? restBetweenLists : restAfterError;
    await Promise.race([...open.values(), clock.wait(rest, signal)]);
  }
  await Promise.all(open.values());
}

async function listShards({ client, streamArn, signal }: Reader): Promise<Shard[]> {
  const shards: Shard[] = [];
  let ExclusiveStartShardId: string | undefined;
  do {
    const command = new DescribeStreamCommand({ StreamArn: streamArn, ExclusiveStartShardId });
    const { StreamDescription } = await client.send(command, { abortSignal: signal });
    shards.push(...(StreamDescription?.Shards ?? []));
    ExclusiveStartShardId = StreamDescription?.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  return shards;
}

const endOfShard = { records: [], next: undefined };
const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** Reads a shard from a position to its end, or until it is stopped. */
async function readShard(shardId: string, from: Position, reader: Reader): Promise<void> {
  const { clock, signal, pollMilliseconds = 100 } = reader;
  let position = from;
  let iterator: string | undefined;
  while (!signal.aborted) {
    const page = await untilItWorks(reader, async () => {
      try {
        iterator ??= await getIterator(shardId, position, reader);
        return await getRecords(iterator, reader);
      } catch (error) {
        // Iterators expire, after a laptop's sleep for one: the next try asks for a new one.
        iterator = undefined;
        if (isNamed(error, 'TrimmedDataAccessException')) position = { type: 'TRIM_HORIZON' };
        if (isNamed(error, 'ResourceNotFoundException')) return endOfShard;
        throw error;
      }
    });
    if (!page) return;
    const { records } = page;
    if (!(await handOver(shardId, records, reader))) return;
    const sequenceNumber = records.at(-1)?.dynamodb?.SequenceNumber;
    if (sequenceNumber) position = { type: 'AFTER_SEQUENCE_NUMBER', sequenceNumber };
    iterator = page.next;
    if (!iterator) return;
    if (records.length === 0) await clock.wait(pollMilliseconds, signal);
  }
}

async function getIterator(shardId: string, position: Position, { client, streamArn, signal }: Reader) {
  const command = new GetShardIteratorCommand({
    StreamArn: streamArn,
    ShardId: shardId,
    ShardIteratorType: position.type,
    ...('sequenceNumber' in position && { SequenceNumber: position.sequenceNumber }),
  });
  const { ShardIterator } = await client.send(command, { abortSignal: signal });
  if (!ShardIterator) throw new Error(`no iterator for shard ${shardId}`);
  return ShardIterator;
}

async function getRecords(ShardIterator: string, { client, batchSize = 100, signal }: Reader) {
  const command = new GetRecordsCommand({ ShardIterator, Limit: batchSize });
  const { Records = [], NextShardIterator } = await client.send(command, { abortSignal: signal });
  return { records: Records, next: NextShardIterator };
}

async function handOver(shardId: string, records: StreamRecord[], reader: Reader): Promise<boolean> {
  const all = records.map((record) => toLambdaRecord(record, reader.streamArn));
  const wanted = all.filter((record) => matchesAny(reader.filters ?? [], record));
  return wanted.length === 0 || handOverBatch(shardId, wanted, reader);
}

/** Tries until it succeeds, and gives up with undefined when it is stopped. */
async function untilItWorks<T>(
  { clock, signal, onError }: Reader,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await attempt();
    } catch (error) {
      if (!signal.aborted) onError?.(error);
      await clock.wait(restAfterError, signal);
    }
  }
  return undefined;
}

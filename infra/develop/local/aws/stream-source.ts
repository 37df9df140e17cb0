import type { DynamoDBRecord } from 'aws-lambda';
import { systemClock } from './clock.ts';
import type { EventSource } from './queue-source.ts';
import type { BatchPolicy } from './stream-batch.ts';
import { type FilterPattern, matchesFilter } from './stream-filter.ts';
import { type LanePolicy, startLane } from './stream-lane.ts';

export type StreamShard = { id: string; parentId?: string | undefined };
/** Where to start reading a stream shard: at its beginning (`TRIM_HORIZON`) or at its current end (`LATEST`). */
export type StreamPosition = 'TRIM_HORIZON' | 'LATEST';

export type StreamReader = {
  listShards(signal: AbortSignal): Promise<StreamShard[]>;
  /** Several readers of one shard do not affect each other. */
  open(shardId: string, from: StreamPosition): StreamShardReader;
};

export type StreamShardReader = {
  /** Waits for records and returns up to `limit` of them. If a call fails, the next call reads the same records. */
  read(limit: number, signal: AbortSignal): Promise<{ records: DynamoDBRecord[]; isEnd: boolean }>;
};

type Options = Omit<LanePolicy, 'clock' | 'signal'> & {
  reader: StreamReader;
  /**
   * Where to start in shards that already exist; default `TRIM_HORIZON`. Shards created later are read from their
   * beginning.
   */
  startingPosition?: StreamPosition;
  filter?: FilterPattern;
  /** Number of concurrent batches per shard; defaults to 1. */
  parallelPerShard?: number | undefined;
  clock?: BatchPolicy['clock'];
};

type Source = Options & Pick<BatchPolicy, 'clock' | 'signal'>;

const pollMilliseconds = 1000;

/** Stores no position: a restart begins at `startingPosition` again. */
export function pollStream(options: Options): EventSource {
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

async function followShards(source: Source): Promise<void> {
  const { reader, clock, signal, startingPosition = 'TRIM_HORIZON' } = source;
  const finished = new Set<string>();
  const open = new Map<string, Promise<void>>();
  let position = startingPosition;
  while (!signal.aborted) {
    const shards = await untilSuccess(source, () => reader.listShards(signal));
    if (!shards) break;
    const listed = new Set(shards.map(({ id }) => id));
    for (const { id, parentId = '' } of shards) {
      const waitsForParent = listed.has(parentId) && !finished.has(parentId);
      if (finished.has(id) || open.has(id) || (position === 'TRIM_HORIZON' && waitsForParent)) continue;
      const done = readShard(id, position, source).then(() => {
        open.delete(id);
        finished.add(id);
      });
      open.set(id, done);
    }
    if (shards.length > 0) position = 'TRIM_HORIZON';
    // Polls for new shards as long as a finished shard has no child yet, because DynamoDB lists children late.
    const parents = new Set(shards.map(({ parentId }) => parentId));
    const isComplete = open.size > 0 && ![...finished].some((id) => listed.has(id) && !parents.has(id));
    const rest = isComplete ? Number.POSITIVE_INFINITY : pollMilliseconds;
    await Promise.race([...open.values(), clock.wait(rest, signal)]);
  }
  await Promise.all(open.values());
}

async function readShard(shardId: string, from: StreamPosition, source: Source): Promise<void> {
  const { reader, batchSize, parallelPerShard = 1, filter = {}, signal } = source;
  const lanes = Array.from({ length: parallelPerShard }, () => startLane(shardId, source));
  const shard = reader.open(shardId, from);
  for (;;) {
    const page = await untilSuccess(source, () => shard.read(batchSize, signal));
    if (!page) break;
    for (const record of page.records) {
      if (matchesFilter(filter, record)) lanes[hashOf(record) % lanes.length]!.push(record);
    }
    if (page.isEnd) break;
    await Promise.all(lanes.map((lane) => lane.hasRoom()));
  }
  await Promise.all(lanes.map((lane) => lane.end()));
}

function hashOf({ dynamodb }: DynamoDBRecord): number {
  let hash = 0;
  for (const character of JSON.stringify(dynamodb?.Keys ?? {})) {
    hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  }
  return hash;
}

/** Repeats `attempt` until it succeeds. Returns undefined if the event source stops first. */
async function untilSuccess<T>(
  { clock, signal, onError }: Source,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await attempt();
    } catch (error) {
      if (!signal.aborted) onError?.(error);
      await clock.wait(pollMilliseconds, signal);
    }
  }
  return undefined;
}

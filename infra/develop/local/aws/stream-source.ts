import type { DynamoDBRecord } from 'aws-lambda';
import { systemClock } from './clock.ts';
import type { EventSource } from './queue-source.ts';
import type { BatchPolicy } from './stream-batch.ts';
import { type FilterPattern, matches } from './stream-filter.ts';
import { type LanePolicy, openLane } from './stream-lane.ts';

export type Shard = { id: string; parentId?: string | undefined };
/** The beginning of a shard, or its end as it is now. */
export type Position = 'TRIM_HORIZON' | 'LATEST';

/** What a stream is read through. */
export type StreamReader = {
  /** All shards that there are now. */
  listShards(signal: AbortSignal): Promise<Shard[]>;
  /** Begins to read a shard, independently of whoever else reads it. */
  open(shardId: string, from: Position): ShardReader;
};

/** The reading of one shard. */
export type ShardReader = {
  /**
   * The next records, at most so many, and whether the shard ends with them. Resolves when there is a record, when the
   * shard has ended, or when the signal aborts; after an error the same records can be asked for again.
   */
  read(most: number, signal: AbortSignal): Promise<{ records: DynamoDBRecord[]; isEnd: boolean }>;
};

type Options = Omit<LanePolicy, 'clock' | 'signal'> & {
  reader: StreamReader;
  /** `TRIM_HORIZON` by default. Only for shards there are at the start; later ones are read from their beginning. */
  startingPosition?: Position;
  /** Records that do not match are passed over. */
  filter?: FilterPattern;
  /** How many batches of a shard may be under way; those of one item stay in order. 1 by default. */
  parallelPerShard?: number | undefined;
  clock?: BatchPolicy['clock'];
};

type Source = Options & Pick<BatchPolicy, 'clock' | 'signal'>;

const restMilliseconds = 1000;

/**
 * Feeds a DynamoDB stream to a function: the records of a shard in order, a shard after its parent. What fails is
 * tried again by the policy, and holds up its own shard alone. Where the reading stood is not kept: a new start
 * begins at `startingPosition` again.
 */
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

/** Reads every shard once its parent has been read to its end, until it is stopped. */
async function followShards(source: Source): Promise<void> {
  const { reader, clock, signal, startingPosition = 'TRIM_HORIZON' } = source;
  const finished = new Set<string>();
  const open = new Map<string, Promise<void>>();
  let position = startingPosition;
  while (!signal.aborted) {
    const shards = await untilItWorks(source, () => reader.listShards(signal));
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
    // The children of a shard that has ended are perhaps not listed yet.
    const parents = new Set(shards.map(({ parentId }) => parentId));
    const isComplete = open.size > 0 && ![...finished].some((id) => listed.has(id) && !parents.has(id));
    const rest = isComplete ? Number.POSITIVE_INFINITY : restMilliseconds;
    await Promise.race([...open.values(), clock.wait(rest, signal)]);
  }
  await Promise.all(open.values());
}

/** Reads a shard from a position to its end, or until it is stopped. */
async function readShard(shardId: string, from: Position, source: Source): Promise<void> {
  const { reader, batchSize, parallelPerShard = 1, filter = {}, signal } = source;
  const lanes = Array.from({ length: parallelPerShard }, () => openLane(shardId, source));
  const shard = reader.open(shardId, from);
  for (;;) {
    const page = await untilItWorks(source, () => shard.read(batchSize, signal));
    if (!page) break;
    for (const record of page.records) {
      if (matches(filter, record)) lanes[hashOf(record) % lanes.length]!.push(record);
    }
    if (page.isEnd) break;
    await Promise.all(lanes.map((lane) => lane.hasRoom()));
  }
  await Promise.all(lanes.map((lane) => lane.end()));
}

/** A number that is the same for all records of an item. */
function hashOf({ dynamodb }: DynamoDBRecord): number {
  let hash = 0;
  for (const character of JSON.stringify(dynamodb?.Keys ?? {})) {
    hash = (hash * 31 + character.charCodeAt(0)) >>> 0;
  }
  return hash;
}

/** Tries until it succeeds, and gives up with undefined when it is stopped. */
async function untilItWorks<T>(
  { clock, signal, onError }: Source,
  attempt: () => Promise<T>,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await attempt();
    } catch (error) {
      if (!signal.aborted) onError?.(error);
      await clock.wait(restMilliseconds, signal);
    }
  }
  return undefined;
}

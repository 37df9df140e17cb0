import type { DynamoDBRecord } from 'aws-lambda';
import { createNotifier } from './notifier.ts';
import { type BatchPolicy, handOverBatch } from './stream-batch.ts';

/** One of the lines in which a shard's records are handed over, batch after batch. */
export type Lane = {
  push(record: DynamoDBRecord): void;
  /** Resolves when less than a batch waits, or when it was stopped. */
  hasRoom(): Promise<void>;
  /** Resolves when all was handed over and no more is to come, or when it was stopped. */
  end(): Promise<void>;
};

/** How a lane gathers its batches. */
export type LanePolicy = BatchPolicy & {
  batchSize: number;
  /** How long to gather a batch after its first record; 0 by default. */
  batchWindowSeconds?: number | undefined;
};

/** Opens a lane, which begins to hand over as soon as it has a record. */
export function openLane(shardId: string, policy: LanePolicy): Lane {
  const { batchSize, batchWindowSeconds = 0, clock, signal } = policy;
  const waiting: DynamoDBRecord[] = [];
  const changed = createNotifier(clock);
  let isEnding = false;

  /** Waits until so many records are there, at the longest for a time. */
  const reach = async (count: number, milliseconds: number) => {
    const deadline = clock.now() + milliseconds;
    while (waiting.length < count && !isEnding && !signal.aborted && clock.now() < deadline) {
      await changed.wait(deadline - clock.now(), signal);
    }
  };
  const run = async () => {
    for (;;) {
      await reach(1, Number.POSITIVE_INFINITY);
      await reach(batchSize, batchWindowSeconds * 1000);
      if (signal.aborted || waiting.length === 0) return;
      const batch = waiting.splice(0, batchSize);
      changed.notify();
      await handOverBatch(shardId, batch, policy);
    }
  };
  const running = run();

  return {
    push(record) {
      waiting.push(record);
      changed.notify();
    },
    async hasRoom() {
      while (waiting.length >= batchSize && !signal.aborted) {
        await changed.wait(Number.POSITIVE_INFINITY, signal);
      }
    },
    end() {
      isEnding = true;
      changed.notify();
      return running;
    },
  };
}

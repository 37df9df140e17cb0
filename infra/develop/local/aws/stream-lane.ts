import type { DynamoDBRecord } from 'aws-lambda';
import { createNotifier } from './notifier.ts';
import { type BatchPolicy, deliverBatch } from './stream-batch.ts';

/** Delivers some of a shard's records in order, one batch at a time. */
type Lane = {
  push(record: DynamoDBRecord): void;
  /** Resolves when fewer than `batchSize` records are waiting, or when the event source stops. */
  hasRoom(): Promise<void>;
  /** Resolves when all records have been delivered, or when the event source stops. */
  end(): Promise<void>;
};

export type LanePolicy = BatchPolicy & {
  batchSize: number;
  /** Time in seconds to wait for more records after the first one of a batch. Defaults to 0. */
  batchWindowSeconds?: number | undefined;
};

export function startLane(shardId: string, policy: LanePolicy): Lane {
  const { batchSize, batchWindowSeconds = 0, clock, signal } = policy;
  const waiting: DynamoDBRecord[] = [];
  const changed = createNotifier(clock);
  let isEnding = false;

  /** Resolves when at least `count` records are waiting, when `milliseconds` have passed, or when the lane ends. */
  const waitForRecords = async (count: number, milliseconds: number) => {
    const deadline = clock.now() + milliseconds;
    while (waiting.length < count && !isEnding && !signal.aborted && clock.now() < deadline) {
      await changed.wait(deadline - clock.now(), signal);
    }
  };
  const run = async () => {
    for (;;) {
      await waitForRecords(1, Number.POSITIVE_INFINITY);
      await waitForRecords(batchSize, batchWindowSeconds * 1000);
      if (signal.aborted || waiting.length === 0) return;
      const batch = waiting.splice(0, batchSize);
      changed.notify();
      await deliverBatch(shardId, batch, policy);
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

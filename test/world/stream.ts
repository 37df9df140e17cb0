/** Simulates the table's stream, which Lambda's event source mapping reads. */
import { createNotifier } from '../../infra/develop/local/aws/notifier.ts';
import type { StreamReader } from '../../infra/develop/local/aws/stream-source.ts';
import type { Dynamodb } from '../support/dynamodb/dynamodb.ts';
import type { Random } from '../support/random.ts';
import type { Timeline } from './timeline.ts';

/** The stream of a table. `written` wakes the stream's readers; `unread` returns whether unread records exist. */
export type Stream = { arn: string; reader: StreamReader; written(): void; unread(): boolean };

/** Creates the stream of a table. Readers wake about 200 ms after a write. */
export function createStream(dynamodb: Dynamodb, timeline: Timeline, random: Random): Stream {
  const changed = createNotifier(timeline);
  let waking = false;
  const positions: (() => boolean)[] = [];
  return {
    arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/incentives-staging/stream/world',
    unread: () => positions.some((isBehind) => isBehind()),
    written() {
      if (waking) return;
      waking = true;
      timeline.after(100 + random.around(100), () => {
        waking = false;
        changed.notify();
      });
    },
    reader: {
      listShards: async () =>
        Array.from({ length: dynamodb.shards }, (_, shard) => ({ id: `shard-${shard}` })),
      open(shardId) {
        const shard = Number(shardId.split('-')[1]);
        let position = 0;
        const readable = (limit: number) => dynamodb.readStream(shard, position, limit);
        positions.push(() => readable(1).length > 0);
        return {
          async read(most, signal) {
            while (!signal.aborted) {
              // Reads a random number of records, because Lambda's batches vary in size too.
              const records = readable(1 + random.below(most));
              if (records.length > 0) {
                position = records.at(-1)!.position;
                return { records: records.map(({ record }) => record), isEnd: false };
              }
              await changed.wait(Number.POSITIVE_INFINITY, signal);
            }
            return { records: [], isEnd: false };
          },
        };
      },
    },
  };
}

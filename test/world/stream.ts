/** Simulates the table's stream as Lambda's event source mapping reads it. */
import { createNotifier } from '../../infra/develop/local/aws/notifier.ts';
import type { StreamReader } from '../../infra/develop/local/aws/stream-source.ts';
import type { Dynamodb } from './dynamodb/dynamodb.ts';
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

/** A stream. `written` wakes its readers; `unread` returns whether records are still to be read. */
export type Stream = { arn: string; reader: StreamReader; written(): void; unread(): boolean };

/** Creates the stream of a table. Readers wake some 200 ms after a write. */
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
        const readable = (most: number) => dynamodb.readStream(shard, position, most);
        positions.push(() => readable(1).length > 0);
        return {
          async read(most, signal) {
            while (!signal.aborted) {
              // Lambda also reads batches of varying size.
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

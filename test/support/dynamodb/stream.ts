import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { accountId, region } from '../../../infra/develop/local/aws/arns.ts';
import { tableDefinition } from '../../../shared/table/keys.ts';
import type { Key } from './keys.ts';
import type { Version } from './table-index.ts';
import { isEqualItem, itemSize } from './values.ts';

/** A record of the stream. Positions in a shard start at 1; `at` is in epoch milliseconds. */
export type StreamRecord = { position: number; at: number; record: DynamoDBRecord };

/** The stream of the table: the changes of the last 24 hours, distributed to shards. */
export type Stream = {
  /** Adds a change, unless the item has the same attributes before and after. */
  append(change: Change): void;
  /**
   * Returns up to `limit` records of a shard after the position `after`, oldest first. Records expire after
   * 24 hours.
   */
  read(shard: number, after: number, limit: number): StreamRecord[];
};

const keptMs = 24 * 3600 * 1000;

type Change = { key: Key; before: Version | undefined; after: Version | undefined; byTtl: boolean };
/** Without the old version, which would fill the memory of a world with many users. */
type Entry = Omit<Change, 'before'> & { position: number; at: number; isNew: boolean };

export function createStream(tableName: string, shards: number, clock: { now(): number }): Stream {
  const lines = Array.from({ length: shards }, () => ({ written: 0, kept: [] as Entry[] }));
  const trim = (kept: Entry[]) => {
    const oldest = clock.now() - keptMs;
    if (kept.length === 0 || kept[0]!.at >= oldest) return;
    const first = kept.findIndex(({ at }) => at >= oldest);
    kept.splice(0, first === -1 ? kept.length : first);
  };
  return {
    append({ key, before, after, byTtl }) {
      if (before && after && isEqualItem(before.item, after.item)) return;
      const line = lines[shardOf(key.pk, shards)]!;
      trim(line.kept);
      line.kept.push({ position: ++line.written, at: clock.now(), key, isNew: !before, after, byTtl });
    },
    read(shard, after, limit) {
      const { kept } = lines[shard]!;
      trim(kept);
      const skipped = Math.max(0, after + 1 - (kept[0]?.position ?? 1));
      return kept.slice(skipped, skipped + limit).map((entry) => ({
        position: entry.position,
        at: entry.at,
        record: recordOf(entry, tableName, shard),
      }));
    },
  };
}

/** Converts a change to a stream record, in the form in which Lambda passes it to a function. */
function recordOf(
  { key, isNew, after, byTtl, position, at }: Entry,
  tableName: string,
  shard: number,
): DynamoDBRecord {
  const keys = { [tableDefinition.partitionKey]: { S: key.pk }, [tableDefinition.sortKey]: { S: key.sk } };
  return {
    eventID: `${shard}-${position}`,
    eventName: isNew ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    eventSourceARN: streamArn(tableName),
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at / 1000),
      Keys: keys,
      ...(after && { NewImage: after.item as Record<string, AttributeValue> }),
      SequenceNumber: String(position).padStart(21, '0'),
      SizeBytes: itemSize(keys) + (after?.size ?? 0),
      StreamViewType: 'NEW_IMAGE',
    },
    ...(byTtl && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
  };
}

export const streamArn = (tableName: string): string =>
  `arn:aws:dynamodb:${region}:${accountId}:table/${tableName}/stream/1`;

function shardOf(partition: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < partition.length; i++) {
    hash = Math.imul(hash ^ partition.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0) % shards;
}

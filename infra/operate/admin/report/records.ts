/** Reads records for reports in batches, so that a report need not keep all records in memory. */
import type { RecordOfKind } from '../../../../shared/accounts/records.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { ulidTimePart } from '../../../../shared/ids.ts';
import { actionsByTime, between, type RecordList, recordsInShards } from '../../../../shared/table/keys.ts';
import { batches, readRange } from '../../../../shared/table/ranges.ts';
import { entryTypes } from '../../../../shared/vocabulary.ts';

/** A time range in epoch milliseconds: `begins` is inclusive, `ends` exclusive. */
export type TimeRange = { begins: number; ends: number };

type Kind = 'tickets' | 'entries' | 'outcomes' | 'claims' | 'orders';
const listsOf: Record<Kind, readonly RecordList[]> = {
  tickets: ['tickets'],
  entries: entryTypes.map((type) => `entries#${type}` as const),
  outcomes: ['outcomes'],
  orders: ['orders'],
  claims: ['claims'],
};

/** The records are sorted by time only within one kind and shard. */
export async function* readRecordsBetween<K extends Kind>(
  organizationId: string,
  kinds: readonly K[],
  { begins, ends }: TimeRange,
  fields: string[] = [],
): AsyncGenerator<RecordOfKind<K>, undefined> {
  for (const list of kinds.flatMap((kind) => listsOf[kind])) {
    for (const range of recordsInShards(organizationId, list)) {
      const part = between(range, ulidTimePart(begins), ulidTimePart(ends));
      for await (const items of batches(part, { fields })) yield* items as RecordOfKind<K>[];
    }
  }
}

/** Returns all actions, oldest first. */
export const readAllActions = async (organizationId: string): Promise<ActionRecord[]> =>
  (await readRange(actionsByTime(organizationId))) as ActionRecord[];

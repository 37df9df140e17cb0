/** Reads records for reports in batches, so that a report need not keep all records in memory. */
import type { RecordOf } from '../../../../shared/accounts/records.ts';
import type { ActionRecord } from '../../../../shared/actions/action-records.ts';
import { ulidFloor } from '../../../../shared/ids.ts';
import { actionsByTime, between, type RecordList, recordsInShards } from '../../../../shared/table/keys.ts';
import { batches, readRange } from '../../../../shared/table/ranges.ts';
import { entryTypes } from '../../../../shared/vocabulary.ts';

/** A time range in epoch milliseconds: `begins` is inclusive, `ends` exclusive. */
export type Bounds = { begins: number; ends: number };

type Kind = 'tickets' | 'entries' | 'outcomes' | 'claims' | 'orders';
const listsOf: Record<Kind, readonly RecordList[]> = {
  tickets: ['tickets'],
  entries: entryTypes.map((type) => `entries#${type}` as const),
  outcomes: ['outcomes'],
  orders: ['orders'],
  claims: ['claims'],
};

/** The records are sorted by time only within one kind and shard. */
export async function* recordsBetween<K extends Kind>(
  organizationId: string,
  kinds: readonly K[],
  { begins, ends }: Bounds,
  fields: string[] = [],
): AsyncGenerator<RecordOf<K>, undefined> {
  for (const list of kinds.flatMap((kind) => listsOf[kind])) {
    for (const range of recordsInShards(organizationId, list)) {
      const part = between(range, ulidFloor(begins), ulidFloor(ends));
      for await (const items of batches(part, { fields })) yield* items as RecordOf<K>[];
    }
  }
}

/** Returns all actions, oldest first. */
export const allActions = async (organizationId: string): Promise<ActionRecord[]> =>
  (await readRange(actionsByTime(organizationId))) as ActionRecord[];

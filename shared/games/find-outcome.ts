import type { OutcomeRecord } from '../accounts/records.ts';
import { isId, ulidOf } from '../ids.ts';
import { between, recordsInShards } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';

/** Queries all shards, because an outcome's id does not tell the shard. */
export async function findOutcome(organizationId: string, id: string): Promise<OutcomeRecord | undefined> {
  if (!isId('out', id)) return undefined;
  const ulid = ulidOf(id);
  const ranges = recordsInShards(organizationId, 'outcomes');
  const found = await Promise.all(ranges.map((range) => readRange(between(range, ulid, ulid))));
  return found.flat()[0] as OutcomeRecord | undefined;
}

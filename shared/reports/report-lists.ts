import { type Range, type RecordList, recordsInShards } from '../table/keys.ts';
import type { RecordKind } from '../vocabulary.ts';

/** A report of an organization. */
export type Report = { organizationId: string; report: RecordKind };

/** The lists of records that a report shows; for entries truck comes first. */
export function listsOf(report: RecordKind): RecordList[] {
  return report === 'entries' ? ['entries#truck', 'entries#flight'] : [report];
}

/** A range of records, and the index of its list among those of the report. */
export type ListRange = Range & { list: number };

/** The lists of an organization's report, as ranges of the index: one for each list and shard. */
export const rangesOf = ({ organizationId, report }: Report): ListRange[] =>
  listsOf(report).flatMap((list, index) =>
    recordsInShards(organizationId, list).map((range) => ({ ...range, list: index })),
  );

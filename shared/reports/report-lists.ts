import { type Range, type RecordList, recordsInShards } from '../table/keys.ts';
import type { ReportName } from '../table/row-index-keys.ts';

/** A report of an organization. */
export type Report = { organizationId: string; report: ReportName };

/** Returns the lists of records that a report shows. */
export function listsOf(report: ReportName): RecordList[] {
  return report === 'entries' ? ['entries#truck', 'entries#flight'] : [report];
}

/** Returns the index ranges of a report: one for each list and shard. */
export const rangesOf = ({ organizationId, report }: Report): Range[] =>
  listsOf(report).flatMap((list) => recordsInShards(organizationId, list));

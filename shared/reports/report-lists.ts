import { type Range, type RecordList, recordsInShards } from '../table/keys.ts';
import type { ReportName } from '../table/row-index-keys.ts';

/** A report of an organization. Each report has its own row index. */
export type Report = { organizationId: string; report: ReportName };

/** Returns the lists that contain a report's records. */
export function listsOf(report: ReportName): RecordList[] {
  return report === 'entries' ? ['entries#truck', 'entries#flight'] : [report];
}

/** Returns the ranges of the index `byTime` that contain a report's records: one for each list and shard. */
export const rangesOf = ({ organizationId, report }: Report): Range[] =>
  listsOf(report).flatMap((list) => recordsInShards(organizationId, list));

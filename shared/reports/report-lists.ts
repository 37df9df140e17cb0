import { type KeyRange, type RecordList, recordsInShards } from '../table/keys.ts';
import type { ReportName } from '../table/row-index-keys.ts';

export type Report = { organizationId: string; report: ReportName };

export function recordListsOf(report: ReportName): RecordList[] {
  return report === 'entries' ? ['entries#truck', 'entries#flight'] : [report];
}

export const reportRanges = ({ organizationId, report }: Report): KeyRange[] =>
  recordListsOf(report).flatMap((list) => recordsInShards(organizationId, list));

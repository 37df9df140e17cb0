import { type Range, type RecordList, recordsInShards } from '../table/keys.ts';
import type { ReportName } from '../table/row-index-keys.ts';

export type Report = { organizationId: string; report: ReportName };

export function listsOf(report: ReportName): RecordList[] {
  return report === 'entries' ? ['entries#truck', 'entries#flight'] : [report];
}

export const rangesOf = ({ organizationId, report }: Report): Range[] =>
  listsOf(report).flatMap((list) => recordsInShards(organizationId, list));

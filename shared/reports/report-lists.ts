import { type Range, type RecordList, recordsOf } from '../table/keys.ts';
import type { RecordKind } from '../vocabulary.ts';

/** A report of an organization. */
export type Report = { organizationId: string; report: RecordKind };

/** The lists of records that a report shows; for entries truck comes first. */
export function listsOf(report: RecordKind): RecordList[] {
  return report === 'entries' ? ['entries#truck', 'entries#flight'] : [report];
}

/** The lists of an organization's report, as ranges of the index. */
export const rangesOf = ({ organizationId, report }: Report): Range[] =>
  listsOf(report).map((list) => recordsOf(organizationId, list));

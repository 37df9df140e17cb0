/** The keys of reports' fences, and of the list of all reports. */
import type { RecordKind } from '../vocabulary.ts';
import type { Key, Range } from './keys.ts';

const fencesPartition = (organizationId: string, report: RecordKind) => `FENCES#${organizationId}#${report}`;

/** The key of what is known of a report's rows as a whole. */
export const fenceHeadKey = (organizationId: string, report: RecordKind): Key => ({
  pk: fencesPartition(organizationId, report),
  sk: fenceHead,
});
/** A report's head alone, for a read that need not be consistent; functions that may query need no other grant. */
export const fenceHeadOf = (organizationId: string, report: RecordKind): Range => ({
  partition: fencesPartition(organizationId, report),
  prefix: fenceHead,
});
const fenceHead = 'HEAD';
/** A block of a report's fences (level 0), or a node, by the key at which it begins. */
export const fenceNodeKey = (
  organizationId: string,
  report: RecordKind,
  level: number,
  first: string,
): Key => ({
  pk: fencesPartition(organizationId, report),
  sk: fenceNodePrefix(level) + first,
});
/** A report's blocks (level 0), or nodes, in the order of its rows; a position is the key at which one begins. */
export const fenceNodesOf = (organizationId: string, report: RecordKind, level: number): Range => ({
  partition: fencesPartition(organizationId, report),
  prefix: fenceNodePrefix(level),
});
const fenceNodePrefix = (level: number) => (level === 0 ? 'BLOCK#' : `NODE#${level}#`);

/** Says that a report has rows, so that a schedule can look after the fences of all of them. */
export const knownReportKey = (organizationId: string, report: RecordKind): Key => ({
  pk: knownReportsPartition,
  sk: `${organizationId}#${report}`,
});
/** All reports that have rows, of all organizations: for the schedule, and for no request. */
export const knownReports = (): Range => ({ partition: knownReportsPartition, prefix: '' });
const knownReportsPartition = 'REPORTS';

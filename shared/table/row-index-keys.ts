/** The keys of reports' row indexes, and of the list of active reports. */
import type { RecordKind } from '../vocabulary.ts';
import type { Key, Range, RecordList } from './keys.ts';

/** A report that is counted by itself: of a kind of records, or of one type of entries. */
export type ReportName = RecordKind | Exclude<RecordList, 'orders'>;
/** The reports of an organization that are counted by themselves. */
export const reportNames: readonly ReportName[] = [
  'tickets',
  'entries',
  'entries#truck',
  'entries#flight',
  'outcomes',
];

const partitionOf = (organizationId: string, report: ReportName) => `ROWS#${organizationId}#${report}`;

/** How far a row index has come. It sorts behind the day counts, which are read in the same query. */
export const indexStateKey = (organizationId: string, report: ReportName): Key => ({
  pk: partitionOf(organizationId, report),
  sk: `${daysPrefix}STATE`,
});
/** The day counts of a year (`YYYY`). */
export const dayCountsKey = (organizationId: string, report: ReportName, year: string): Key => ({
  pk: partitionOf(organizationId, report),
  sk: daysPrefix + year,
});
/** The day counts of all years, oldest first, and the state of the index. */
export const dayCountsOf = (organizationId: string, report: ReportName): Range => ({
  partition: partitionOf(organizationId, report),
  prefix: daysPrefix,
});
const daysPrefix = 'DAYS#';

/** Which report's index, and how often it was begun anew. */
type Build = [organizationId: string, report: ReportName, build: number];

/** A block by the key at which it begins. */
export const blockByTimeKey = (first: string, ...[organizationId, report, build]: Build): Key => ({
  pk: partitionOf(organizationId, report),
  sk: byTimePrefix(build) + first,
});
/** All blocks, oldest first; a position is the key at which one begins. */
export const blocksByTime = (...[organizationId, report, build]: Build): Range => ({
  partition: partitionOf(organizationId, report),
  prefix: byTimePrefix(build),
});
/** The same block by its number within its day. */
export const blockByNumberKey = (
  day: string,
  number: number,
  ...[organizationId, report, build]: Build
): Key => ({
  pk: partitionOf(organizationId, report),
  sk: byNumberPrefix(build, day) + digits(number, 7),
});
/** The blocks of a day from one number to another, both included. */
export const blocksByNumber = (
  day: string,
  [from, to]: [number, number],
  ...[organizationId, report, build]: Build
): Range => ({
  partition: partitionOf(organizationId, report),
  prefix: byNumberPrefix(build, day),
  between: [digits(from, 7), digits(to, 7)],
});
/** The blocks of all builds before one, by time and by number. */
export const blocksBefore = (...[organizationId, report, build]: Build): Range => ({
  partition: partitionOf(organizationId, report),
  prefix: blockPrefix,
  between: ['', digits(build, 4)],
});

const blockPrefix = 'BLOCK#';
const byTimePrefix = (build: number) => `${blockPrefix}${digits(build, 4)}#TIME#`;
const byNumberPrefix = (build: number, day: string) => `${blockPrefix}${digits(build, 4)}#NUMBER#${day}#`;
const digits = (number: number, length: number) => String(number).padStart(length, '0');

/** Notes that a report got rows in the last minutes. */
export const activeReportKey = (organizationId: string, report: ReportName): Key => ({
  pk: activePartition,
  sk: `${organizationId}#${report}`,
});
/** All active reports, of all organizations: for the schedule, and for no request. */
export const activeReports = (): Range => ({ partition: activePartition, prefix: '' });
const activePartition = 'ACTIVE';

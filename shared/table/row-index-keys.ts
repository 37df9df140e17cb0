/** Keys of row indexes, of their blocks (times of consecutive rows), and of the marks of active reports. */
import type { RecordKind } from '../vocabulary.ts';
import type { Key, KeyRange, RecordList } from './keys.ts';

export type ReportName = RecordKind | Exclude<RecordList, 'orders' | 'claims'>;
export const reportNames: readonly ReportName[] = [
  'tickets',
  'entries',
  'entries#truck',
  'entries#flight',
  'outcomes',
];

const partitionOf = (organizationId: string, report: ReportName) => `ROWS#${organizationId}#${report}`;

/** Returns the key of a row index's state, which sorts after the day counts: one query reads both. */
export const indexStateKey = (organizationId: string, report: ReportName): Key => ({
  pk: partitionOf(organizationId, report),
  sk: `${daysPrefix}STATE`,
});
export const dayCountsKey = (organizationId: string, report: ReportName, year: string): Key => ({
  pk: partitionOf(organizationId, report),
  sk: daysPrefix + year,
});
export const dayCountsOf = (organizationId: string, report: ReportName): KeyRange => ({
  partition: partitionOf(organizationId, report),
  prefix: daysPrefix,
});
const daysPrefix = 'DAYS#';

type Build = [organizationId: string, report: ReportName, build: number];

/** `first` is the first row's ULID, or the day's start. */
export const blockByTimeKey = (first: string, ...[organizationId, report, build]: Build): Key => ({
  pk: partitionOf(organizationId, report),
  sk: byTimePrefix(build) + first,
});
export const blocksByTime = (...[organizationId, report, build]: Build): KeyRange => ({
  partition: partitionOf(organizationId, report),
  prefix: byTimePrefix(build),
});
export const blockByNumberKey = (
  day: string,
  number: number,
  ...[organizationId, report, build]: Build
): Key => ({
  pk: partitionOf(organizationId, report),
  sk: byNumberPrefix(build, day) + digits(number, 7),
});
/** Returns the range of a day's blocks with numbers from `from` to `to`, both inclusive. */
export const blocksByNumber = (
  day: string,
  [from, to]: [number, number],
  ...[organizationId, report, build]: Build
): KeyRange => ({
  partition: partitionOf(organizationId, report),
  prefix: byNumberPrefix(build, day),
  between: [digits(from, 7), digits(to, 7)],
});
export const blocksBefore = (...[organizationId, report, build]: Build): KeyRange => ({
  partition: partitionOf(organizationId, report),
  prefix: blockPrefix,
  between: ['', digits(build, 4)],
});

const blockPrefix = 'BLOCK#';
const byTimePrefix = (build: number) => `${blockPrefix}${digits(build, 4)}#TIME#`;
const byNumberPrefix = (build: number, day: string) => `${blockPrefix}${digits(build, 4)}#NUMBER#${day}#`;
const digits = (number: number, length: number) => String(number).padStart(length, '0');

/** Returns the key of the item that marks a report as active for 60 minutes. */
export const activeReportKey = (organizationId: string, report: ReportName): Key => ({
  pk: activePartition,
  sk: `${organizationId}#${report}`,
});
/**
 * Returns the range of the active reports of all organizations. Only the scheduled worker `check-row-index`
 * reads this range.
 */
export const activeReports = (): KeyRange => ({ partition: activePartition, prefix: '' });
const activePartition = 'ACTIVE';

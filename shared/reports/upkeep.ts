/**
 * Decides when rows are indexed and recounted: after their write, every 15 minutes, and when their day's book
 * closes.
 */

import { ulidTimePart } from '../ids.ts';
import { log } from '../log.ts';
import { concurrently } from '../promises.ts';
import { RETRY, retry } from '../retry.ts';
import { shuffled } from '../shuffled.ts';
import { type Item, putItem } from '../table/client.ts';
import { type TimeKey, timeSortKey, ttlAt } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { activeReportKey, activeReports, type ReportName } from '../table/row-index-keys.ts';
import { settledAfterMs } from '../table/settled.ts';
import { addDays, startOfDay } from '../time.ts';
import { type RecordKind, recordKinds } from '../vocabulary.ts';
import { extendRowIndex } from './extend-index.ts';
import { everyUlid } from './record-lists.ts';
import { indexLateRows, recountRows } from './recount.ts';
import type { Report } from './report-lists.ts';
import { readRowIndex } from './stored-index.ts';

const minute = 60_000;

/** Throws NotVisibleYet if the index `byTime` lacks a late record. */
export async function indexNewRows(records: Item[], now: number, hasTime: () => boolean): Promise<void> {
  for (const { report, streamed } of reportsOf(records)) {
    await markActive(report, now);
    const last = await extendRowIndex(report, now, { hasTime, streamed });
    const { last: indexed } = last === undefined ? await readRowIndex(report, newest) : { last };
    await indexLateRows(
      report,
      [...streamed].filter((ulid) => ulid <= indexed),
    );
  }
}

const newest = { consistent: true, lastYear: true };

function reportsOf(records: Item[]): { report: Report; streamed: Set<string> }[] {
  const reports = new Map<string, { report: Report; streamed: Set<string> }>();
  for (const record of records as (Item & TimeKey)[]) {
    const kind = recordKinds.find((kind) => kind === record.kind);
    if (!kind) continue;
    const [organizationId, ulid] = [String(record.organization_id), timeSortKey(record)];
    // An entry belongs to two reports: on all entries, and on entries of its type.
    const names = kind === 'entries' ? [kind, `${kind}#${record.entry_type}` as ReportName] : [kind];
    for (const report of names) {
      const name = `${organizationId} ${report}`;
      const known = reports.get(name) ?? { report: { organizationId, report }, streamed: new Set() };
      known.streamed.add(ulid);
      reports.set(name, known);
    }
  }
  return [...reports.values()];
}

/** New rows mark a report as active every 20 minutes, for 60: at least two checks (every 15) follow the last row. */
const [markEveryMs, activeForMs] = [20 * minute, 60 * minute];

// When this process last marked each report as active, in epoch milliseconds.
const markedAt = new Map<string, number>();

/** Marks a report as active, so that `checkActiveReports` checks its index for a while after the last new row. */
async function markActive({ organizationId, report }: Report, now: number): Promise<void> {
  const key = activeReportKey(organizationId, report);
  if ((markedAt.get(key.sk) ?? 0) > now - markEveryMs) return;
  await putItem({
    ...key,
    organization_id: organizationId,
    report,
    noted_at: now,
    ...ttlAt(now + activeForMs),
  });
  markedAt.set(key.sk, now);
}

/**
 * Indexes rows of active reports that are not yet indexed, unless fewer than an eighth of a block. Recounts the rows of
 * the last half hour.
 */
export async function checkActiveReports(now: number, hasTime: () => boolean): Promise<void> {
  const listed = await readRange(activeReports());
  // Shuffles the reports, so that a lack of time does not always leave out the same reports.
  const active = shuffled(listed.filter(({ noted_at }) => Number(noted_at) > now - activeForMs));
  await concurrently(parallelChecks, active, async ({ organization_id, report }) => {
    if (!hasTime()) return;
    await check({ organizationId: String(organization_id), report: report as ReportName }, now, hasTime);
  });
}

const parallelChecks = 8;
const recentMs = 30 * minute;

async function check(report: Report, now: number, hasTime: () => boolean): Promise<void> {
  try {
    const since = ulidTimePart(Math.max(0, now - recentMs));
    const last = await extendRowIndex(report, now, { hasTime });
    // Recounts recent rows, because a record can appear late in the index `byTime`.
    if (last === undefined || last > since)
      await recountRows(report, { from: since, below: everyUlid.below });
  } catch (error) {
    logFailure(report, error);
  }
}

/** Indexes a past day's rows, and recounts reports that differ from `counts`. Returns false if time ran out. */
export async function checkReportsOfDay(
  organizationId: string,
  day: string,
  counts: Record<RecordKind, number>,
  hasTime: () => boolean,
): Promise<boolean> {
  for (const [kind, names] of countedTogether) {
    if (counts[kind] === 0) continue;
    const reports = names.map((report) => ({ organizationId, report }));
    try {
      if (!(await checkRows(reports, day, counts[kind], hasTime))) return false;
    } catch (error) {
      // Only logs the error, because closing a book does not depend on row indexes.
      logFailure(reports[0]!, error);
    }
  }
  return true;
}

/** Together, the reports of a group contain each record of their kind exactly once. */
const countedTogether: [RecordKind, ReportName[]][] = [
  ['tickets', ['tickets']],
  ['entries', ['entries']],
  ['entries', ['entries#truck', 'entries#flight']],
  ['outcomes', ['outcomes']],
];

/** Indexes a day's rows, and recounts them if there are not `expected` rows. Returns false if time ran out. */
async function checkRows(
  reports: Report[],
  day: string,
  expected: number,
  hasTime: () => boolean,
): Promise<boolean> {
  const end = startOfDay(addDays(day, 1));
  const span = { from: ulidTimePart(startOfDay(day)), below: ulidTimePart(end) };
  let rows = 0;
  for (const report of reports) {
    const extend = () => extendRowIndex(report, end + settledAfterMs, { minRows: 1, hasTime });
    const isDone = await retry(async () => (await extend()) !== undefined || (hasTime() ? RETRY : false));
    if (!isDone) return false;
    rows += (await readRowIndex(report, { consistent: true })).days.get(day)?.rows ?? 0;
  }
  if (rows !== expected) for (const report of reports) await retry(() => recountRows(report, span));
  return true;
}

const logFailure = ({ organizationId, report }: Report, error: unknown) =>
  log.failure('check-row-index', error, { organization_id: organizationId, report });

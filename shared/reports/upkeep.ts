/** When rows are indexed and counted: as they come in, by a schedule, and as the book of their day is closed. */

import { ulidFloor } from '../ids.ts';
import { log } from '../log.ts';
import { RETRY, retry } from '../retry.ts';
import { shuffled } from '../shuffled.ts';
import { type Item, put } from '../table/client.ts';
import { type TimeKey, timeSortKey, ttlAt } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { activeReportKey, activeReports, type ReportName } from '../table/row-index-keys.ts';
import { addDays, startOfDay } from '../time.ts';
import { type RecordKind, recordKinds } from '../vocabulary.ts';
import { extendIndex } from './extend-index.ts';
import { everyUlid, settledAfterMs } from './record-lists.ts';
import { countLateRows, recount } from './recount.ts';
import type { Report } from './report-lists.ts';
import { readIndex } from './stored-index.ts';

const minute = 60_000;

/**
 * Indexes the rows of the reports that new records belong to. What the records say is not counted: they only tell where
 * to look, and which rows have to be there. Throws NotVisibleYet if the table's index does not show a late one yet.
 */
export async function indexNewRows(records: Item[], now: number, goOn: () => boolean): Promise<void> {
  for (const { report, told } of reportsOf(records)) {
    await noteActive(report, now);
    const last = await extendIndex(report, now, { goOn, told });
    const { last: indexed } = last === undefined ? await readIndex(report, newest) : { last };
    await countLateRows(
      report,
      [...told].filter((ulid) => ulid <= indexed),
    );
  }
}

const newest = { consistent: true, lastYear: true };

function reportsOf(records: Item[]): { report: Report; told: Set<string> }[] {
  const reports = new Map<string, { report: Report; told: Set<string> }>();
  for (const record of records as (Item & TimeKey)[]) {
    const kind = recordKinds.find((kind) => kind === record.kind);
    if (!kind) continue;
    const [organizationId, ulid] = [String(record.organization_id), timeSortKey(record)];
    // An entry is a row of two reports: of all entries, and of those of its type.
    const names = kind === 'entries' ? [kind, `${kind}#${record.entry_type}` as ReportName] : [kind];
    for (const report of names) {
      const name = `${organizationId} ${report}`;
      const known = reports.get(name) ?? { report: { organizationId, report }, told: new Set() };
      known.told.add(ulid);
      reports.set(name, known);
    }
  }
  return [...reports.values()];
}

/**
 * While rows come in, each process notes it so often. A note is good until two runs of the schedule after the
 * last row.
 */
const [notedForMs, activeForMs] = [20 * minute, 60 * minute];

// When this process has noted last that a report is active.
const noted = new Map<string, number>();

/** Notes that a report got rows, so that the schedule looks after it once no more come. */
async function noteActive({ organizationId, report }: Report, now: number): Promise<void> {
  const key = activeReportKey(organizationId, report);
  if ((noted.get(key.sk) ?? 0) > now - notedForMs) return;
  await put({ ...key, organization_id: organizationId, report, noted_at: now, ...ttlAt(now + activeForMs) });
  noted.set(key.sk, now);
}

/**
 * Indexes what the last rows of each active report left over, and counts its rows of the last half hour once more. One
 * report that fails does not hold up the others, and those that got no rows for a while cost nothing.
 */
export async function checkActiveReports(now: number, goOn: () => boolean): Promise<void> {
  const listed = await readRange(activeReports());
  // If the time does not suffice for all, it is not always the same ones that are left out.
  const waiting = shuffled(listed.filter(({ noted_at }) => Number(noted_at) > now - activeForMs));
  const checker = async () => {
    for (let next = waiting.pop(); next && goOn(); next = waiting.pop()) {
      const { organization_id, report } = next;
      await check({ organizationId: String(organization_id), report: report as ReportName }, now, goOn);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, checker));
}

const sideBySide = 8;
const recentMs = 30 * minute;

async function check(report: Report, now: number, goOn: () => boolean): Promise<void> {
  try {
    const since = ulidFloor(Math.max(0, now - recentMs));
    const last = await extendIndex(report, now, { goOn });
    if (last === undefined || last > since) await recount(report, { from: since, below: everyUlid.below });
  } catch (error) {
    logFailure(report, error);
  }
}

/**
 * Indexes all rows of a day that is over, and compares their numbers with those of its book; if one differs,
 * finds what was missed. Returns false if `goOn` said no before all were indexed. Never throws: the book does
 * not depend on the index.
 */
export async function checkDay(
  organizationId: string,
  day: string,
  counts: Record<RecordKind, number>,
  goOn: () => boolean,
): Promise<boolean> {
  for (const [kind, names] of countedTogether) {
    if (counts[kind] === 0) continue;
    const reports = names.map((report) => ({ organizationId, report }));
    try {
      if (!(await checkRows(reports, day, counts[kind], goOn))) return false;
    } catch (error) {
      logFailure(reports[0]!, error);
    }
  }
  return true;
}

/** Reports whose rows together are all records of a kind. */
const countedTogether: [RecordKind, ReportName[]][] = [
  ['tickets', ['tickets']],
  ['entries', ['entries']],
  ['entries', ['entries#truck', 'entries#flight']],
  ['outcomes', ['outcomes']],
];

/** Checks reports that have so many rows of a day together. Returns false if there was no time to index them all. */
async function checkRows(
  reports: Report[],
  day: string,
  expected: number,
  goOn: () => boolean,
): Promise<boolean> {
  const end = startOfDay(addDays(day, 1));
  const span = { from: ulidFloor(startOfDay(day)), below: ulidFloor(end) };
  let rows = 0;
  for (const report of reports) {
    const extend = () => extendIndex(report, end + settledAfterMs, { fewest: 1, goOn });
    const isDone = await retry(async () => (await extend()) !== undefined || (goOn() ? RETRY : false));
    if (!isDone) return false;
    rows += (await readIndex(report, { consistent: true })).days.get(day)?.rows ?? 0;
  }
  if (rows !== expected) for (const report of reports) await retry(() => recount(report, span));
  return true;
}

const logFailure = ({ organizationId, report }: Report, error: unknown) =>
  log.failure('check-row-index', error, { organization_id: organizationId, report });

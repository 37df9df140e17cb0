/** When fences are made and looked over: as rows come in, and by the clock. */

import { log } from '../log.ts';
import { type Item, put } from '../table/client.ts';
import { knownReports } from '../table/fence-keys.ts';
import { type TimeKey, timeSortKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import type { RecordKind } from '../vocabulary.ts';
import { extendFences } from './extend-fences.ts';
import { knownReport } from './fence-items.ts';
import { recountLastHour, repairFences } from './repair-fences.ts';
import type { Report } from './report-lists.ts';

const kinds: RecordKind[] = ['tickets', 'entries', 'outcomes'];

// Reports that this process has noted as known; noting one twice is harmless.
const noted = new Set<string>();

/**
 * Extends the fences of the reports that new records belong to. What the records say is not counted: they only tell
 * where to look, and which rows have to be there. Throws NotVisibleYet if the index does not show a late one yet.
 */
export async function extendFencesOf(records: Item[], now: number, goOn: () => boolean): Promise<void> {
  for (const [name, { report, ulids }] of reportsOf(records)) {
    if (!noted.has(name)) await put(knownReport(report));
    noted.add(name);
    const told = new Set(ulids);
    const head = await extendFences(report, now, { goOn, told });
    await repairFences(report, [...told], { head });
  }
}

function reportsOf(records: Item[]) {
  const told = new Map<string, { report: Report; ulids: string[] }>();
  for (const record of records as (Item & TimeKey)[]) {
    const report = kinds.find((kind) => kind === record.kind);
    if (!report) continue;
    const [organizationId, ulid] = [String(record.organization_id), timeSortKey(record)];
    const name = `${organizationId} ${report}`;
    const known = told.get(name) ?? { report: { organizationId, report }, ulids: [] };
    known.ulids.push(ulid);
    told.set(name, known);
  }
  return told;
}

/** Extends and looks over the fences of every report that has rows; one that fails does not hold up the others. */
export async function checkAllReports(now: number, goOn: () => boolean): Promise<void> {
  const waiting = inRandomOrder(await readRange(knownReports()));
  const checker = async () => {
    for (let next = waiting.pop(); next && goOn(); next = waiting.pop()) {
      const { organization_id, report } = next;
      await check({ organizationId: String(organization_id), report: report as RecordKind }, now, goOn);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, checker));
}

const sideBySide = 8;

async function check(report: Report, now: number, goOn: () => boolean): Promise<void> {
  try {
    const head = await extendFences(report, now, { goOn });
    await recountLastHour(report, now, { head });
  } catch (error) {
    log.failure('check-reports', error, { organization_id: report.organizationId, report: report.report });
  }
}

// If the time does not suffice for all, it is not always the same ones that are left out.
const inRandomOrder = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);

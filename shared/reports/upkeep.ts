/** When reports are sealed: as their rows come in, and by the clock. */

import { log } from '../log.ts';
import { put } from '../table/client.ts';
import { definition, knownReports, type RecordKind } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';
import { knownReport } from './fence-items.ts';
import type { Report } from './report-lists.ts';
import { mend, recheck, seal } from './sealing.ts';

/** A stream record's image, as far as it is looked at. */
type Image = Record<string, { S?: string } | undefined> | undefined;

const kinds: RecordKind[] = ['tickets', 'entries', 'outcomes'];

// Reports that this process has noted as known; noting one twice is harmless.
const noted = new Set<string>();

/**
 * Seals the reports to which new records belong. What the records say is not counted: they only tell where to
 * look, and which rows have to be there. Throws where a late one cannot be seen in the index yet.
 */
export async function sealTold(images: Image[], now: number, goOn: () => boolean): Promise<void> {
  for (const [name, { report, ulids }] of reportsOf(images)) {
    if (!noted.has(name)) await put(knownReport(report));
    noted.add(name);
    await seal(report, now, { goOn });
    await mend(report, ulids);
  }
}

function reportsOf(images: Image[]) {
  const told = new Map<string, { report: Report; ulids: string[] }>();
  for (const image of images) {
    const report = kinds.find((kind) => kind === image?.kind?.S);
    const organizationId = image?.organization_id?.S;
    const ulid = image?.[definition.byTime.sortKey]?.S;
    if (!report || !organizationId || !ulid) continue;
    const name = `${organizationId} ${report}`;
    const known = told.get(name) ?? { report: { organizationId, report }, ulids: [] };
    known.ulids.push(ulid);
    told.set(name, known);
  }
  return told;
}

/** Seals and looks over every report that has rows; one that fails does not keep the others from it. */
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
    await seal(report, now, { goOn });
    await recheck(report, now);
  } catch (error) {
    log.failure('check-reports', error, { organization_id: report.organizationId, report: report.report });
  }
}

// Where the time does not suffice for all, it is not always the same ones that are left out.
const inRandomOrder = <T>(items: T[]): T[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);

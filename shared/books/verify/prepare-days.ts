/** Groups days without gaps between them, and collects the operators' actions of each group. */

import { addDays, startOfDay } from '../../time.ts';
import { checkBeacons, type SignedRounds } from '../check/attached.ts';
import { newLinks } from '../check/chain.ts';
import { checkpointsIn } from '../check/checkpoints.ts';
import type { DayToCheck } from '../check/day.ts';
import { type Holds, recordHold } from '../check/holds.ts';
import { checkOperation, type Operation, timelineOf } from '../check/operations.ts';
import { type BookFile, type DayFiles, nameOf, type RecordsFile } from './book-files.ts';
import { type OrganizationCheck, reportAt } from './check.ts';
import { operationsIn } from './operations.ts';

/** A day whose book and records were both given. */
export type CompleteDay = { day: string; book: BookFile; records: RecordsFile };
/** The facts about a day that must be known before its records are checked. */
export type PreparedDay = Pick<
  DayToCheck,
  'gaps' | 'gaplessSince' | 'whole' | 'rounds' | 'timeline' | 'holds'
> & {
  operations: Operation[];
};

/** Returns the files of a day, or undefined if its book or its records are missing. */
export const completeDay = ({ day, book, records }: DayFiles): CompleteDay | undefined =>
  book && records && { day, book, records };

/**
 * Checks operators' actions, beacon rounds and checkpoints of orders. Returns what each day's records are checked
 * against, such as settings and holds.
 */
export async function prepareDays(
  check: OrganizationCheck,
  allDays: readonly DayFiles[],
): Promise<Map<string, PreparedDay>> {
  const prepared = new Map<string, PreparedDay>();
  const runs = runsOf(allDays);
  const roundsOf = new Map<string, SignedRounds>();
  for (const { day, book, records } of runs.flat()) {
    const report = reportAt(check, { day, file: nameOf(records.path) });
    const found = { all: check.checkpoints, named: check.namedAuthorities };
    checkpointsIn(book.book, records.head, check.options, found, report);
    roundsOf.set(day, checkBeacons(book.book, records.head, check.common, check.usedRounds, report));
  }
  const [first] = runs[0] ?? [];
  const whole = first?.book.book.header.previous === null && first.day === allDays[0]?.day;
  let links = newLinks(whole);
  const holds: Holds = new Map();
  for (const [gaps, days] of runs.entries()) {
    const operated = [];
    for (const { day, book, records } of days) {
      const operations = await operationsIn(records, book.book.size);
      operated.push({ day, settings: book.book.header.settings, operations });
    }
    if (gaps > 0) links = { ...links, since: 0 };
    for (const { day, operations } of operated) {
      for (const operation of operations) {
        const report = reportOn(check, days, day, operation);
        checkOperation(links, operation, report);
        recordHold(holds, operation, whole && gaps === 0, report);
      }
    }
    const isAll = whole && gaps === 0;
    const timeline = timelineOf(operated, isAll, (day, operation) => reportOn(check, days, day, operation));
    for (const { day, operations } of operated) {
      const gaplessSince = startOfDay(operated[0]!.day);
      const rounds = roundsOf.get(day)!;
      prepared.set(day, { gaps, gaplessSince, whole: isAll, rounds, timeline, holds, operations });
    }
  }
  return prepared;
}

function reportOn(
  check: OrganizationCheck,
  days: readonly CompleteDay[],
  day: string,
  operation?: Operation,
) {
  const files = days.find((one) => one.day === day)!;
  if (!operation) return reportAt(check, { day, file: nameOf(files.book.path) });
  const { leaf, line } = operation;
  return reportAt(check, { day, file: nameOf(files.records.path), record: leaf.operation_id, line });
}

function runsOf(allDays: readonly DayFiles[]): CompleteDay[][] {
  const runs: CompleteDay[][] = [];
  let before: CompleteDay | undefined;
  for (const dayFiles of allDays) {
    const complete = completeDay(dayFiles);
    if (complete && before && complete.day === addDays(before.day, 1)) runs.at(-1)!.push(complete);
    else if (complete) runs.push([complete]);
    before = complete;
  }
  return runs;
}

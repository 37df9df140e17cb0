/** Checks budgets, orders, adjustments and kept lines (digests of earlier books). These checks need all books. */

import { addDays, dayOf, startOfDay } from '../../time.ts';
import { checkAdjustments } from '../check/adjustments.ts';
import { checkBudget } from '../check/budgets.ts';
import { checkOrders } from '../check/checkpoints.ts';
import { type OrganizationCheck, reportAt } from './check.ts';
import type { PreparedDay } from './prepare-days.ts';

/**
 * Runs the checks that need the records of several days or users. Adds notices about the days that the files cover,
 * about an unconfirmed verifier key, about unconfirmed timestamp authorities, and about a missing kept line.
 */
export async function runFinalChecks(
  check: OrganizationCheck,
  prepared: ReadonlyMap<string, PreparedDay>,
): Promise<void> {
  const days = [...prepared.keys()];
  checkBudgets(check, days);
  if (days.length > 0) {
    await reportStraySpins(check);
    matchAdjustments(check, prepared);
    await reportOpenOrders(check, days.at(-1)!);
    await checkClosedOrders(check, prepared);
  }
  checkKeptLines(check);
  reportCoverage(check);
}

/**
 * Checks the cash budgets of the given days. Checks stock budgets, which span days, only if no day in between is
 * missing.
 */
function checkBudgets(check: OrganizationCheck, days: readonly string[]) {
  const isGapless = days.every((day, i) => i === 0 || day === addDays(days[i - 1]!, 1));
  for (const [budget, facts] of [...check.budgets].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { day } = facts;
    if (day === undefined ? !isGapless : !days.includes(day)) {
      const report = reportAt(check, day === undefined ? {} : { day });
      report.notice('budget_unknown', `The ${budget} was not checked, because a day is missing.`);
      continue;
    }
    const next = addDays(day ?? days.at(-1)!, 1);
    const sum = checkBudget(budget, facts, {
      tables: check.verdict.tables,
      whole: day !== undefined || check.books.get(days[0]!)?.header.previous === null,
      isGiven: (one) => days.includes(one),
      until: days.includes(next) ? Number.POSITIVE_INFINITY : startOfDay(next),
      report: (place) => reportAt(check, { ...place, ...fileOf(check, place.day) }),
    });
    check.verdict.budgets.push(sum);
  }
}

const fileOf = ({ files }: OrganizationCheck, day = '') => {
  const file = files.get(day);
  return file === undefined ? {} : { file };
};

async function reportStraySpins(check: OrganizationCheck) {
  const { all } = check.options.slices;
  const strays = (await all.strays()).flat();
  const ids = new Set(strays.map(({ orderId }) => orderId));
  const others = new Set(strays.length > 0 ? (await all.ordersAmong(ids)).flat() : []);
  for (const { orderId, place } of strays) {
    const report = reportAt(check, { ...place, ...fileOf(check, place.day) });
    if (others.has(orderId))
      report.finding('spin_of_another_user', `Order ${orderId} belongs to another user.`);
    else report.finding('spin_without_order', `There is no order ${orderId} in these books.`);
  }
}

function matchAdjustments(check: OrganizationCheck, prepared: ReadonlyMap<string, PreparedDay>) {
  const operations = [...prepared].flatMap(([day, { operations }]) =>
    operations.map(({ leaf, line }) => ({ leaf, place: { day, record: leaf.operation_id, line } })),
  );
  const [first = ''] = prepared.keys();
  const isGiven = (day: string) => prepared.has(day) || (prepared.get(first)!.whole && day < first);
  checkAdjustments(check.adjusted, operations, isGiven, (place) =>
    reportAt(check, { ...place, ...fileOf(check, place.day) }),
  );
}

async function reportOpenOrders(check: OrganizationCheck, last: string) {
  const orders = (await check.options.slices.all.openOrders(last)).flat();
  const report = reportAt(check, { day: last });
  for (const { faults } of orders) for (const { code, sentence } of faults) report.finding(code, sentence);
  const open = orders.filter(({ spins }) => spins > 0);
  if (open.length === 0) return;
  const spins = open.reduce((sum, order) => sum + order.spins, 0);
  report.notice('orders_open', `${spins} spins of ${open.length} orders have not run.`);
  const overdue = open.filter(({ isOverdue }) => isOverdue);
  for (const { orderId, dueDay, spins } of overdue.sort((a, b) => (a.dueDay < b.dueDay ? -1 : 1))) {
    report.finding('spins_overdue', `${spins} spins of ${orderId}, due on ${dueDay}, have not run.`);
  }
}

/** Checks that each checkpoint has exactly the orders that were due, and that none is listed twice. */
async function checkClosedOrders(check: OrganizationCheck, prepared: ReadonlyMap<string, PreparedDay>) {
  const { checkpoints, options } = check;
  if (checkpoints.length === 0) return;
  const parts = await options.slices.all.ordersToClose();
  const known = new Set(parts.flatMap(({ listed }) => listed));
  for (const { drawsAt, sentence } of parts.flatMap(({ faults }) => faults))
    reportAt(check, { day: dayOf(drawsAt) }).finding('checkpoint_differs', sentence);
  const seen = new Set<string>();
  for (const checkpoint of checkpoints) {
    const { drawsAt, listed } = checkpoint;
    const report = reportAt(check, { day: dayOf(drawsAt) });
    const others = parts.map(({ others }) => others.get(drawsAt)!);
    checkOrders(checkpoint, { others, known }, prepared.get(dayOf(drawsAt))!, report);
    for (const text of listed) {
      if (seen.has(text)) report.finding('checkpoint_differs', `Two checkpoints list ${text}.`);
      seen.add(text);
    }
  }
}

function checkKeptLines(check: OrganizationCheck) {
  const { options, verdict, books } = check;
  const ofThis = options.kept.filter((line) => line.startsWith(`${verdict.organization_id} `));
  for (const line of ofThis) {
    const [, day = '', digest = ''] = line.split(' ');
    if (books.has(day)) continue;
    // The book of this day is missing, so compares the kept line with the digest in the next day's book.
    const previous = books.get(addDays(day, 1))?.header.previous;
    const report = reportAt(check, { day });
    if (!previous) report.finding('book_missing', `A line was kept for ${day}, but its book was not given.`);
    else if (previous !== digest) {
      report.finding('not_the_kept_book', `The next book follows ${previous}, but “${line}” was kept.`);
    }
  }
  if (ofThis.length === 0) reportAt(check, {}).notice('no_kept_line', 'No kept line was given.');
}

function reportCoverage(check: OrganizationCheck) {
  const { common, options, verdict } = check;
  if (common.key !== undefined) verdict.key = common.key;
  if (common.key !== undefined && options.key === undefined) {
    reportAt(check, {}).notice('key_unconfirmed', `The key in the files is ${common.key}.`);
  }
  if (!options.authorities) {
    for (const one of check.namedAuthorities)
      reportAt(check, {}).notice('authority_unconfirmed', `The authority in the files is ${one}.`);
  }
  const [first, last] = [verdict.days[0]?.day, verdict.days.at(-1)?.day];
  const days = first === last ? `The files cover ${first}` : `The files cover ${first} to ${last}`;
  const stages = new Set([...check.books.values()].map(({ header }) => header.stage));
  reportAt(check, {}).notice('other_days', `${days}, of the stage ${[...stages].join(' and ')}.`);
}

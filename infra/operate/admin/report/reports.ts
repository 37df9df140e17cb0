import type { ClaimRecord, OutcomeRecord } from '../../../../shared/accounts/records.ts';
import { settingsOf } from '../../../../shared/games/settings.ts';
import { isId, ulidOf } from '../../../../shared/ids.ts';
import { getItems } from '../../../../shared/table/client.ts';
import { recordKey } from '../../../../shared/table/keys.ts';
import { dayOf } from '../../../../shared/time.ts';
import { parseInteger } from '../../../common/arguments.ts';
import { spinChanges } from '../cancelled-spins.ts';
import { readOrganization } from '../organization.ts';
import { allTime, readDrawnPrizes, readLastClaimStepsBetween, readPrizesBetween } from '../prizes.ts';
import { addDraw, amoeColumns, amoeRows, type DrawsBySet, drawTotals } from './amoe.ts';
import { cashLimitsIn } from './cash-limits.ts';
import type { CsvRow } from './csv.ts';
import { addSpinChange, addToDay, dayColumns, dayRows, emptyDayFigures } from './day.ts';
import { addHourlyFigures, latestWinners, newHourlyFigures } from './hourly.ts';
import {
  addPosting,
  balancesAgree,
  emptyHoldings,
  liabilityColumns,
  liabilityFields,
  liabilityRows,
  owedPrizeRows,
  usersErasedBefore,
} from './liability.ts';
import { forEachOutcome, readDrawSet, readPrizesOf, readWin, type TableCache } from './outcomes.ts';
import {
  boundsOf,
  isComplete,
  type Period,
  parseDayOption,
  parsePeriodOptions,
  parseYearOption,
} from './period.ts';
import { readAllActions, readRecordsBetween } from './records.ts';
import { form1099ThresholdOf, winnersListAbove } from './reporting-law.ts';
import { addWin, taxColumns, taxRows, type WinsByUser } from './taxes.ts';
import { drawingWinnerRow, winnerColumns, winnerRow } from './winners.ts';
import { withReferences } from './with-references.ts';

export type PrintedReport = {
  head: {
    organization_id: string;
    /** False while the report's days can still get records. */
    complete: boolean;
    records_read: number;
    [name: string]: unknown;
  };
  columns: readonly string[];
  rows: CsvRow[];
  /** Sets the command's exit code to 1. */
  failed?: boolean;
};

const maxWinners = 20;

export async function reportDay(
  organizationId: string,
  typed: string | undefined,
  now: number,
): Promise<PrintedReport> {
  const day = typed === undefined ? dayOf(now) : parseDayOption('day', typed, now);
  const organization = await readOrganization(organizationId);
  const period = { from: day, to: day };
  const bounds = boundsOf(period);
  const figures = emptyDayFigures(bounds);
  const hourly = newHourlyFigures(bounds);
  const kinds = ['tickets', 'entries', 'outcomes', 'orders'] as const;
  const tables: TableCache = new Map();
  for await (const record of readRecordsBetween(organizationId, kinds, bounds)) {
    const prizes = record.kind === 'outcomes' ? await readPrizesOf(record, tables) : [];
    addToDay(figures, record, prizes);
    addHourlyFigures(hourly, record, prizes);
  }
  const actions = await readAllActions(organizationId);
  for (const change of spinChanges(actions)) addSpinChange(figures, change);
  const { daily_cash_limit_usd } = settingsOf(organization);
  const limits = cashLimitsIn(bounds, actions, daily_cash_limit_usd);
  return {
    head: {
      organization_id: organizationId,
      day,
      complete: isComplete(period, now),
      records_read: figures.records,
      hours: hourly.hours,
      winners: await withReferences(organizationId, latestWinners(hourly, maxWinners)),
    },
    columns: dayColumns,
    rows: dayRows(figures, limits),
  };
}

/**
 * Lists winners, oldest first. `atLeast` is in USD; the default selects wins above the amount from which some US states
 * require winners' lists.
 */
export async function reportWinners(
  organizationId: string,
  typed: Period & { atLeast?: string | undefined; withoutCredits?: boolean | undefined },
  now: number,
): Promise<PrintedReport> {
  const period = parsePeriodOptions(typed, now);
  const atLeastUsd =
    typed.atLeast === undefined
      ? winnersListAbove.usd + 0.01
      : parseInteger('--at-least', typed.atLeast, [1, Number.MAX_SAFE_INTEGER]);
  const { withoutCredits = false } = typed;
  const rows: CsvRow[] = [];
  const tables: TableCache = new Map();
  const bounds = boundsOf(period);
  const steps = await readLastClaimStepsBetween(organizationId, { ...bounds, ends: allTime.ends });
  const read = await forEachOutcome(organizationId, bounds, async (outcome) => {
    const limits = { atLeastUsd, withoutCredits };
    const row = winnerRow(outcome, await readPrizesOf(outcome, tables), limits, steps.get(outcome.id));
    if (row) rows.push(row);
  });
  for (const found of await readDrawnPrizes(organizationId, bounds))
    if (found.won.value_usd! >= atLeastUsd) rows.push(drawingWinnerRow(found));
  const orderOf = ({ won_at, outcome_id }: CsvRow) => `${won_at} ${outcome_id}`;
  rows.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return {
    head: {
      ...headOf(organizationId, period, now, read),
      at_least_usd: atLeastUsd,
      ...(typed.atLeast === undefined ? { source: winnersListAbove.source } : {}),
      without_value: rows.filter(({ value_usd }) => value_usd === null).length,
    },
    columns: winnerColumns,
    rows: await withReferences(organizationId, rows),
  };
}

/**
 * A win counts in the year (New York time) of its delivery if that is recorded, and not at all if it was forfeited.
 * Otherwise it counts in the year of the play (constructive receipt, 26 CFR 1.451-2).
 */
export async function reportTaxes(
  organizationId: string,
  typed: { year: string; threshold?: string | undefined },
  now: number,
): Promise<PrintedReport> {
  const year = parseYearOption(typed.year, now);
  const threshold =
    typed.threshold === undefined
      ? form1099ThresholdOf(year)
      : {
          usd: parseInteger('--threshold', typed.threshold, [1, Number.MAX_SAFE_INTEGER]),
          source: 'set by --threshold',
        };
  const period = { from: `${year}-01-01`, to: `${year}-12-31` };
  const users: WinsByUser = new Map();
  const tables: TableCache = new Map();
  const steps = await readLastClaimStepsBetween(organizationId, allTime);
  const add = async (outcome: OutcomeRecord) => {
    const won = await readWin(outcome, tables);
    if (won) addWin(users, won);
  };
  const read = await forEachOutcome(organizationId, boundsOf(period), async (outcome) => {
    const { state = '' } = steps.get(outcome.id) ?? {};
    if (state !== 'delivered' && state !== 'forfeited') await add(outcome);
  });
  const delivered = [...steps.values()].filter(({ state }) => state === 'delivered');
  const inYear = delivered.filter(({ delivered_on }) => delivered_on?.startsWith(`${year}-`));
  for (const outcome of await outcomesOfClaims(inYear)) await add(outcome);
  for (const { won, claim } of await readDrawnPrizes(organizationId, allTime)) {
    const day = claim.delivered_on ?? dayOf(Date.parse(won.won_at));
    if (claim.state !== 'forfeited' && day.startsWith(`${year}-`)) addWin(users, won);
  }
  const rows = taxRows(users, threshold?.usd);
  return {
    head: {
      organization_id: organizationId,
      year,
      complete: isComplete(period, now),
      records_read: read,
      threshold_usd: threshold?.usd ?? null,
      source: threshold?.source ?? `The threshold of ${year} is not known here. Set it with --threshold.`,
      cash_usd: sumOf(rows, 'cash_usd'),
      prizes_without_value: sumOf(rows, 'prizes_without_value'),
      value_usd: sumOf(rows, 'value_usd'),
      reportable_users: threshold ? rows.filter(({ is_reportable }) => is_reportable).length : null,
      undecided_users: threshold ? rows.filter(({ is_reportable }) => is_reportable === null).length : null,
    },
    columns: taxColumns,
    rows: await withReferences(organizationId, rows),
  };
}

/** Sets `failed` if the day is complete and the balances differ from the credits minus the debits. */
export async function reportLiability(
  organizationId: string,
  typed: string | undefined,
  now: number,
): Promise<PrintedReport> {
  const day = typed === undefined ? dayOf(now) : parseDayOption('day', typed, now);
  const period = { from: day, to: day };
  const all = { begins: 0, ends: boundsOf(period).ends };
  const holdings = emptyHoldings(usersErasedBefore(all.ends, await readAllActions(organizationId)));
  let read = 0;
  for await (const record of readRecordsBetween(organizationId, ['tickets', 'entries'], all, [
    ...liabilityFields,
  ])) {
    read++;
    addPosting(holdings, record);
  }
  const rows = liabilityRows(holdings);
  const prizes = await readPrizesBetween(organizationId, all, all.ends);
  const complete = isComplete(period, now);
  return {
    head: { organization_id: organizationId, day, complete, records_read: read, agrees: balancesAgree(rows) },
    columns: liabilityColumns,
    rows: [...rows, ...owedPrizeRows(prizes, holdings.erased, all.ends)],
    failed: complete && !balancesAgree(rows),
  };
}

/** Sets `failed` if an outcome has a prize that its draw could not give. */
export async function reportAmoe(organizationId: string, typed: Period, now: number): Promise<PrintedReport> {
  const period = parsePeriodOptions(typed, now);
  const drawnSets: DrawsBySet = new Map();
  const tables: TableCache = new Map();
  let unexplained = 0;
  const read = await forEachOutcome(organizationId, boundsOf(period), async (outcome) => {
    if (outcome.debug) return;
    const set = await readDrawSet(outcome, tables);
    if (!set || !addDraw(drawnSets, outcome, set)) unexplained++;
  });
  return {
    head: {
      ...headOf(organizationId, period, now, read),
      unexplained_draws: unexplained,
      sets: drawTotals(drawnSets),
    },
    columns: amoeColumns,
    rows: amoeRows(drawnSets),
    failed: unexplained > 0,
  };
}

async function outcomesOfClaims(claims: readonly ClaimRecord[]): Promise<OutcomeRecord[]> {
  const keys = claims
    .filter(({ prize_id }) => isId('out', prize_id))
    .map(({ organization_id, user_id, prize_id }) =>
      recordKey(organization_id, user_id, 'outcomes', ulidOf(prize_id)),
    );
  return (await getItems(keys)).filter((outcome) => outcome !== undefined) as OutcomeRecord[];
}

const headOf = (organization_id: string, period: Period, now: number, records_read: number) => ({
  organization_id,
  ...period,
  complete: isComplete(period, now),
  records_read,
});

/** Adds up USD amounts in cents, so that the sum is exact. */
const sumOf = (rows: CsvRow[], column: string): number =>
  rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0) / 100;

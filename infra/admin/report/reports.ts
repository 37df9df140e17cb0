/** The reports of an organization's days: what is read for each, and what it says. */
import { settingsOf } from '../../../shared/games/settings.ts';
import { readOrganization } from '../organization.ts';
import { cashLimitsIn } from './cash-limits.ts';
import type { Row } from './csv.ts';
import { addToDay, dayColumns, dayRows, newDay } from './day.ts';
import { boundsOf, dayTyped, isComplete } from './period.ts';
import { operationsOf, recordsBetween } from './records.ts';

/**
 * What a report says: what holds for all of it, and its rows by their columns. `complete` is false while records of its
 * days can still come. Each report throws a Problem for what is no day or organization.
 */
export type Report = {
  head: { organization_id: string; complete: boolean; records_read: number; [name: string]: unknown };
  columns: readonly string[];
  rows: Row[];
  /** Figures that must agree do not. */
  failed?: boolean;
};

/** A day in figures. Its open free spins are those that were ordered on it and not run by its end. */
export async function reportDay(organizationId: string, typed: string, now: number): Promise<Report> {
  const organization = await readOrganization(organizationId);
  const day = dayTyped('day', typed, now);
  const period = { from: day, to: day };
  const bounds = boundsOf(period);
  const figures = newDay(bounds);
  const kinds = ['tickets', 'entries', 'outcomes', 'orders'] as const;
  for await (const record of recordsBetween(organizationId, kinds, bounds)) addToDay(figures, record);
  const { daily_cash_limit_usd } = settingsOf(organization);
  const limits = cashLimitsIn(bounds, await operationsOf(organizationId), daily_cash_limit_usd);
  return {
    head: {
      organization_id: organizationId,
      day,
      complete: isComplete(period, now),
      records_read: figures.records,
    },
    columns: dayColumns,
    rows: dayRows(figures, limits),
  };
}

/** The rule that an organization's calendar decides the days of its limits and of its queued spins. */
import type { StoredItem } from '../journal.ts';
import { dayAfter, dayAt, daysBetween } from './days-and-ulids.ts';
import { organizationOf } from './item-types.ts';
import type { StepRule } from './rule.ts';

/**
 * A draw counts for the day of its organization's calendar, and queued spins are due on the next day. A host may have
 * moved the calendar some days ahead of New York's.
 */
const daysOfCalendar: StepRule = {
  rule: 'a draw and an order use the day of their organization’s calendar',
  start: (report, { requestMs, clockErrorMs }) => {
    const changes = new Map<string, { at: number; daysAhead: number }[]>();
    return (step) => {
      for (const { after } of step.of('organization')) {
        if (!after) continue;
        const known = changes.get(organizationOf(after)) ?? [];
        known.push({ at: step.at, daysAhead: after.days_ahead ?? 0 });
        changes.set(organizationOf(after), known);
      }
      const from = step.at - requestMs - clockErrorMs;
      for (const { pk, records } of step.users) {
        for (const record of records) {
          const day = usedDay(record);
          if (day === undefined) continue;
          const known = changes.get(record.organization_id) ?? [];
          const possible = known.filter((_, index) => (known[index + 1]?.at ?? Infinity) >= from);
          const days = daysBetween(from, step.at + clockErrorMs);
          const isAhead = ({ daysAhead }: { daysAhead: number }) =>
            days.some((one) => daysLater(one, daysAhead + (isQueued(record) ? 1 : 0)) === day);
          if (!possible.some(isAhead)) report(`${pk} ${record.sk} uses ${day}`);
        }
      }
    };
  },
};

const isQueued = ({ kind, run }: StoredItem) => kind === 'orders' && run === 'queued';

/** Returns the day of a draw's budgets or of an order's spins. Undefined for other records. */
function usedDay(record: StoredItem): string | undefined {
  if (isQueued(record)) return record.due_day;
  return record.budgets && (record.budgets.day ?? dayAt(Date.parse(record.timestamp)));
}

const daysLater = (day: string, days: number): string =>
  days === 0 ? day : daysLater(dayAfter(day), days - 1);

export const calendarRules = [daysOfCalendar];

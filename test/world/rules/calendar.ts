/** The rule that the day in New York decides the days of limits and of queued spins. */
import type { StoredItem } from '../journal.ts';
import { dayAfter, dayAt, daysBetween, runEarly } from './days-and-ulids.ts';
import type { StepRule } from './rule.ts';

/** A draw counts for the day in New York, and queued spins are due on the next day. */
const daysInNewYork: StepRule = {
  rule: 'a draw and an order use the day in New York',
  start:
    (report, { requestMs, clockErrorMs }) =>
    (step) => {
      const days = daysBetween(step.at - requestMs - clockErrorMs, step.at + clockErrorMs);
      for (const { pk, records } of step.users) {
        for (const record of records) {
          const day = usedDay(record);
          if (day === undefined || runEarly(Date.parse(record.timestamp), step.at)) continue;
          const possible = isQueued(record) ? days.map(dayAfter) : days;
          if (!possible.includes(day)) report(`${pk} ${record.sk} uses ${day}`);
        }
      }
    },
};

const isQueued = ({ kind, run }: StoredItem) => kind === 'orders' && run === 'queued';

/** Returns the day of a draw's budgets or of an order's spins. Undefined for other records. */
function usedDay(record: StoredItem): string | undefined {
  if (isQueued(record)) return record.due_day;
  return record.budgets && (record.budgets.day ?? dayAt(Date.parse(record.timestamp)));
}

export const calendarRules = [daysInNewYork];

import { Temporal } from 'temporal-polyfill';

/** A cron expression of EventBridge Scheduler, read: the values each field allows. */
export type Cron = {
  minutes: number[];
  hours: number[];
  months: number[];
  years: number[];
  matchesDay(date: Temporal.PlainDate): boolean;
};

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/**
 * Reads the six fields `minutes hours day-of-month month day-of-week year`, with the wildcards `, - * / ?` of AWS; days
 * of the week are 1 to 7 from Sunday, or names. Its `L`, `W` and `#`, which no schedule here has, are not read.
 * Throws a RangeError that says what is wrong.
 */
export function parseCron(fields: string): Cron {
  const parts = fields.trim().split(/\s+/);
  if (parts.length !== 6) throw new RangeError(`a cron expression has six fields: ${fields}`);
  const [minutes, hours, dayOfMonth, month, dayOfWeek, year] = parts as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if ((dayOfMonth === '?') === (dayOfWeek === '?')) {
    throw new RangeError(`exactly one of day-of-month and day-of-week is '?': ${fields}`);
  }
  return {
    minutes: values(minutes, 0, 59),
    hours: values(hours, 0, 23),
    months: values(month, 1, 12, monthNames),
    years: values(year, 1970, 2199),
    matchesDay: dayOfMonth === '?' ? dayOfWeekRule(dayOfWeek) : dayOfMonthRule(dayOfMonth),
  };
}

/** Every local time from the start of `from` on that the expression names, in order, without regard to zones. */
export function* localTimes(cron: Cron, from: Temporal.PlainDate): Generator<Temporal.PlainDateTime> {
  for (const date of matchingDays(cron, from)) {
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) yield date.toPlainDateTime({ hour, minute });
    }
  }
}

function* matchingDays(cron: Cron, from: Temporal.PlainDate): Generator<Temporal.PlainDate> {
  for (const year of cron.years.filter((value) => value >= from.year)) {
    for (const month of cron.months) {
      const first = Temporal.PlainDate.from({ year, month, day: 1 });
      for (let day = 1; day <= first.daysInMonth; day++) {
        const date = first.with({ day });
        if (Temporal.PlainDate.compare(date, from) >= 0 && cron.matchesDay(date)) yield date;
      }
    }
  }
}

/** The sorted values of a field of lists, ranges, steps and names. */
function values(field: string, lowest: number, highest: number, names: string[] = []): number[] {
  const toNumber = (text: string) => {
    const named = names.indexOf(text.toUpperCase());
    const value = named >= 0 ? named + lowest : /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= lowest && value <= highest) return value;
    throw new RangeError(`'${text}' is not between ${lowest} and ${highest}`);
  };
  const all = field.split(',').flatMap((part) => {
    const [range = '', step] = part.split('/');
    const [start = '', end] = range === '*' ? [String(lowest), String(highest)] : range.split('-');
    const first = toNumber(start);
    // As in AWS, `5/10` counts on to the end of the field, while `5` is that value alone.
    const last = end === undefined ? (step === undefined ? first : highest) : toNumber(end);
    const by = step === undefined ? 1 : Number(step);
    if (!Number.isInteger(by) || by < 1 || last < first) throw new RangeError(`'${part}' is not a range`);
    return Array.from({ length: Math.floor((last - first) / by) + 1 }, (_, index) => first + index * by);
  });
  return [...new Set(all)].sort((a, b) => a - b);
}

type DayRule = (date: Temporal.PlainDate) => boolean;

function dayOfMonthRule(field: string): DayRule {
  const days = new Set(values(field, 1, 31));
  return (date) => days.has(date.day);
}

function dayOfWeekRule(field: string): DayRule {
  const days = new Set(values(field, 1, 7, dayNames));
  return (date) => days.has((date.dayOfWeek % 7) + 1);
}

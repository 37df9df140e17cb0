import { Temporal } from 'temporal-polyfill';

/** The times of a schedule's runs, in epoch milliseconds. */
export type Timetable = {
  once: boolean;
  next(after: number): number | undefined;
};

const unitSeconds = { minute: 60, hour: 3600, day: 86_400 };

/**
 * Parses `at(…)`, `rate(…)` (first run at `start`) or a daily `cron(…)`. Throws a RangeError for an invalid expression.
 */
export function parseTimetable(expression: string, timeZone: string, start: number): Timetable {
  const [, kind, content = ''] = /^(at|rate|cron)\((.*)\)$/.exec(expression) ?? [];
  if (kind === 'at') return oneTime(content, timeZone);
  if (kind === 'rate') return rate(content, start);
  if (kind === 'cron') return daily(content, timeZone);
  throw new RangeError(`not a schedule expression: ${expression}`);
}

function oneTime(content: string, timeZone: string): Timetable {
  // Rejects fractions of a second, as AWS does. `Temporal` would accept them.
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(content)) throw new RangeError(`not a time: ${content}`);
  const at = Temporal.PlainDateTime.from(content).toZonedDateTime(timeZone).epochMilliseconds;
  return { once: true, next: (after) => (at > after ? at : undefined) };
}

function rate(content: string, start: number): Timetable {
  const [, value, unit] = /^(\d+) (minute|hour|day)s?$/.exec(content) ?? [];
  if (!unit || Number(value) < 1) throw new RangeError(`not a rate: ${content}`);
  const every = Number(value) * unitSeconds[unit as keyof typeof unitSeconds] * 1000;
  return {
    once: false,
    next: (after) => (after < start ? start : start + (Math.floor((after - start) / every) + 1) * every),
  };
}

/**
 * Parses a `cron(…)` of one run per day. When clocks change, skips a local time that does not exist, and runs once at
 * a local time that occurs twice.
 */
function daily(content: string, timeZone: string): Timetable {
  const [, minute, hour] = /^(\d+) (\d+) \* \* \? \*$/.exec(content)?.map(Number) ?? [];
  if (hour === undefined) throw new RangeError(`not a time of every day: ${content}`);
  const time = Temporal.PlainTime.from({ hour, minute }, { overflow: 'reject' });
  const dateAt = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate();
  // Throws for an unknown time zone when the expression is parsed. Otherwise, only `next` would throw.
  dateAt(0);
  return {
    once: false,
    next(after) {
      for (let date = dateAt(after); ; date = date.add({ days: 1 })) {
        const local = date.toPlainDateTime(time);
        const zoned = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
        const isSkipped = !zoned.toPlainDateTime().equals(local);
        if (!isSkipped && zoned.epochMilliseconds > after) return zoned.epochMilliseconds;
      }
    },
  };
}

import { Temporal } from 'temporal-polyfill';

/** When a schedule runs. Times are epoch milliseconds. */
export type Timetable = {
  /** Runs once and is then complete. */
  once: boolean;
  /** The first time to run at after this one; undefined if there is none. */
  next(after: number): number | undefined;
};

const unitSeconds = { minute: 60, hour: 3600, day: 86_400 };

/**
 * Reads `at(…)`, `rate(…)` or `cron(…)` in an IANA time zone. `start` is when a rate begins: its first run. Of cron
 * expressions, those of a time of every day are read: one that the clocks skip does not run; one that they repeat runs
 * the first time only. Throws a RangeError.
 */
export function parseExpression(expression: string, timeZone: string, start: number): Timetable {
  const [, kind, content = ''] = /^(at|rate|cron)\((.*)\)$/.exec(expression) ?? [];
  if (kind === 'at') return oneTime(content, timeZone);
  if (kind === 'rate') return rate(content, start);
  if (kind === 'cron') return daily(content, timeZone);
  throw new RangeError(`not a schedule expression: ${expression}`);
}

function oneTime(content: string, timeZone: string): Timetable {
  // AWS takes this form only; Temporal would also take fractions of a second.
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

function daily(content: string, timeZone: string): Timetable {
  const [, minute, hour] = /^(\d+) (\d+) \* \* \? \*$/.exec(content)?.map(Number) ?? [];
  if (hour === undefined) throw new RangeError(`not a time of every day: ${content}`);
  const time = Temporal.PlainTime.from({ hour, minute }, { overflow: 'reject' });
  const dateAt = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDate();
  // A wrong zone has to fail here and not at the first run.
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

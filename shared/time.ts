// Imports single functions, because the whole Temporal polyfill would make up a sixth of a Lambda function's
// bundle.
import { getISO } from 'temporal-polyfill/fns/Calendar';
import * as Instant from 'temporal-polyfill/fns/Instant';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as PlainDateTime from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

/** Time zone of all calendar days in the service, for example of limits, reports and books. */
export const zone = 'America/New_York';

const dateLength = 'YYYY-MM-DD'.length;

// Uses `[0-9]`, because hosts also use the pattern, and `\d` can match other Unicode digits.
const year = '(19[7-9]|[2-9][0-9]{2})[0-9]';
const dayOfEveryYear =
  '((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const leapYear =
  '((19(7[26]|8[048]|9[26])|[2-9][0-9](0[48]|[2468][048]|[13579][26]))|([2468][048]|[3579][26])00)';
const date = `(${year}-${dayOfEveryYear}|${leapYear}-02-29)`;
// Accepts a leap second (`:60`). `parseInstant` reads it as second 59.
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.,][0-9]{1,9})?)?';
const offset = '([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])';

/**
 * Pattern of timestamps for `parseInstant`, which also rejects instants that an offset moves before 1970 or
 * after 9999.
 */
export const timestampPattern = `^${date}([Tt ]${time}${offset}?)?$`;

const timestamp = new RegExp(timestampPattern);
const withOffset = new RegExp(`${offset}$`);

/** Returns the calendar day in New York (`YYYY-MM-DD`) at an instant in epoch milliseconds. */
export function dayOf(epochMs: number): string {
  return dayAround(epochMs).day;
}

type Day = { day: string; start: number; end: number; iso: string };
let lastDay: Day = { day: '', start: 0, end: 0, iso: '' };

/** Returns the day in New York at an instant, with start and end in epoch milliseconds. `iso` is the start. */
function dayAround(epochMs: number): Day {
  // Reuses the last call's day if possible, because evaluating time zone rules is slow.
  if (epochMs >= lastDay.start && epochMs < lastDay.end) return lastDay;
  const instant = Instant.fromEpochMilliseconds(epochMs);
  const date = ZonedDateTime.toPlainDate(Instant.toZonedDateTimeISO(instant, zone));
  const start = startOf(date);
  lastDay = {
    day: PlainDate.toString(date),
    start,
    end: startOf(PlainDate.addDays(date, 1)),
    iso: new Date(start).toISOString(),
  };
  return lastDay;
}

/** Returns the start of a day in New York in epoch milliseconds. Takes daylight saving time into account. */
export function startOfDay(day: string): number {
  return startOf(dateOf(day));
}

const dateOf = (day: string) => PlainDate.fromString(day, getISO);
const startOf = (date: PlainDate.Record) => PlainDate.toZonedDateTime(date, zone).epochMilliseconds;

/** Returns the calendar day that is `days` days after `day`, or before `day` if `days` is negative. */
export function addDays(day: string, days: number): string {
  return PlainDate.toString(PlainDate.addDays(dateOf(day), days));
}

let lastIso = { epochMs: Number.NaN, iso: '' };

/** Formats an instant (epoch milliseconds) as ISO 8601 in UTC, with milliseconds and `Z`. */
export function isoOf(epochMs: number): string {
  // Reuses the last call's text, because the records of one request have the same time.
  if (epochMs !== lastIso.epochMs) lastIso = { epochMs, iso: new Date(epochMs).toISOString() };
  return lastIso.iso;
}

/**
 * Formats an instant (epoch milliseconds) in New York time with the offset from UTC, such as
 * `2026-12-01T15:00:00-05:00`.
 */
export function newYorkTime(epochMs: number): string {
  const zoned = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(epochMs), zone);
  return ZonedDateTime.toString(zoned, { timeZoneName: 'never', smallestUnit: 'second' });
}

const hourMs = 3_600_000;

/** Returns how many hours of the day in New York have begun, of 23, 24 or 25. */
export function hoursOfDay(epochMs: number): { begun: number; all: number } {
  const { start, end } = dayAround(epochMs);
  return { begun: Math.floor((epochMs - start) / hourMs) + 1, all: (end - start) / hourMs };
}

/** Returns the start of today in New York as an ISO instant: the default `result_effective_date`. */
export function startOfToday(now: number): string {
  return dayAround(now).iso;
}

// Upper bound of instants, because `toISOString` writes the year 10000 as `+010000`, which sorts wrongly.
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 timestamp to epoch milliseconds. A date alone means midnight in New York. Returns
 * undefined if malformed or not in 1970 to 9999.
 */
export function parseInstant(text: string, zoneOfPlain = 'UTC'): number | undefined {
  try {
    const epochMs = epochOf(text, zoneOfPlain);
    return epochMs !== undefined && epochMs >= 0 && epochMs <= lastInstant ? epochMs : undefined;
  } catch {
    return undefined;
  }
}

function epochOf(text: string, zoneOfPlain: string): number | undefined {
  if (!timestamp.test(text)) return undefined;
  if (text.length === dateLength) return startOfDay(text);
  if (withOffset.test(text)) return Instant.fromString(text).epochMilliseconds;
  return PlainDateTime.toZonedDateTime(PlainDateTime.fromString(text, getISO), zoneOfPlain).epochMilliseconds;
}

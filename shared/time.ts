// Imports single functions, because all of Temporal would be a sixth of an endpoint's bundle.
import { getISO } from 'temporal-polyfill/fns/Calendar';
import * as Instant from 'temporal-polyfill/fns/Instant';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as PlainDateTime from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

/** The time zone of the calendar day in this service: for limits, midnight spins, reports and books. */
export const zone = 'America/New_York';

const dateLength = 'YYYY-MM-DD'.length;

// `[0-9]` instead of `\d`, which means any Unicode digit in some regular expression engines.
const year = '(19[7-9]|[2-9][0-9]{2})[0-9]';
const dayOfEveryYear =
  '((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const leapYear =
  '((19(7[26]|8[048]|9[26])|[2-9][0-9](0[48]|[2468][048]|[13579][26]))|([2468][048]|[3579][26])00)';
const date = `(${year}-${dayOfEveryYear}|${leapYear}-02-29)`;
// Accepts a leap second (:60), which `parseInstant` reads as the second before it.
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.,][0-9]{1,9})?)?';
const offset = '([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])';

/**
 * The pattern of timestamps that `parseInstant` reads. It also matches a few that `parseInstant` rejects,
 * because their offset moves them before 1970 or past 9999.
 */
export const timestampPattern = `^${date}([Tt ]${time}${offset}?)?$`;

const timestamp = new RegExp(timestampPattern);
const withOffset = new RegExp(`${offset}$`);

/** Returns the calendar day in New York (`YYYY-MM-DD`) at an instant in epoch milliseconds. */
export function dayOf(epochMs: number): string {
  return dayAround(epochMs).day;
}

type Day = { day: string; start: number; end: number };
let lastDay: Day = { day: '', start: 0, end: 0 };

/** Returns the day at an instant with its start and end. */
function dayAround(epochMs: number): Day {
  // Caches the last day: most instants fall into it, and evaluating time zone rules is slow.
  if (epochMs >= lastDay.start && epochMs < lastDay.end) return lastDay;
  const instant = Instant.fromEpochMilliseconds(epochMs);
  const date = ZonedDateTime.toPlainDate(Instant.toZonedDateTimeISO(instant, zone));
  lastDay = {
    day: PlainDate.toString(date),
    start: startOf(date),
    end: startOf(PlainDate.addDays(date, 1)),
  };
  return lastDay;
}

/**
 * Returns the start of a day in New York in epoch milliseconds, also on the days when daylight saving
 * changes.
 */
export function startOfDay(day: string): number {
  return startOf(dateOf(day));
}

const dateOf = (day: string) => PlainDate.fromString(day, getISO);
const startOf = (date: PlainDate.Record) => PlainDate.toZonedDateTime(date, zone).epochMilliseconds;

/** Returns the calendar day `days` after another, or before it if negative. */
export function addDays(day: string, days: number): string {
  return PlainDate.toString(PlainDate.addDays(dateOf(day), days));
}

/** Formats epoch milliseconds as the service writes an instant: UTC with milliseconds and `Z`. */
export function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Formats epoch milliseconds as clocks in New York show it, with their offset: `2026-12-01T15:00:00-05:00`. */
export function newYorkTime(epochMs: number): string {
  const zoned = Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(epochMs), zone);
  return ZonedDateTime.toString(zoned, { timeZoneName: 'never', smallestUnit: 'second' });
}

const hourMs = 3_600_000;

/**
 * Returns the number of hours of the New York day that have begun at an instant, and of all its hours: 23, 24
 * or 25.
 */
export function hoursOfDay(epochMs: number): { begun: number; all: number } {
  const { start, end } = dayAround(epochMs);
  return { begun: Math.floor((epochMs - start) / hourMs) + 1, all: (end - start) / hourMs };
}

/** Returns the start of the New York day as an ISO instant: the default `result_effective_date`. */
export function startOfToday(now: number): string {
  return isoOf(dayAround(now).start);
}

// An offset can move a timestamp of 9999 into the year 10000, which `toISOString` writes with six digits.
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 timestamp: with an offset, without one (in `zoneOfPlain`), or a date alone (its midnight
 * in New York). Returns epoch milliseconds between 1970 and 9999, or undefined for anything else.
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

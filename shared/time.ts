// One by one: the whole of Temporal would be a sixth of an endpoint's bundle.
import { getISO } from 'temporal-polyfill/fns/Calendar';
import * as Instant from 'temporal-polyfill/fns/Instant';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';
import * as PlainDateTime from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

/** The zone that a *day* means everywhere in this service: spin limits, cash limits, spin runs and reports. */
export const zone = 'America/New_York';

const dateLength = 'YYYY-MM-DD'.length;

// Digits are spelled out: to some readers of the pattern, `\d` is any digit of Unicode.
const year = '(19[7-9]|[2-9][0-9]{2})[0-9]';
const dayOfEveryYear =
  '((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const leapYear =
  '((19(7[26]|8[048]|9[26])|[2-9][0-9](0[48]|[2468][048]|[13579][26]))|([2468][048]|[3579][26])00)';
const date = `(${year}-${dayOfEveryYear}|${leapYear}-02-29)`;
// A leap second is taken for the one before it.
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.,][0-9]{1,9})?)?';
const offset = '([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])';

/**
 * The regular expression of the timestamps that `parseInstant` reads. It fits a few more: those that an offset carries to
 * before 1970, or past 9999.
 */
export const timestampPattern = `^${date}([Tt ]${time}${offset}?)?$`;

const timestamp = new RegExp(timestampPattern);
const withOffset = new RegExp(`${offset}$`);

/** The calendar day in New York (`YYYY-MM-DD`) at an instant in epoch milliseconds. */
export function dayOf(epochMs: number): string {
  return dayAround(epochMs).day;
}

type Day = { day: string; start: number; end: number };
let lastDay: Day = { day: '', start: 0, end: 0 };

/** The day at an instant, and where it begins and ends. */
function dayAround(epochMs: number): Day {
  // Most instants are of the same day as the one before, and the rules of a zone take a while to walk through.
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

/** The instant, in epoch milliseconds, at which a day begins in New York; right on 23- and 25-hour days. */
export function startOfDay(day: string): number {
  return startOf(dateOf(day));
}

const dateOf = (day: string) => PlainDate.fromString(day, getISO);
const startOf = (date: PlainDate.Record) => PlainDate.toZonedDateTime(date, zone).epochMilliseconds;

/** The calendar day a number of days after (or, negative, before) another. */
export function addDays(day: string, days: number): string {
  return PlainDate.toString(PlainDate.addDays(dateOf(day), days));
}

/** Epoch milliseconds as the service writes an instant: UTC, milliseconds, `Z`. */
export function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

const hourMs = 3_600_000;

/** How many hours of the day in New York at an instant have begun, of all that it has: 23, 24 or 25. */
export function hoursOfDay(epochMs: number): { begun: number; all: number } {
  const { start, end } = dayAround(epochMs);
  return { begun: Math.floor((epochMs - start) / hourMs) + 1, all: (end - start) / hourMs };
}

/** The start of the day in New York at an instant, as an ISO instant: what results are attributed to by default. */
export function startOfToday(now: number): string {
  return isoOf(dayAround(now).start);
}

// An offset can carry the last day of 9999 over into a year that is written with six digits.
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an ISO 8601 timestamp: with an offset, without one (of a zone, UTC unless another is named), or a date alone (its
 * midnight in New York). Returns epoch milliseconds between 1970 and 9999, or undefined for anything else.
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

import { Temporal } from 'temporal-polyfill';

/** The zone that a *day* means everywhere in this service: spin limits, cash limits, spin runs and reports. */
export const zone = 'America/New_York';

const dateAlone = /^\d{4}-\d{2}-\d{2}$/;
const dateAndTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;
const withOffset = /(Z|[+-]\d{2}:?\d{2})$/i;

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
  const date = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone).toPlainDate();
  const day = date.toString();
  lastDay = { day, start: startOfDay(day), end: startOfDay(date.add({ days: 1 }).toString()) };
  return lastDay;
}

/** The instant, in epoch milliseconds, at which a day begins in New York; right on 23- and 25-hour days. */
export function startOfDay(day: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds;
}

/** The calendar day a number of days after (or, negative, before) another. */
export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString();
}

/** Epoch milliseconds as the service writes an instant: UTC, milliseconds, `Z`. */
export function isoOf(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The start of the day in New York at an instant, as an ISO instant: what results are attributed to by default. */
export function startOfToday(now: number): string {
  return isoOf(dayAround(now).start);
}

// An offset can carry the last day of 9999 over into a year that is written with six digits.
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Reads an ISO 8601 timestamp: with an offset, without one (UTC), or a date alone (its midnight in New York).
 * Answers epoch milliseconds between 1970 and 9999, or undefined for anything else.
 */
export function parseInstant(text: string): number | undefined {
  try {
    const epochMs = epochOf(text);
    return epochMs !== undefined && epochMs >= 0 && epochMs <= lastInstant ? epochMs : undefined;
  } catch {
    return undefined;
  }
}

function epochOf(text: string): number | undefined {
  if (dateAlone.test(text))
    return startOfDay(Temporal.PlainDate.from(text, { overflow: 'reject' }).toString());
  if (!dateAndTime.test(text)) return undefined;
  if (withOffset.test(text.slice(10))) return Temporal.Instant.from(text).epochMilliseconds;
  return Temporal.PlainDateTime.from(text, {
    overflow: 'reject',
  }).toZonedDateTime('UTC').epochMilliseconds;
}

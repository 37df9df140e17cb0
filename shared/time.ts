/** Time zone of all calendar days in the service, for example of limits, reports and books. */
export const serviceZone = 'America/New_York';

const dateLength = 'YYYY-MM-DD'.length;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Maximum difference between the clocks of two machines. */
export const maxClockSkewMs = 60_000;

// Uses `[0-9]`, because hosts also use the pattern, and `\d` can match other Unicode digits.
const year = '(19[7-9]|[2-9][0-9]{2})[0-9]';
const dayOfEveryYear =
  '((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const leapYear =
  '((19(7[26]|8[048]|9[26])|[2-9][0-9](0[48]|[2468][048]|[13579][26]))|([2468][048]|[3579][26])00)';
const date = `(${year}-${dayOfEveryYear}|${leapYear}-02-29)`;
// Accepts a leap second (`:60`), which `parseInstant` reads as second 59.
const time = '([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60)([.,][0-9]{1,9})?)?';
// PostgreSQL prints whole hours as `+00`.
const offset = '([Zz]|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)';

/**
 * Pattern of timestamps for `parseInstant`, which also rejects instants that an offset moves before 1970 or
 * after 9999.
 */
export const timestampPattern = `^${date}([Tt ]${time}${offset}?)?$`;

const timestamp = new RegExp(timestampPattern);
const calendarDay = new RegExp(`^${date}$`);
const withOffset = new RegExp(`${offset}$`);
const shortOffset = /([+-][0-9]{2})([0-9]{2})?$/;
const finerThanMilliseconds = /[.,][0-9]{3}[0-9]*[1-9]/;

/** Returns whether a text is a day from 1970 to 9999 in the form `YYYY-MM-DD`. */
export const isDay = (text: string): boolean => calendarDay.test(text);

/** Returns the end of the day in New York that is `days` days after an instant: its last millisecond. */
export const endOfDayAfter = (iso: string, days: number): string =>
  new Date(startOfDay(addDays(dayOf(Date.parse(iso)), days + 1)) - 1).toISOString();

/** Returns the calendar day in New York (`YYYY-MM-DD`) at an instant in epoch milliseconds. */
export function dayOf(epochMs: number): string {
  return dayAround(epochMs).day;
}

type Day = { day: string; start: number; end: number; iso: string };
let lastDay: Day = { day: '', start: 0, end: 0, iso: '' };

/**
 * Returns the day in New York at an instant. `start` and `end` are epoch milliseconds; `iso` is `start` in ISO 8601.
 */
function dayAround(epochMs: number): Day {
  // Reuses the last call's day if possible, because evaluating time zone rules is slow.
  if (epochMs >= lastDay.start && epochMs < lastDay.end) return lastDay;
  const day = dateOf(epochMs + offsetMs(epochMs));
  const start = startOfDay(day);
  lastDay = { day, start, end: startOfDay(addDays(day, 1)), iso: new Date(start).toISOString() };
  return lastDay;
}

// Uses `Intl` with Node.js's time zone rules, because a Temporal polyfill would be a tenth of each function's bundle.
const offsetFormat = new Intl.DateTimeFormat('en-US', { timeZone: serviceZone, timeZoneName: 'longOffset' });

/** Returns New York's offset from UTC at an instant, such as `-05:00`. */
function offsetAt(epochMs: number): string {
  const name = offsetFormat.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName');
  return (name?.value ?? '').replace('GMT', '');
}

function offsetMs(epochMs: number): number {
  const [hours, minutes] = offsetAt(epochMs).split(':').map(Number) as [number, number];
  return hours * hourMs + Math.sign(hours) * minutes * 60_000;
}

/** Converts a local time in New York to an instant. `localMs` is the same clock time in UTC (epoch milliseconds). */
function instantOf(localMs: number): number {
  const before = localMs - offsetMs(localMs - dayMs);
  const after = localMs - offsetMs(localMs + dayMs);
  const isAfter = before + offsetMs(before) !== localMs && after + offsetMs(after) === localMs;
  return isAfter ? after : before;
}

/** Returns the start of a day in New York in epoch milliseconds. */
export function startOfDay(day: string): number {
  return instantOf(midnightUtc(day));
}

const midnightUtc = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dateOf = (utcMs: number) => new Date(utcMs).toISOString().slice(0, -'T00:00:00.000Z'.length);

export function addDays(day: string, days: number): string {
  return dateOf(midnightUtc(day) + days * dayMs);
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
  const local = new Date(epochMs + offsetMs(epochMs)).toISOString();
  return local.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length) + offsetAt(epochMs);
}

/** Returns how many hours of the current day in New York have begun, and how many hours the day has: 23, 24 or 25. */
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
 * Parses ISO 8601 (1970 to 9999) to epoch milliseconds, or returns undefined. A date means midnight in New York. A time
 * without an offset is in `zoneOfPlain`.
 */
export function parseInstant(
  text: string,
  zoneOfPlain: 'UTC' | typeof serviceZone = 'UTC',
): number | undefined {
  const epochMs = timestamp.test(text) ? epochOf(text, zoneOfPlain) : Number.NaN;
  return epochMs >= 0 && epochMs <= lastInstant ? epochMs : undefined;
}

/** An instant between two milliseconds becomes the middle between them, so that comparisons with records stay true. */
export function parseBound(text: string): number | undefined {
  const epochMs = parseInstant(text);
  return epochMs !== undefined && finerThanMilliseconds.test(text) ? epochMs + 0.5 : epochMs;
}

function epochOf(text: string, zoneOfPlain: 'UTC' | typeof serviceZone): number {
  if (text.length === dateLength) return startOfDay(text);
  const iso = text.toUpperCase().replace(' ', 'T').replace(',', '.').replace(':60', ':59');
  if (withOffset.test(text))
    return Date.parse(iso.replace(shortOffset, (_, hours, minutes = '00') => `${hours}:${minutes}`));
  const localMs = Date.parse(`${iso}Z`);
  return zoneOfPlain === 'UTC' ? localMs : instantOf(localMs);
}

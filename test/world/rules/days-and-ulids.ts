/** Computes New York days and times of ULIDs without the service's code, to find mistakes in that code. */

const zone = 'America/New_York';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
// Caches the New York day of each UTC hour. No UTC hour contains parts of two New York days.
const dayOfHour = new Map<number, string>();

/** Returns the calendar day in New York (`YYYY-MM-DD`) at a time in epoch milliseconds. */
export function dayAt(epochMs: number): string {
  const hour = Math.floor(epochMs / hourMs);
  let day = dayOfHour.get(hour);
  if (day === undefined) {
    day = calendar.format(hour * hourMs);
    dayOfHour.set(hour, day);
  }
  return day;
}

/** Returns the next calendar day. Both days have the form `YYYY-MM-DD`. */
export const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + dayMs).toISOString().slice(0, 10);

/** Returns midnight at the start of a New York day, in epoch milliseconds. */
export function startOf(day: string): number {
  let hour = Date.parse(`${day}T00:00:00Z`);
  while (dayAt(hour) < day) hour += hourMs;
  return hour;
}

/** Returns the New York days from the day of `from` to the day of `to` (times in epoch milliseconds). */
export function daysBetween(from: number, to: number): string[] {
  const days = [dayAt(from)];
  for (const last = dayAt(to); days.at(-1)! < last; ) days.push(dayAfter(days.at(-1)!));
  return days;
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the ULID in an id by removing the id's prefix: `01J…` for `txn_01J…`. */
export const ulidIn = (id: string): string => id.slice(id.indexOf('_') + 1);

/** Returns the time of a ULID in epoch milliseconds. The ULID's first ten base-32 digits contain the time. */
export function timeIn(ulid: string): number {
  let time = 0;
  for (const digit of ulid.slice(0, 10)) time = time * 32 + digits.indexOf(digit);
  return time;
}

/** Parses a request's time to epoch milliseconds. Times default to UTC; a date means midnight in New York. */
export function parseHostTime(text: string): number {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return startOf(text);
  const plain = text.toUpperCase().replace(' ', 'T').replace(',', '.');
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(plain.slice(10)) ? plain : `${plain}Z`;
  return Date.parse(zoned.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}

/** Returns whether spins run on request in the minute before they are due. They count from midnight on. */
export const runEarly = (time: number, at: number) => time > at && time <= at + 60_000 && time % 3.6e6 === 0;

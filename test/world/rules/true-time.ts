/** Days in New York and the times of ULIDs, by other means than the service has. */

const zone = 'America/New_York';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const calendar = new Intl.DateTimeFormat('en-CA', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
// New York's offset is one of whole hours, so a day begins and ends with an hour of UTC.
const dayOfHour = new Map<number, string>();

/** The calendar day (`YYYY-MM-DD`) that it is in New York at a time in epoch milliseconds. */
export function dayAt(epochMs: number): string {
  const hour = Math.floor(epochMs / hourMs);
  let day = dayOfHour.get(hour);
  if (day === undefined) {
    day = calendar.format(hour * hourMs);
    dayOfHour.set(hour, day);
  }
  return day;
}

/** The day after a day. */
export const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + dayMs).toISOString().slice(0, 10);

/** When a day begins in New York, in epoch milliseconds: the first hour of UTC that is of it. */
export function startOf(day: string): number {
  let hour = Date.parse(`${day}T00:00:00Z`);
  while (dayAt(hour) < day) hour += hourMs;
  return hour;
}

/** The days that it was in New York at some time from one to another. */
export function daysBetween(from: number, to: number): string[] {
  const days = [dayAt(from)];
  for (const last = dayAt(to); days.at(-1)! < last; ) days.push(dayAfter(days.at(-1)!));
  return days;
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The ULID of an id such as `txn_01J…`. */
export const ulidIn = (id: string): string => id.slice(id.indexOf('_') + 1);

/** The time that a ULID carries, in epoch milliseconds: its first ten digits, to the base of 32. */
export function timeIn(ulid: string): number {
  let time = 0;
  for (const digit of ulid.slice(0, 10)) time = time * 32 + digits.indexOf(digit);
  return time;
}

/** The instant (epoch milliseconds) that a host names: with an offset, in UTC without one, or New York's midnight. */
export function instantNamed(text: string): number {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return startOf(text);
  const plain = text.toUpperCase().replace(' ', 'T').replace(',', '.');
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(plain.slice(10)) ? plain : `${plain}Z`;
  return Date.parse(zoned.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}

/** Converts instants and UTC days to texts and back, several times faster than `Date`. */

const dayMs = 24 * 3_600_000;
// Maximum number of days in each cache. A full cache is cleared, which is rare: items read together usually have few
// different days.
const maxCachedDays = 1000;
const texts = new Map<number, string>();
const numbers = new Map<string, number>();

/** Returns the UTC day (`YYYY-MM-DD`) that is `days` days after 1970-01-01. */
export function dayOfEpochDays(days: number): string {
  const known = texts.get(days);
  if (known !== undefined) return known;
  const text = new Date(days * dayMs).toISOString().slice(0, -14);
  if (texts.size >= maxCachedDays) texts.clear();
  texts.set(days, text);
  return text;
}

export function epochDaysOf(text: string): number | undefined {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  const days = Date.parse(`${text}T00:00:00.000Z`) / dayMs;
  if (!(days >= 0) || dayOfEpochDays(days) !== text) return undefined;
  if (numbers.size >= maxCachedDays) numbers.clear();
  numbers.set(text, days);
  return days;
}

const padded = (count: number, digits: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(digits, '0'));
const [two, three] = [padded(60, 2), padded(1000, 3)];

/** Returns an instant since 1970 (epoch milliseconds) as a text in the format of `toISOString()`. */
export function formatInstant(epochMs: number): string {
  const days = Math.floor(epochMs / dayMs);
  const ms = epochMs - days * dayMs;
  const [hours, minutes] = [two[Math.floor(ms / 3_600_000)], two[Math.floor(ms / 60_000) % 60]];
  return `${dayOfEpochDays(days)}T${hours}:${minutes}:${two[Math.floor(ms / 1000) % 60]}.${three[ms % 1000]}Z`;
}

export function parseStoredInstant(text: string): number | undefined {
  const days = epochDaysOf(text.slice(0, -14));
  if (days === undefined) return undefined;
  const [hours, minutes, seconds] = [text.slice(-13, -11), text.slice(-10, -8), text.slice(-7, -5)];
  const ms =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(text.slice(-4, -1));
  const epochMs = days * dayMs + ms;
  return Number.isInteger(epochMs) && formatInstant(epochMs) === text ? epochMs : undefined;
}

/** Parses the dates of HTTP headers (RFC 9110, 5.6.7). `Date.parse` takes almost any text: `45.5` is the year 2045. */

const forms = [
  /^(?<weekday>[A-Z][a-z]{2}), (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>[\d:]{8}) GMT$/,
  /^(?<weekday>[A-Z][a-z]{2})[a-z]{3,6}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>[\d:]{8}) GMT$/,
  /^(?<weekday>[A-Z][a-z]{2}) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>[\d:]{8}) (?<year>\d{4})$/,
];

/** Returns epoch milliseconds, or undefined if the text is no HTTP date. */
export function parseHttpDate(text: string, now: number): number | undefined {
  const parts = forms.map((form) => form.exec(text)?.groups).find((groups) => groups);
  if (!parts) return undefined;
  const { weekday, day, month, time } = parts;
  const year = parts.year!.length === 4 ? parts.year! : String(fullYear(Number(parts.year), now));
  const written = `${weekday}, ${day!.replace(' ', '0')} ${month} ${year} ${time} GMT`;
  const epochMs = Date.parse(written);
  // Refuses a day that the month does not have, or another weekday.
  return !Number.isNaN(epochMs) && new Date(epochMs).toUTCString() === written ? epochMs : undefined;
}

/** Returns the last year with these two digits that is at most 50 years ahead. */
function fullYear(digits: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((latest - digits) % 100);
}

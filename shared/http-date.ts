/**
 * Parses the date of an HTTP header in the form that senders must use (RFC 9110, 5.6.7) to epoch milliseconds.
 * `Date.parse` alone takes almost any text: `45.5` is the year 2045.
 */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = Date.parse(text);
  return !Number.isNaN(epochMs) && new Date(epochMs).toUTCString() === text ? epochMs : undefined;
}

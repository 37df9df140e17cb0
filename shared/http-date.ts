/** Parses an HTTP date (RFC 9110, 5.6.7) to epoch milliseconds. `Date.parse` alone would take almost any text. */
export function parseHttpDate(text: string): number | undefined {
  const epochMs = Date.parse(text);
  return !Number.isNaN(epochMs) && new Date(epochMs).toUTCString() === text ? epochMs : undefined;
}

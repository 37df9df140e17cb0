/** Rows as CSV. Pure. */

/** What a row says in a column; nothing is an empty cell. */
type Cell = string | number | boolean | null | undefined;
/** A row of a report, by its columns. */
export type Row = Record<string, Cell>;

/**
 * Rows as CSV by RFC 4180, with a header, each line ended by CRLF. A text that a spreadsheet would take for a formula
 * gets an apostrophe in front (https://owasp.org/www-community/attacks/CSV_Injection): of what hosts name their users
 * by, nothing is run on the computer of whoever opens the file.
 */
export function csvOf(columns: readonly string[], rows: readonly Row[]): string {
  const lines = [columns.map(cellOf), ...rows.map((row) => columns.map((column) => cellOf(row[column])))];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function cellOf(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = formula.test(value) ? `'${value}` : value;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
const formula = /^[=+\-@\t\r]/;
const quoted = /[",\r\n]/;

/** Rows as CSV. Pure. */

/** What a row says in a column; nothing is an empty cell. */
type Cell = string | number | boolean | null | undefined;
/** A row of a report, by its columns. */
export type Row = Record<string, Cell>;

/** What a report says of itself, as far as each row of its CSV repeats it. */
type Head = { organization_id: string; complete: boolean; [name: string]: unknown };

/**
 * What each row of a report's CSV repeats, since a file of rows has no other place for it: the organization,
 * the report's first and last day in New York, and whether it is complete.
 */
export function stampOf({ organization_id, complete, year, day, ...head }: Head): Row {
  const { from = day ?? `${year}-01-01`, to = day ?? `${year}-12-31` } = head;
  return { organization_id, report_from: `${from}`, report_to: `${to}`, report_complete: complete };
}

/**
 * Rows as CSV by RFC 4180, with a header, each line ended by CRLF. Each row ends with the fields of `stamp`.
 * An instant, which is in UTC, has a column beside it with the same time by the clocks of New York. A text
 * that a spreadsheet would take for a formula gets an apostrophe in front
 * (https://owasp.org/www-community/attacks/CSV_Injection): of what hosts name their users by, nothing is run
 * on the computer of whoever opens the file.
 */
export function csvOf(columns: readonly string[], rows: readonly Row[], stamp: Row = {}): string {
  const all = [...columns, ...Object.keys(stamp)];
  const header = all.flatMap((column) => (isInstant(column) ? [column, `${column}_new_york`] : [column]));
  const lines = rows.map((row) =>
    all.flatMap((column) => {
      const value = { ...row, ...stamp }[column];
      return isInstant(column) ? [value, newYorkTime(value)] : [value];
    }),
  );
  return [header, ...lines].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

const isInstant = (column: string) => /(_at|_date|^date_created)$/.test(column);
const inNewYork = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** An instant as a spreadsheet reads a time: `2026-01-31 23:59:59`. Nothing of what is none. */
function newYorkTime(value: Cell): Cell {
  const epochMs =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(epochMs) ? null : inNewYork.format(epochMs);
}

function cellOf(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = formula.test(value) ? `'${value}` : value;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
const formula = /^[=+\-@\t\r]/;
const quoted = /[",\r\n]/;

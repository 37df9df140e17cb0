/** Formats rows as CSV. Pure functions. */

/** A cell's value; null and undefined are empty cells. */
type Cell = string | number | boolean | null | undefined;
/** A row of a report, by column. */
export type Row = Record<string, Cell>;

/** The part of a report's head that each CSV row repeats. */
type Head = { organization_id: string; complete: boolean; [name: string]: unknown };

/**
 * Returns the columns that each CSV row repeats, since CSV has no other place for them: the organization, the
 * first and last day in New York, and completeness.
 */
export function stampOf({ organization_id, complete, year, day, ...head }: Head): Row {
  const { from = day ?? `${year}-01-01`, to = day ?? `${year}-12-31` } = head;
  return { organization_id, report_from: `${from}`, report_to: `${to}`, report_complete: complete };
}

/**
 * Returns rows as CSV (RFC 4180) with a header and the fields of `stamp` in each row. A UTC time gets a second
 * column in New York time. An apostrophe precedes texts that a spreadsheet would run as formulas, because hosts
 * choose users' references (https://owasp.org/www-community/attacks/CSV_Injection).
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

/**
 * Returns an ISO time in New York time as spreadsheets read it: `2026-01-31 23:59:59`. Returns null for any
 * other value.
 */
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

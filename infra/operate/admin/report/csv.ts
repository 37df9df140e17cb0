/** Null and undefined become empty cells. */
type Cell = string | number | boolean | null | undefined;
export type CsvRow = Record<string, Cell>;

/** The head of a report: fields about the whole report. Each CSV row repeats some of these fields. */
type Head = { organization_id: string; complete: boolean; [name: string]: unknown };

/** Returns the fields of a report's head that each CSV row repeats, because CSV has no place for a head. */
export function reportColumnsOf({ organization_id, complete, year, day, ...head }: Head): CsvRow {
  const { from = day ?? `${year}-01-01`, to = day ?? `${year}-12-31` } = head;
  return { organization_id, report_from: `${from}`, report_to: `${to}`, report_complete: complete };
}

/** Formats rows as CSV (RFC 4180), with a New York time after each UTC time. */
export function formatCsv(columns: readonly string[], rows: readonly CsvRow[], stamp: CsvRow = {}): string {
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

/** Converts an ISO time to New York time for spreadsheets: `2026-01-31 23:59:59`. */
function newYorkTime(value: Cell): Cell {
  const epochMs =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(epochMs) ? null : inNewYork.format(epochMs);
}

function cellOf(value: Cell): string {
  if (typeof value !== 'string') return String(value ?? '');
  // Disables spreadsheet formulas (https://owasp.org/www-community/attacks/CSV_Injection).
  const text = formula.test(value) ? `'${value}` : value;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
// Spreadsheets trim white space and invisible characters. In Excel, full-width signs also begin a formula.
const formula = /^([\s\p{C}]*[=+\-@＝＋－＠]|[\t\r])/u;
const quoted = /[",\r\n]/;

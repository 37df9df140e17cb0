import type { ComponentChildren } from 'preact';
import { type CsvRow, formatCsv } from '../../admin/report/csv.ts';
import { valueText } from './format.ts';

export type TableRow = Record<string, unknown>;
/** `name` is a field of the rows, and `show` renders a cell. */
export type Column = {
  name: string;
  label?: string;
  show?: (row: TableRow) => ComponentChildren;
  grows?: boolean;
};
export type SortOrder = { name: string; ascending: boolean } | undefined;

const fieldsOf = (rows: TableRow[]): string[] => [...new Set(rows.slice(0, 200).flatMap(Object.keys))];

/** Puts ids last, and omits the organization id if it is the same in all rows. */
export function columnsOf(rows: TableRow[]): Column[] {
  const isSame = new Set(rows.map(({ organization_id }) => organization_id)).size === 1;
  const isId = (name: string) => Number(name.endsWith('_id'));
  return fieldsOf(rows)
    .filter((name) => name !== 'organization_id' || !isSame)
    .toSorted((a, b) => isId(a) - isId(b))
    .map((name) => ({ name }));
}

/** Returns the names of fields that are numbers in any of the first 200 rows. */
export const numericFields = (rows: TableRow[]): Set<string> =>
  new Set(
    rows.slice(0, 200).flatMap((row) => Object.keys(row).filter((name) => typeof row[name] === 'number')),
  );

export function sortedRows(rows: TableRow[], sort: SortOrder): TableRow[] {
  if (!sort) return rows;
  const { name, ascending } = sort;
  return [...rows].sort((a, b) => (ascending ? 1 : -1) * compare(a[name], b[name]));
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [String(one ?? ''), String(other ?? '')];
  return a < b ? -1 : a > b ? 1 : 0;
}

export function filteredRows(rows: TableRow[], filter: string): TableRow[] {
  const needle = filter.trim().toLowerCase();
  if (!needle) return rows;
  return rows.filter((row) =>
    Object.entries(row).some(([name, value]) =>
      `${value} ${valueText(name, value)}`.toLowerCase().includes(needle),
    ),
  );
}

/** Formats rows as CSV: shown columns, all other fields, then `stamp`. */
export function csvOfRows(columns: Column[], rows: TableRow[], stamp?: CsvRow): string {
  const names = [...new Set([...columns.map(({ name }) => name), ...rows.flatMap(Object.keys)])];
  const cell = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  const cells = rows.map((row) => Object.fromEntries(names.map((name) => [name, cell(row[name])])));
  return formatCsv(names, cells as CsvRow[], stamp);
}

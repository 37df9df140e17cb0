/** The columns of a table: which there are, how wide they are, and how rows are sorted, filtered and exported. Pure. */
import type { ComponentChildren } from 'preact';
import { csvOf, type Row } from '../../admin/report/csv.ts';
import { labelOf, valueText } from './format.ts';

/** A row as a command printed it. */
export type TableRow = Record<string, unknown>;
/** A column: the field that it shows, and how, if not as any field of its name. */
export type Column = {
  name: string;
  label?: string;
  show?: (row: TableRow) => ComponentChildren;
  /** Takes the room that the others leave. */
  grows?: boolean;
};
/** Which way rows are sorted, by which field. */
export type Sort = { name: string; up: boolean } | undefined;

const fieldsOf = (rows: TableRow[]): string[] => [...new Set(rows.slice(0, 200).flatMap(Object.keys))];

/** A column for each field, but for the organization if it is the same in all rows. */
export function columnsOf(rows: TableRow[]): Column[] {
  const isSame = new Set(rows.map(({ organization_id }) => organization_id)).size === 1;
  return fieldsOf(rows).flatMap((name) => (name === 'organization_id' && isSame ? [] : [{ name }]));
}

/** The fields that hold numbers. */
export const numericFields = (rows: TableRow[]): Set<string> =>
  new Set(
    rows.slice(0, 200).flatMap((row) => Object.keys(row).filter((name) => typeof row[name] === 'number')),
  );

const [pxPerCharacter, pxAround, mostCharacters, leastGrowing] = [8.2, 32, 33, 300];

/** How wide columns have to be for their texts, in pixels. */
export const widthsOf = (columns: Column[], rows: TableRow[]): number[] =>
  columns.map(({ name, label, grows }) => {
    if (grows) return leastGrowing;
    const texts = rows.slice(0, 100).map((row) => valueText(name, row[name]).length);
    const header = (label ?? labelOf(name)).length + 2;
    return pxPerCharacter * Math.min(mostCharacters, Math.max(header, ...texts)) + pxAround;
  });

/** Rows in the order of a field. */
export function sortedRows(rows: TableRow[], sort: Sort): TableRow[] {
  if (!sort) return rows;
  const { name, up } = sort;
  return [...rows].sort((a, b) => (up ? 1 : -1) * compare(a[name], b[name]));
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  const [a, b] = [String(one ?? ''), String(other ?? '')];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Those rows that say something somewhere, as it is or as it is shown. */
export function filteredRows(rows: TableRow[], filter: string): TableRow[] {
  const wanted = filter.trim().toLowerCase();
  if (!wanted) return rows;
  return rows.filter((row) =>
    Object.entries(row).some(([name, value]) =>
      `${value} ${valueText(name, value)}`.toLowerCase().includes(wanted),
    ),
  );
}

/** All that rows say as CSV: what columns show first, what is a list or an object as JSON, and last a report's stamp. */
export function csvOfRows(columns: Column[], rows: TableRow[], stamp?: Row): string {
  const names = [...new Set([...columns.map(({ name }) => name), ...rows.flatMap(Object.keys)])];
  const cell = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  const cells = rows.map((row) => Object.fromEntries(names.map((name) => [name, cell(row[name])])));
  return csvOf(names, cells as Row[], stamp);
}

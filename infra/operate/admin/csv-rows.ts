import { Problem } from '../../common/problem.ts';

const cell = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y;

/**
 * Parses CSV (RFC 4180). Skips empty lines and the byte order mark of spreadsheets. Throws a Problem for a wrong quote.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  while (cell.lastIndex < text.length) {
    const [, value = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Problem('The file is not CSV: a quote is missing or out of place.');
    cells.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value.trim());
    if (end === ',' && cell.lastIndex < text.length) continue;
    if (end === ',') cells.push('');
    if (cells.some(Boolean)) rows.push(cells);
    cells = [];
  }
  return rows;
}

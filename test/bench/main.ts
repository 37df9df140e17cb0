/** `npm run bench`: measures all rows of the bench, or the rows whose names contain one of the arguments. */
import { parseArgs } from 'node:util';
import { rows as bundleRows, removeBundles } from './bundles.ts';
import { rows as coldStartRows } from './cold-starts.ts';
import { rows as costRows } from './cost/rows.ts';
import { rowsOf as crowdRows } from './crowd/rows.ts';
import { rows as cpuRows } from './handler-cpu.ts';
import { rows as timeRows } from './handler-time.ts';
import { rows as frameRows } from './play-frames.ts';
import { rows as pageRows } from './play-page.ts';
import { rows as reportRows } from './reports.ts';
import { rows as roundTripRows } from './round-trips.ts';
import type { Row, Table } from './row.ts';
import { rows as spinRows } from './spins.ts';
import { stopTable } from './table.ts';
import { rows as usualWayRows } from './usual-way/rows.ts';
import { rows as webhookRows } from './webhooks.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rate: { type: 'string', default: '10000' },
    part: { type: 'string', default: '1' },
    spins: { type: 'string', default: '1000000' },
  },
});

const all: Row[] = [
  ...timeRows,
  ...cpuRows,
  ...bundleRows,
  ...coldStartRows,
  ...pageRows,
  ...frameRows,
  ...roundTripRows,
  ...spinRows,
  ...reportRows,
  ...webhookRows,
  ...costRows,
  ...usualWayRows,
  ...crowdRows({ rate: Number(values.rate), part: Number(values.part), spins: Number(values.spins) }),
];

const chosen = all.filter(({ name, isLong }) =>
  positionals.length === 0 ? !isLong : positionals.some((p) => name.includes(p)),
);
if (chosen.length === 0) console.log(`No row matches. Rows:\n${all.map(({ name }) => name).join('\n')}`);

function boundOf({ target, unit = '' }: Row): string {
  if (!target) return '';
  return 'atMost' in target ? `≤ ${target.atMost}${unit}` : `≥ ${target.atLeast}${unit}`;
}
function isMet({ target }: Row, value: number): boolean {
  if (!target) return true;
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
}
const widest = (texts: string[]) => Math.max(...texts.map(({ length }) => length));
const widths = [
  widest(chosen.map(({ name }) => name)),
  widest(chosen.map(({ what }) => what)),
  widest(['measured', ...chosen.map(({ unit = '' }) => `10.00${unit}`)]),
  widest(['floor', ...chosen.map(({ floor }) => floor)]),
  widest(['target', ...chosen.map(boundOf)]),
  'met'.length,
];
const line = (cells: string[]) =>
  console.log(
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );

/** Prints a table. Right-aligns columns of numbers, left-aligns columns of text. */
function printTable({ title, lines: [head = [], ...lines] }: Table): void {
  const wide = head.map((name, column) => widest([name, ...lines.map((cells) => cells[column] ?? '')]));
  const isNumber = head.map((_, column) => lines.every((cells) => /^[\d<.,]*$/.test(cells[column] ?? '')));
  const pad = (cell: string, column: number) =>
    isNumber[column] ? cell.padStart(wide[column]!) : cell.padEnd(wide[column]!);
  console.log(`\n  ${title}`);
  for (const cells of [head, ...lines]) console.log(`  ${cells.map(pad).join('  ').trimEnd()}`);
  console.log();
}

/** Measures and prints a row, or prints the measurement's error, so that the other rows still run. */
async function printRow(row: Row): Promise<void> {
  const { name, what, floor, target, unit = '', measure } = row;
  try {
    const { value, detail, tables = [] } = await measure();
    const met = target ? (isMet(row, value) ? 'yes' : 'no') : '';
    const shown = Number.isInteger(value) ? String(value) : value.toFixed(value < 1 ? 3 : 2);
    line([name, what, shown + unit, floor, boundOf(row), met, detail]);
    tables.forEach(printTable);
  } catch (error) {
    line([name, what, 'failed', floor, boundOf(row), 'no', String(error)]);
  }
}

line(['row', 'what', 'measured', 'floor', 'target', 'met']);
try {
  for (const row of chosen) await printRow(row);
} finally {
  await stopTable();
  await removeBundles();
}

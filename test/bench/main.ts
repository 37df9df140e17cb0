/** `npm run bench`: measures all rows, or the rows whose names contain one of the arguments. */
import { BadUsage, optionsOrExit, parseNumber, parseOptions } from '../../infra/common/arguments.ts';
import { removeBundles } from './bundles.ts';
import type { Measured, Row, Table } from './row.ts';
import { allRows } from './rows.ts';
import { stopTable } from './table.ts';

const usage = `npm run bench -- [words] [options]

Measures all rows except the long ones, or the rows whose names contain one of the words.

  --size <n>   share of the full size, from 0 to 1 (default: 1)
  --smallest   same as --size 0
  --json       print one line of JSON per row`;

const { size, json, chosen } = optionsOrExit(usage, () => {
  const { positionals, values } = parseOptions({
    allowPositionals: true,
    options: {
      size: { type: 'string', default: '1' },
      smallest: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const matches = (name: string) => positionals.some((part) => name.includes(part));
  const chosen = allRows.filter(({ name, isLong }) => (positionals.length === 0 ? !isLong : matches(name)));
  if (chosen.length === 0)
    throw new BadUsage(`No row matches. Rows:\n${allRows.map(({ name }) => name).join('\n')}`);
  return {
    size: values.smallest ? 0 : parseNumber('--size', values.size, [0, 1]),
    json: values.json,
    chosen,
  };
});

function boundOf({ target, unit = '' }: Pick<Row, 'target' | 'unit'>): string {
  if (!target) return '';
  return 'atMost' in target ? `≤ ${target.atMost}${unit}` : `≥ ${target.atLeast}${unit}`;
}
function isMet({ target }: Pick<Row, 'target'>, value: number): boolean {
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

function printRow({ name, what, floor, unit = '', ...row }: Row, { value, detail, tables = [] }: Measured) {
  const met = row.target ? (isMet(row, value) ? 'yes' : 'no') : '';
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(value < 1 ? 3 : 2);
  line([name, what, shown + unit, floor, boundOf({ ...row, unit }), met, detail]);
  tables.forEach(printTable);
}

/** Measures a row. Prints its error if it has no value, so that the other rows still run. */
async function run(row: Row): Promise<void> {
  const { name, what, floor, isExact = false } = row;
  const started = performance.now();
  try {
    const measured = await row.measure(size);
    if (!Number.isFinite(measured.value)) throw new Error(`the value is ${measured.value}`);
    const seconds = (performance.now() - started) / 1000;
    const met = isMet(row, measured.value);
    if (isExact && !met) process.exitCode = 1;
    if (json) console.log(JSON.stringify({ name, ...measured, seconds, isExact, met }));
    else printRow(row, measured);
  } catch (error) {
    process.exitCode = 1;
    if (json) console.log(JSON.stringify({ name, error: (error as Error).stack }));
    else line([name, what, 'failed', floor, boundOf(row), 'no', String(error)]);
  }
}

if (!json) line(['row', 'what', 'measured', 'floor', 'target', 'met']);
try {
  for (const row of chosen) await run(row);
} finally {
  await stopTable();
  await removeBundles();
}

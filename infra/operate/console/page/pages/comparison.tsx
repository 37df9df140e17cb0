import type { TableRow } from '../columns.ts';
import { type Output, useRead, type Values } from '../commands.ts';
import { DataTable } from '../data-table.tsx';
import { Figure, Figures } from '../figure.tsx';
import { labelOf, numberText, percentText, usdText } from '../format.ts';
import { OutputView, Waiting } from '../output.tsx';

type BeforeAfter = { before: number | null; after: number | null };
const isCompared = (value: unknown): value is BeforeAfter =>
  typeof value === 'object' &&
  value !== null &&
  'before' in value &&
  'after' in value &&
  typeof value.before !== 'object';

const rowsOf = (record: Record<string, unknown>): TableRow[] =>
  Object.entries(record).flatMap(([name, value]) => (isCompared(value) ? [{ name, ...value }] : []));
const percentOf = (value: unknown) => (typeof value === 'number' ? percentText(value) : '–');

/** Shows the output of `game set --dry-run`: figures per play and per day, odds, and the changed fields. */
export const Comparison = ({ output: { changes, play, day, chances_percent } }: { output: Output }) => (
  <>
    <DataTable
      caption="Per play and per day"
      heading="Per play and per day"
      rows={[...rowsOf(play), ...rowsOf(day)]}
      columns={[
        { name: 'name', label: 'Figure', show: ({ name }) => labelOf(String(name)) },
        { name: 'before' },
        { name: 'after' },
      ]}
    />
    <DataTable
      caption="Odds"
      heading="Odds"
      rows={rowsOf(chances_percent)}
      columns={[
        { name: 'name', label: 'Prize' },
        { name: 'before', show: ({ before }) => percentOf(before) },
        { name: 'after', show: ({ after }) => percentOf(after) },
      ]}
    />
    <details>
      <summary>Changes</summary>
      <OutputView name="Changes" output={changes} />
    </details>
  </>
);

/** Shows the expected effect of a change to a game, or why the change would be refused. */
export function Preview({ options }: { options: Values }) {
  const read = useRead('game', 'set', { ...options, 'dry-run': true });
  if (!read.output) return <Waiting read={read} />;
  const { changes, play, day } = read.output as Output;
  const plays: BeforeAfter = day.plays_at_mean_cash ?? { before: null, after: null };
  const { added, removed, changed, reordered } = changes.prizes;
  const differences = [
    [added.length, 'added'],
    [removed.length, 'removed'],
    [changed.length, 'changed'],
  ].flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : []));
  return (
    <Figures>
      <Figure label="Prizes" value={differences.join(', ') || (reordered ? 'Reordered' : 'Unchanged')} />
      <Figure
        label="Expected cash per play"
        value={comparedText(play.cash_usd, (usd) => usdText(Number(usd.toFixed(4))))}
      />
      <Figure
        label="Plays until the day’s cash runs out"
        value={comparedText(plays, (count) => numberText(Math.round(count)))}
      />
    </Figures>
  );
}

const comparedText = ({ before, after }: BeforeAfter, text: (value: number) => string) =>
  `${before === null ? '–' : text(before)} → ${after === null ? '–' : text(after)}`;

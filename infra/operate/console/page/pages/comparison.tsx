import type { TableRow } from '../columns.ts';
import { type Output, useRead, type Values } from '../commands.ts';
import { DataTable } from '../data-table.tsx';
import { Figure, Figures } from '../figure.tsx';
import { labelOf, numberText, percentText, usdText } from '../format.ts';
import { OutputView, Waiting } from '../output.tsx';

type Beside = { before: number | null; after: number | null };
const isBeside = (value: unknown): value is Beside =>
  typeof value === 'object' &&
  value !== null &&
  'before' in value &&
  'after' in value &&
  typeof value.before !== 'object';

const rowsOf = (of: Record<string, unknown>): TableRow[] =>
  Object.entries(of).flatMap(([name, value]) => (isBeside(value) ? [{ name, ...value }] : []));
const percentOf = (value: unknown) => (typeof value === 'number' ? percentText(value) : '–');

/** What `game set --dry-run` printed: the figures of a play and of a day, the chances, and what differs. */
export const Comparison = ({ output: { changes, play, day, chances_percent } }: { output: Output }) => (
  <>
    <DataTable
      caption="What a play and a day come to"
      heading="What a play and a day come to"
      rows={[...rowsOf(play), ...rowsOf(day)]}
      columns={[
        { name: 'name', label: 'Figure', show: ({ name }) => labelOf(String(name)) },
        { name: 'before' },
        { name: 'after' },
      ]}
    />
    <DataTable
      caption="Chances"
      heading="Chances"
      rows={rowsOf(chances_percent)}
      columns={[
        { name: 'name', label: 'Prize' },
        { name: 'before', show: ({ before }) => percentOf(before) },
        { name: 'after', show: ({ after }) => percentOf(after) },
      ]}
    />
    <details>
      <summary>What changes</summary>
      <OutputView name="Changes" output={changes} />
    </details>
  </>
);

/** What a change of a game would come to, in short; why it would be refused, if it would be. */
export function Preview({ options }: { options: Values }) {
  const read = useRead('game', 'set', { ...options, 'dry-run': true });
  if (!read.output) return <Waiting read={read} />;
  const { changes, play, day } = read.output as Output;
  const plays: Beside = day.plays_at_mean_cash ?? { before: null, after: null };
  const { added, removed, changed, reordered } = changes.prizes;
  const differences = [
    [added.length, 'added'],
    [removed.length, 'removed'],
    [changed.length, 'changed'],
  ].flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []));
  return (
    <Figures>
      <Figure
        label="Prizes"
        value={differences.join(', ') || (reordered ? 'Another order' : 'As they are')}
      />
      <Figure
        label="Expected cash per play"
        value={besideText(play.cash_usd, (usd) => usdText(Number(usd.toFixed(4))))}
      />
      <Figure
        label="Plays that the day’s cash lasts"
        value={besideText(plays, (count) => numberText(Math.round(count)))}
      />
    </Figures>
  );
}

const besideText = ({ before, after }: Beside, text: (value: number) => string) =>
  `${before === null ? '–' : text(before)} → ${after === null ? '–' : text(after)}`;

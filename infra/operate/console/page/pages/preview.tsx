import { type Output, useRead, type Values } from '../commands.ts';
import { Figure, Figures } from '../figure.tsx';
import { numberText, usdText } from '../format.ts';
import { Waiting } from '../output.tsx';

export function Preview({ options }: { options: Values }) {
  const read = useRead('game', 'set', { ...options, 'dry-run': true });
  if (!read.output) return <Waiting read={read} />;
  const { changes, play, day } = read.output as Output;
  const { added, removed, changed, reordered } = changes.prizes;
  const differences = [
    [added.length, 'added'],
    [removed.length, 'removed'],
    [changed.length, 'changed'],
  ].flatMap(([count, words]) => (count > 0 ? [`${count} ${words}`] : []));
  const plays = day.plays_at_mean_cash;
  return (
    <Figures>
      <Figure label="Prizes" value={differences.join(', ') || (reordered ? 'Reordered' : 'Unchanged')} />
      <Figure label="Expected cash per play" value={usdText(Number(play.cash_usd.toFixed(4)))} />
      <Figure
        label="Plays until the day’s cash runs out"
        value={plays === undefined ? '–' : numberText(Math.round(plays))}
      />
    </Figures>
  );
}

import { RunButton, RunButtons } from '../change.tsx';
import { CommandLine } from '../command-line.tsx';
import { type AnyOutput, commandLine, useCommandOutput } from '../commands.ts';
import { type PageProps, useStage } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Section } from '../figure.tsx';
import { labelOf } from '../format.ts';
import { OutputView, ReadStatus, ValueList } from '../output.tsx';
import { hrefOf } from '../route.ts';

type Game = {
  cost: number;
  version: string;
  prizes: { id: string; label: { en: string }; chance_percent: number; weight: number }[];
  now?: object;
};
type ShownGames = { games: Record<string, Game>; [limit: string]: unknown };

export function GamesPage({ org, query }: PageProps) {
  const read = useCommandOutput('game', 'show', { org });
  const shown = read.output as ShownGames | undefined;
  if (!shown) return <ReadStatus read={read} />;
  const { games, ...limits } = shown;
  const named = query.game && query.game in games ? query.game : Object.keys(games)[0]!;
  return (
    <>
      <Section
        title="Limits and holds"
        actions={
          <RunButtons noun="game" preset={{ org }} hiddenVerbs={['show', 'set']} changed={read.reload} />
        }
      >
        <ValueList values={inWords(limits).filter(([, value]) => value !== '')} />
      </Section>
      <Promotion org={org} />
      <nav class="tabs" aria-label="Games">
        {Object.keys(games).map((game) => (
          <a
            key={game}
            href={hrefOf('games', { org, game })}
            aria-current={game === named ? 'page' : undefined}
          >
            {labelOf(game)}
          </a>
        ))}
      </nav>
      <GameView
        key={`${named} ${games[named]!.version} ${games[named]!.cost}`}
        org={org}
        name={named}
        game={games[named]!}
        changed={read.reload}
      />
    </>
  );
}

/** Joins the two fields of the daily spin limit, and names limits that are off. */
const inWords = ({ daily_spin_limit_on: isOn, daily_spin_limit, daily_win_limit, ...others }: AnyOutput) => [
  ['daily_spin_limit', isOn ? `${daily_spin_limit} a day` : 'off'] as [string, unknown],
  ['daily_win_limit', daily_win_limit === 'off' ? 'off' : `${daily_win_limit} a day`] as [string, unknown],
  ...Object.entries(others),
];
function Promotion({ org }: { org: string }) {
  const read = useCommandOutput('promotion', 'show', { org });
  const { promotion } = (read.output ?? {}) as { promotion?: AnyOutput };
  return (
    <Section
      title="Promotion"
      actions={<RunButtons noun="promotion" preset={{ org }} changed={read.reload} />}
    >
      <ReadStatus read={read} />
      {promotion && <ValueList values={Object.entries(promotion)} />}
      {promotion === null && <p class="empty">None: all prizes can be won at any time.</p>}
    </Section>
  );
}

type GameProps = { org: string; name: string; game: Game; changed: () => void };

function GameView({ org, name, game, changed }: GameProps) {
  const stage = useStage();
  const preset = { org, game: name };
  const read = useCommandOutput('game', 'set', { ...preset, cost: String(game.cost), 'dry-run': true });
  return (
    <>
      {read.output && (
        <OutputView
          name="Each play and day"
          output={{ cost: game.cost, each_play: read.output.play, now: game.now, day: read.output.day }}
        />
      )}
      <ReadStatus read={read} />
      <Section
        title="Odds"
        actions={
          <RunButton noun="game" verb="set" label="Change table or cost" preset={preset} changed={changed} />
        }
      >
        <DataTable
          caption="Odds"
          rows={game.prizes
            .toSorted((a, b) => b.chance_percent - a.chance_percent)
            .map(({ id, label, weight, ...prize }) => ({ prize: label.en, ...prize, weight, id }))}
        />
        <p class="faint">
          Table <span class="code">{game.version}</span>. To change it, edit the output of this command, and
          try it with a dry run:
        </p>
        <CommandLine line={commandLine('game', 'show', preset, stage)} />
      </Section>
    </>
  );
}

import { Change, Changes } from '../change.tsx';
import { CommandLine } from '../command-line.tsx';
import { lineOf, type Output, useRead } from '../commands.ts';
import { type PageProps, useStage } from '../context.ts';
import { DataTable } from '../data-table.tsx';
import { Part } from '../figure.tsx';
import { labelOf } from '../format.ts';
import { OutputView, Values, Waiting } from '../output.tsx';
import { hrefOf } from '../route.ts';

type Game = {
  cost: number;
  version: string;
  prizes: { id: string; label: { en: string }; chance_percent: number; weight: number }[];
  now?: object;
};
type ShownGames = { games: Record<string, Game>; [limit: string]: unknown };

export function Games({ org, query }: PageProps) {
  const read = useRead('game', 'show', { org });
  const shown = read.output as ShownGames | undefined;
  if (!shown) return <Waiting read={read} />;
  const { games, ...limits } = shown;
  const named = query.game && query.game in games ? query.game : Object.keys(games)[0]!;
  return (
    <>
      <Part
        title="Limits and holds"
        actions={<Changes noun="game" preset={{ org }} hiddenVerbs={['show', 'set']} changed={read.reload} />}
      >
        <Values values={inWords(limits).filter(([, value]) => value !== '')} />
      </Part>
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
const inWords = ({ daily_spin_limit_on: isOn, daily_spin_limit, daily_win_limit, ...others }: Output) => [
  ['daily_spin_limit', isOn ? `${daily_spin_limit} a day` : 'off'] as [string, unknown],
  ['daily_win_limit', daily_win_limit === 'off' ? 'off' : `${daily_win_limit} a day`] as [string, unknown],
  ...Object.entries(others),
];
function Promotion({ org }: { org: string }) {
  const read = useRead('promotion', 'show', { org });
  const { promotion } = (read.output ?? {}) as { promotion?: Output };
  return (
    <Part title="Promotion" actions={<Changes noun="promotion" preset={{ org }} changed={read.reload} />}>
      <Waiting read={read} />
      {promotion && <Values values={Object.entries(promotion)} />}
      {promotion === null && <p class="empty">None: all prizes can be won at any time.</p>}
    </Part>
  );
}

type GameProps = { org: string; name: string; game: Game; changed: () => void };

function GameView({ org, name, game, changed }: GameProps) {
  const stage = useStage();
  const preset = { org, game: name };
  const read = useRead('game', 'set', { ...preset, cost: String(game.cost), 'dry-run': true });
  return (
    <>
      {read.output && (
        <OutputView
          name="Each play and day"
          output={{ cost: game.cost, each_play: read.output.play, now: game.now, day: read.output.day }}
        />
      )}
      <Waiting read={read} />
      <Part
        title="Odds"
        actions={
          <Change noun="game" verb="set" label="Change table or cost" preset={preset} changed={changed} />
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
        <CommandLine line={lineOf('game', 'show', preset, stage)} />
      </Part>
    </>
  );
}

import { useState } from 'preact/hooks';
import { costs, type Game, type UserAccount } from '../../model.ts';
import { GamePicture } from '../icons.tsx';
import { countText, useTexts } from '../language.ts';
import { Balance, ProblemText } from '../parts.tsx';
import { sendAction } from '../server.ts';

export function PlayScreen({ account, open }: { account: UserAccount; open: (url: string) => void }) {
  const { lang, t } = useTexts();
  const [opening, setOpening] = useState<Game | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const play = async (game: Game) => {
    if (opening) return;
    setOpening(game);
    const { url, refused } = await sendAction({ do: 'play', game, lang });
    setOpening(undefined);
    setProblem(refused);
    if (url) open(url);
  };
  return (
    <div class="stack">
      <h1>{t.play.title}</h1>
      <Balance account={account} />
      <ProblemText code={problem} />
      <ul class="games">
        {(Object.keys(costs) as Game[]).map((game) => (
          <li key={game}>
            <button type="button" class={`game ${game}`} onClick={() => play(game)}>
              <GamePicture game={game} />
              <span>
                <b>{t.play.games[game]}</b>
                <small>{opening === game ? t.play.opening : t.play.promises[game]}</small>
                <span class="cost">{countText(t.play.cost, costs[game])}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

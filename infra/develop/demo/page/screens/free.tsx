import { useState } from 'preact/hooks';
import { costs, type Game, type UserAccount } from '../../model.ts';
import { Icon } from '../icons.tsx';
import { countText, useTexts } from '../language.ts';
import { Prizes, ProblemText, Stepper } from '../parts.tsx';
import { sendAction } from '../server.ts';

export function FreeScreen({ account }: { account: UserAccount }) {
  const { t } = useTexts();
  const [spins, setSpins] = useState(3);
  const [game, setGame] = useState<Game>('prizewheel');
  const [problem, setProblem] = useState<string | undefined>();
  const [doing, setDoing] = useState<'queue' | 'spin-run' | undefined>();
  const { waiting_spins, free_prizes } = account;
  const run = async (kind: 'queue' | 'spin-run') => {
    setDoing(kind);
    const action =
      kind === 'queue' ? { do: kind, request: crypto.randomUUID(), spins, game } : ({ do: kind } as const);
    setProblem((await sendAction(action)).refused);
    setDoing(undefined);
  };
  return (
    <div class="stack">
      <h1>{t.free.title}</h1>
      <p>{t.free.text}</p>
      <div class="card stack">
        <label class="field">
          <span>{t.free.game}</span>
          <select value={game} onChange={({ currentTarget }) => setGame(currentTarget.value as Game)}>
            {(Object.keys(costs) as Game[]).map((one) => (
              <option key={one} value={one}>
                {t.play.games[one]}
              </option>
            ))}
          </select>
        </label>
        <Stepper value={spins} set={setSpins} />
        <button type="button" class="main" disabled={doing !== undefined} onClick={() => run('queue')}>
          {t.free.button}
        </button>
        <ProblemText code={problem} />
      </div>
      {waiting_spins > 0 && (
        <section class="card night stack">
          <div role="status">
            <h2>
              <Icon name="moon" /> {countText(t.free.waiting, waiting_spins)}
            </h2>
          </div>
          <p>{t.free.when}</p>
          <button type="button" class="main" disabled={doing !== undefined} onClick={() => run('spin-run')}>
            {doing === 'spin-run' ? t.free.running : t.free.run}
          </button>
          <p class="small">{t.free.demoOnly}</p>
        </section>
      )}
      <Prizes title={t.free.results} prizes={free_prizes} />
    </div>
  );
}

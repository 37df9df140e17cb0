import { useState } from 'preact/hooks';
import { type PersonId, type Prize, people } from '../../model.ts';
import { Icon, SwallowIcon } from '../icons.tsx';
import { useTexts } from '../language.ts';
import { Prizes, ProblemText, Stepper } from '../parts.tsx';
import { sendAction } from '../server.ts';

export function SignIn({ signIn }: { signIn: (person: PersonId) => Promise<void> }) {
  const { t } = useTexts();
  const [isGuest, setGuest] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  if (isGuest) return <Guest back={() => setGuest(false)} />;
  return (
    <div class="stack">
      <div class="hero">
        <SwallowIcon />
        <h1>{t.slogan}</h1>
      </div>
      <h2>{t.signIn}</h2>
      <p class="faint">{t.demoPeople}</p>
      <ul class="people">
        {Object.entries(people).map(([person, { name, country }]) => (
          <li key={person}>
            <button type="button" onClick={() => signIn(person as PersonId).catch(() => setProblem('other'))}>
              <span class="face" aria-hidden="true">
                {name[0]}
              </span>
              {name}
              <small>{country}</small>
            </button>
          </li>
        ))}
      </ul>
      <ProblemText code={problem} />
      <button type="button" class="link" onClick={() => setGuest(true)}>
        {t.noAccount}
      </button>
    </div>
  );
}

function Guest({ back }: { back: () => void }) {
  const { t } = useTexts();
  const [spins, setSpins] = useState(3);
  const [prizes, setPrizes] = useState<Prize[]>([]);
  const [problem, setProblem] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  const play = async () => {
    setBusy(true);
    const { prizes: won = [], refused } = await sendAction({
      do: 'guest',
      request: crypto.randomUUID(),
      spins,
    });
    setBusy(false);
    setPrizes(won);
    setProblem(refused);
  };
  return (
    <div class="stack">
      <button type="button" class="link start" onClick={back}>
        <Icon name="back" /> {t.back}
      </button>
      <h1>{t.free.guest}</h1>
      <p>{t.free.guestText}</p>
      <p class="faint">{t.free.text}</p>
      <div class="card stack">
        <Stepper value={spins} set={setSpins} />
        <button type="button" class="main" disabled={isBusy} onClick={play}>
          {t.free.guestButton}
        </button>
      </div>
      <ProblemText code={problem} />
      <Prizes title={t.free.guestResults} prizes={prizes} />
    </div>
  );
}

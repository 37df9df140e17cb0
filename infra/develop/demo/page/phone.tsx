import { useEffect, useState } from 'preact/hooks';
import type { PageMessage } from '../../../../shared/client/page.ts';
import type { Lang, Prize } from '../model.ts';
import { PlayFrame } from './frame.tsx';
import { Icon, SwallowIcon } from './icons.tsx';
import { fill, prizeText, useTexts } from './language.ts';
import { ProblemText } from './parts.tsx';
import { ActivityScreen } from './screens/activity.tsx';
import { FreeScreen } from './screens/free.tsx';
import { PlayScreen } from './screens/play.tsx';
import { SendScreen } from './screens/send.tsx';
import { SignIn } from './screens/sign-in.tsx';
import type { useServer } from './server.ts';

const tabs = ['send', 'play', 'free', 'activity'] as const;
type Tab = (typeof tabs)[number];

type Props = {
  server: ReturnType<typeof useServer>;
  isCovered: boolean;
  /** Play URL of the open game; undefined if no game is open. */
  frame: string | undefined;
  setFrame: (url: string | undefined) => void;
  setLang: (lang: Lang) => void;
  openPanel: () => void;
  onMessage: (message: PageMessage) => void;
};

export function Phone({ server, isCovered, frame, setFrame, setLang, openPanel, onMessage }: Props) {
  const { hello, account } = server;
  const { lang, t } = useTexts();
  const [tab, setTab] = useState<Tab>('send');
  return (
    <div class="phone" inert={isCovered}>
      <div class="app" inert={frame !== undefined}>
        <header class="bar">
          <p class="brand">
            <SwallowIcon /> Golondrina
          </p>
          <button
            type="button"
            class="quiet"
            lang={lang === 'en' ? 'es' : 'en'}
            onClick={() => setLang(lang === 'en' ? 'es' : 'en')}
          >
            {t.otherLanguage}
          </button>
          <button type="button" class="quiet code" onClick={openPanel}>
            <Icon name="code" />
            <span class="visually-hidden">{t.developer}</span>
          </button>
        </header>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users can scroll only a focusable element */}
        <main class="screen" key={tab} tabIndex={0}>
          {server.isLost && <ProblemText code="lost" />}
          {hello && !account && <SignIn signIn={server.signIn} />}
          {account && tab === 'send' && (
            <SendScreen account={account} signOut={() => server.signIn(null)} play={() => setTab('play')} />
          )}
          {account && tab === 'play' && <PlayScreen account={account} open={setFrame} />}
          {account && tab === 'free' && <FreeScreen account={account} />}
          {account && tab === 'activity' && <ActivityScreen />}
        </main>
        {account && (
          <nav class="tabs" aria-label={t.navigation}>
            {tabs.map((name) => (
              <button
                key={name}
                type="button"
                aria-current={name === tab ? 'page' : undefined}
                onClick={() => setTab(name)}
              >
                <Icon name={name} />
                {t.tabs[name]}
              </button>
            ))}
          </nav>
        )}
      </div>
      {frame && <PlayFrame key={frame} url={frame} close={() => setFrame(undefined)} onMessage={onMessage} />}
      {/* Shows no notice while a game is open, because the game itself shows the win. */}
      {!frame && <Won server={server} />}
    </div>
  );
}

/** Announces wins from webhook events only, because users can forge the play page's messages. */
function Won({ server: { won, dismissWin } }: Pick<Props, 'server'>) {
  const { t } = useTexts();
  useEffect(() => {
    if (!won) return;
    const timer = setTimeout(dismissWin, 9_000);
    return () => clearTimeout(timer);
  }, [won, dismissWin]);
  return (
    <div class="notices" role="status">
      {won && (
        <div class="notice">
          <SwallowIcon />
          <p>
            <b>{fill(t.won.title, { prize: prizeText(t, won) })}</b>
            <br />
            {t.won[kindOf(won)]}
          </p>
          <button type="button" class="quiet" aria-label={t.close} onClick={dismissWin}>
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}

function kindOf({ cash_usd, entry_truck, entry_flight }: Prize): 'cash' | 'entry' | 'other' {
  if (cash_usd !== undefined) return 'cash';
  return entry_truck === undefined && entry_flight === undefined ? 'other' : 'entry';
}

import { useEffect, useState } from 'preact/hooks';
import type { Lang } from '../shown.ts';
import { firstLanguage, Language } from './language.ts';
import { type Message, messageStep, withMessage } from './messages.ts';
import { Panel } from './panel.tsx';
import { Phone } from './phone.tsx';
import { useServer } from './server.ts';

/** The whole page: the phone, and the developer's panel beside it or, on a phone, over it. */
export function App() {
  const server = useServer();
  const [lang, setLang] = useState<Lang>(firstLanguage);
  const [messages, setMessages] = useState<Message[]>([]);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [frame, setFrame] = useState<string | undefined>();
  useEffect(() => {
    document.documentElement.lang = lang;
    localStorage.setItem('lang', lang);
  }, [lang]);
  const steps = [...server.steps, ...messages.map(messageStep)].sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <Language.Provider value={lang}>
      <div class={isPanelOpen ? 'desk reading' : 'desk'}>
        <Phone
          server={server}
          isCovered={isPanelOpen}
          frame={frame}
          setFrame={setFrame}
          setLang={setLang}
          readCode={() => setPanelOpen(true)}
          heard={(said) => setMessages((before) => withMessage(before, said))}
        />
        <Panel steps={steps} hello={server.hello} close={() => setPanelOpen(false)} play={setFrame} />
      </div>
    </Language.Provider>
  );
}

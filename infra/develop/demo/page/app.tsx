import { useEffect, useState } from 'preact/hooks';
import type { Lang } from '../model.ts';
import { initialLanguage, LanguageContext } from './language.ts';
import { messageStep, type TimedMessage, withMessage } from './messages.ts';
import { Panel } from './panel.tsx';
import { Phone } from './phone.tsx';
import { useServer } from './server.ts';

export function App() {
  const server = useServer();
  const [lang, setLang] = useState<Lang>(initialLanguage);
  const [messages, setMessages] = useState<TimedMessage[]>([]);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [frame, setFrame] = useState<string | undefined>();
  useEffect(() => {
    document.documentElement.lang = lang;
    localStorage.setItem('lang', lang);
  }, [lang]);
  const steps = [...server.steps, ...messages.map(messageStep)].sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <LanguageContext.Provider value={lang}>
      <div class={isPanelOpen ? 'desk panel-open' : 'desk'}>
        <Phone
          server={server}
          isCovered={isPanelOpen}
          frame={frame}
          setFrame={setFrame}
          setLang={setLang}
          openPanel={() => setPanelOpen(true)}
          onMessage={(message) => setMessages((before) => withMessage(before, message))}
        />
        <Panel steps={steps} hello={server.hello} close={() => setPanelOpen(false)} play={setFrame} />
      </div>
    </LanguageContext.Provider>
  );
}

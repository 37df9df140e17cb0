import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageMessage } from '../../../../shared/client/page.ts';
import { Line } from './icons.tsx';
import { useTexts } from './language.ts';
import { useMessages } from './messages.ts';

type Props = { url: string; close: () => void; heard: (said: PageMessage) => void };

/** How long a page may take to say that it is ready. */
const patienceMs = 10_000;

/** A play URL in a sheet over the app, as high as its page says it is, until the player is done. */
export function Frame({ url, close, heard }: Props) {
  const { t } = useTexts();
  const [height, setHeight] = useState<number | undefined>();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const closer = useRef<HTMLButtonElement>(null);
  useMessages(url, (said) => {
    heard(said);
    if (said.type === 'ready') setState('ready');
    if (said.type === 'resize') setHeight(said.data.height);
    if (said.type === 'done') close();
  });
  useEffect(() => {
    if (state !== 'loading') return;
    const timer = setTimeout(() => setState('failed'), patienceMs);
    return () => clearTimeout(timer);
  }, [state]);
  useEffect(() => {
    const before = document.activeElement;
    closer.current?.focus();
    return () => before instanceof HTMLElement && before.focus();
  }, []);
  return (
    <div
      class="sheet"
      role="dialog"
      aria-modal="true"
      aria-label={t.tabs.play}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <div class="sheet-bar">
        <button type="button" class="quiet" ref={closer} aria-label={t.close} onClick={close}>
          <Line name="close" />
        </button>
      </div>
      {state !== 'ready' && (
        <div class="loading" role="status">
          <p>{state === 'failed' ? t.play.failed : t.play.loading}</p>
          {state === 'failed' && (
            <button type="button" class="main" onClick={() => setState('loading')}>
              {t.play.again}
            </button>
          )}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div class="sheet-page" tabIndex={0}>
        {state !== 'failed' && (
          <iframe
            src={url}
            title={t.play.title}
            sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
            style={{ height: height && `${height}px` }}
          />
        )}
      </div>
    </div>
  );
}

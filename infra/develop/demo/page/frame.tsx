import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageMessage } from '../../../../shared/client/page.ts';
import { Icon } from './icons.tsx';
import { useTexts } from './language.ts';
import { useMessages } from './messages.ts';

type Props = { url: string; close: () => void; onMessage: (message: PageMessage) => void };

/** If the play page has not sent `ready` within this time in milliseconds, the frame shows a failure. */
const loadTimeoutMs = 10_000;

export function PlayFrame({ url, close, onMessage }: Props) {
  const { t } = useTexts();
  const [height, setHeight] = useState<number | undefined>();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const closer = useRef<HTMLButtonElement>(null);
  const frame = useRef<HTMLIFrameElement>(null);
  useMessages(frame, (message) => {
    onMessage(message);
    if (message.type === 'ready') setState('ready');
    if (message.type === 'resize') setHeight(message.data.height);
    if (message.type === 'done') close();
  });
  useEffect(() => {
    if (state !== 'loading') return;
    const timer = setTimeout(() => setState('failed'), loadTimeoutMs);
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
          <Icon name="close" />
        </button>
      </div>
      {state !== 'ready' && (
        <div class="loading" role="status">
          <p>{state === 'failed' ? t.play.failed : t.play.loading}</p>
          {state === 'failed' && (
            <button type="button" class="main" onClick={() => setState('loading')}>
              {t.play.retry}
            </button>
          )}
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users can scroll only a focusable element */}
      <div class="sheet-page" tabIndex={0}>
        {state !== 'failed' && (
          <iframe
            ref={frame}
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

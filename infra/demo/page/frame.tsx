import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageMessage } from '../../../shared/client/page.ts';
import { Line } from './icons.tsx';
import { useTexts } from './language.ts';
import { useMessages } from './messages.ts';

type Props = { url: string; close: () => void; heard: (said: PageMessage) => void };

/** A play URL in a sheet over the app, as high as its page says it is, until the player is done. */
export function Frame({ url, close, heard }: Props) {
  const { t } = useTexts();
  const [height, setHeight] = useState<number | undefined>();
  const [isLoaded, setLoaded] = useState(false);
  const closer = useRef<HTMLButtonElement>(null);
  useMessages(url, (said) => {
    heard(said);
    if (said.type === 'resize') setHeight(said.data.height);
    if (said.type === 'done') close();
  });
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
      {!isLoaded && (
        <p class="loading" role="status">
          {t.play.loading}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <div class="sheet-page" tabIndex={0}>
        <iframe
          src={url}
          title={t.play.title}
          sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox"
          style={{ height: height && `${height}px` }}
          onLoad={() => setLoaded(true)}
        />
      </div>
    </div>
  );
}

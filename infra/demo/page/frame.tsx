import { useEffect, useRef, useState } from 'preact/hooks';
import { Line, Swallow } from './icons.tsx';
import { useTexts } from './language.ts';
import { type Message, useMessages } from './messages.ts';

type Props = { url: string; origin: string; close: () => void; heard: (message: Message) => void };

/** A play URL in a sheet over the app, as high as its page says it is, until the player is done. */
export function Frame({ url, origin, close, heard }: Props) {
  const { t } = useTexts();
  const [height, setHeight] = useState<number | undefined>();
  const [isLoaded, setLoaded] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  useMessages(
    origin,
    () => frame.current?.contentWindow,
    (message) => {
      heard(message);
      const { type, data } = message;
      if (type === 'resize') setHeight(Number(data.height) || undefined);
      if (type === 'done') close();
    },
  );
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
        <p class="brand">
          <Swallow /> Golondrina
        </p>
        <button type="button" class="quiet" ref={closer} aria-label={t.close} onClick={close}>
          <Line name="close" />
        </button>
      </div>
      {!isLoaded && (
        <p class="loading" role="status">
          {t.play.loading}
        </p>
      )}
      <div class="sheet-page">
        <iframe
          ref={frame}
          src={url}
          title={t.play.title}
          sandbox="allow-scripts allow-same-origin allow-popups"
          style={{ height: height && `${height}px` }}
          onLoad={() => setLoaded(true)}
        />
      </div>
    </div>
  );
}

import type { Game, Hold, Lang, Restriction } from '../../../../shared/vocabulary.ts';
import type { ClientData } from '../page-data.ts';
import type { Outcome } from '../view.ts';

/** The reason in the message `done`, which the page sends to the host when the player leaves. */
type DoneReason = 'won' | 'refused' | 'expired' | 'not_found';

/** The data of each type of message. Without secrets, because every script of the framing page can read messages. */
export type HostMessages = {
  ready: { game: Game; lang: Lang; playable: boolean; restrictions: (Restriction | Hold)[] };
  started: Record<string, never>;
  result: { outcome: Outcome };
  refused: { code: string };
  done: { reason: DoneReason };
  /** `height` is in CSS pixels. */
  resize: { height: number };
};

export type HostChannel = {
  /** True if an app or a framing website receives the page's messages. */
  isListening: boolean;
  send: <T extends keyof HostMessages>(type: T, data: HostMessages[T]) => void;
};

type Native = {
  ReactNativeWebView?: { postMessage: (message: string) => void };
  webkit?: { messageHandlers?: { incentives?: { postMessage: (message: object) => void } } };
};

const allowedFramers = (framers: readonly string[]) => {
  if (parent === window) return [];
  const framer = location.ancestorOrigins?.[0] ?? 'null';
  return framer === 'null' ? framers : framers.filter((allowed) => allowed === framer);
};

/** Tells the developer of a framing page, in the browser's console, why the page gets no messages. */
const explainSilence = () =>
  console.info(
    'Incentives: this page sends no messages to the page that frames it, because frame_origins is empty. ' +
      'Set frame_origins to the origin of the framing page: PUT /page with your API key.',
  );

export const hostChannelOf = ({ framers }: ClientData): HostChannel => {
  const { ReactNativeWebView: native, webkit } = window as Native;
  const handler = webkit?.messageHandlers?.incentives;
  const origins = allowedFramers(framers);
  if (parent !== window && framers.length === 0) explainSilence();
  const channels = [
    ...(native ? [(message: object) => native.postMessage(JSON.stringify(message))] : []),
    ...(handler ? [(message: object) => handler.postMessage(message)] : []),
    ...origins.map((origin) => (message: object) => parent.postMessage(message, origin)),
  ];
  return {
    isListening: channels.length > 0,
    send(type, data) {
      for (const post of channels) {
        try {
          post({ source: 'incentives', version: 1, type, data });
        } catch {
          // Ignores errors of the host's listener, so that the game continues.
        }
      }
    },
  };
};

export const hasOpaqueOrigin = () => origin === 'null';

/** States of a URL that can never be played again, with the `code` of `refused` and the `reason` of `done`. */
const deadEnds = {
  expired: { code: 'play_expired', reason: 'expired' },
  voided: { code: 'play_voided', reason: 'refused' },
  unknown: { code: 'play_not_found', reason: 'not_found' },
} as const;

/** Sends the page's state to the host, after the page was loaded and after its content was replaced. */
export const sendStateToHost = ({ send }: HostChannel, data: ClientData) => {
  const { game, lang, state, restriction, tickets_only, outcome } = data;
  const restrictions = [
    ...(tickets_only ? (['tickets_only'] as const) : []),
    ...(restriction ? [restriction.code] : []),
  ];
  send('ready', { game, lang, playable: state === 'ready' && !hasOpaqueOrigin(), restrictions });
  if (outcome) send('result', { outcome });
  if (restriction) send('refused', { code: restriction.code });
  else if (state === 'ready' && hasOpaqueOrigin()) send('refused', { code: 'forbidden' });
  // Sends no `done`, because the host would close the page before the player has read the reason.
  if (state === 'expired' || state === 'voided' || state === 'unknown')
    send('refused', { code: deadEnds[state].code });
};

export const doneReasonOf = (root: Element): DoneReason => {
  const state = root.getAttribute('data-state') ?? '';
  if (state === 'played') return 'won';
  if (state === 'refused' || state === 'preview') return 'refused';
  return deadEnds[state as keyof typeof deadEnds].reason;
};

/** Sends the height of the page's content to the host whenever it changes. */
export const sendHeightChanges = (root: Element, { send }: HostChannel) => {
  const parts = [...root.querySelectorAll(':scope > :not(script)')];
  let lastHeight = 0;
  const observer = new ResizeObserver(() => {
    if (!root.isConnected) return observer.disconnect();
    const lowest = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom));
    const padding = Number.parseFloat(getComputedStyle(root).paddingBottom);
    const height = Math.ceil(lowest - root.getBoundingClientRect().top + padding);
    if (height === lastHeight) return;
    lastHeight = height;
    send('resize', { height });
  });
  for (const part of parts) observer.observe(part);
};

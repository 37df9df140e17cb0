import type { Game, Hold, Lang, Restriction } from '../../../../shared/vocabulary.ts';
import type { PageData } from '../page-data.ts';
import type { Outcome } from '../view.ts';

/** Why a player is done with the page. */
export type DoneReason = 'won' | 'refused' | 'expired' | 'not_found';

/** What the host is told, by the type of message. Nothing of it is secret. */
export type Told = {
  ready: { game: Game; lang: Lang; playable: boolean; restrictions: (Restriction | Hold)[] };
  started: Record<string, never>;
  result: { outcome: Outcome };
  refused: { code: string };
  done: { reason: DoneReason };
  /** Of the page's content, in CSS pixels. */
  resize: { height: number };
};

/** Whoever shows the page. */
export type Host = {
  /** Whether there is somebody to tell. */
  isListening: boolean;
  tell: <T extends keyof Told>(type: T, data: Told[T]) => void;
};

type Native = {
  ReactNativeWebView?: { postMessage: (message: string) => void };
  webkit?: { messageHandlers?: { incentives?: { postMessage: (message: object) => void } } };
};

/** The origins at which a page that frames this one may be told: its own, if the browser says which that is. */
const framersToTell = (framers: readonly string[]) => {
  if (parent === window) return [];
  const framer = location.ancestorOrigins?.[0] ?? 'null';
  return framer === 'null' ? framers : framers.filter((one) => one === framer);
};

/** The host of this page: the app that has it in a web view, or the page of an allowed origin that frames it. */
export const hostOf = ({ framers }: PageData): Host => {
  const { ReactNativeWebView: native, webkit } = window as Native;
  const handler = webkit?.messageHandlers?.incentives;
  const origins = framersToTell(framers);
  const ways = [
    ...(native ? [(message: object) => native.postMessage(JSON.stringify(message))] : []),
    ...(handler ? [(message: object) => handler.postMessage(message)] : []),
    ...origins.map((origin) => (message: object) => parent.postMessage(message, origin)),
  ];
  return {
    isListening: ways.length > 0,
    tell(type, data) {
      for (const send of ways) {
        try {
          send({ source: 'incentives', version: 1, type, data });
        } catch {
          // A host that fails to listen is no reason not to play.
        }
      }
    },
  };
};

/** Whether the frame's sandbox gives the page an origin of its own, from which it reaches nothing. */
export const isCutOff = () => origin === 'null';

/** The refusals of pages that lead nowhere any more, and why their players are done. */
const deadEnds = {
  expired: { code: 'play_expired', reason: 'expired' },
  voided: { code: 'play_voided', reason: 'refused' },
  unknown: { code: 'play_not_found', reason: 'not_found' },
} as const;

/** Tells the host what the page shows, once that is there or has changed as a whole. */
export const tellState = ({ tell }: Host, data: PageData) => {
  const { game, lang, state, restriction, tickets_only, outcome } = data;
  const restrictions = [
    ...(tickets_only ? (['tickets_only'] as const) : []),
    ...(restriction ? [restriction.code] : []),
  ];
  tell('ready', { game, lang, playable: state === 'ready' && !isCutOff(), restrictions });
  if (outcome) tell('result', { outcome });
  if (restriction) tell('refused', { code: restriction.code });
  else if (state === 'ready' && isCutOff()) tell('refused', { code: 'forbidden' });
  // That a player is done is for the player to say, who has yet to read why.
  if (state === 'expired' || state === 'voided' || state === 'unknown')
    tell('refused', { code: deadEnds[state].code });
};

/** Why a player who leaves the page is done with it, by what it shows. */
export const reasonOf = (root: Element): DoneReason => {
  const state = root.getAttribute('data-state') ?? '';
  if (state === 'played') return 'won';
  return state === 'refused' ? 'refused' : deadEnds[state as keyof typeof deadEnds].reason;
};

/** Tells the host how high the page's content is, whenever that changes. */
export const tellHeight = (root: Element, { tell }: Host) => {
  const parts = [...root.querySelectorAll(':scope > :not(script)')];
  let told = 0;
  const observer = new ResizeObserver(() => {
    if (!root.isConnected) return observer.disconnect();
    const lowest = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom));
    const padding = Number.parseFloat(getComputedStyle(root).paddingBottom);
    const height = Math.ceil(lowest - root.getBoundingClientRect().top + padding);
    if (height === told) return;
    told = height;
    tell('resize', { height });
  });
  for (const part of parts) observer.observe(part);
};

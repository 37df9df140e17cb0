import type { ErrorCode, Game, Lang, Outcome, Restriction } from './operations.ts';

/** A message from a play page in your frame. Later versions may add fields and types, so ignore unknown ones. */
export type PageMessage = { source: 'incentives'; version: 1 } & (
  | {
      type: 'ready';
      data: {
        game: Game;
        lang: Lang;
        playable: boolean;
        restrictions: (Restriction | 'organization_suspended' | 'user_frozen' | 'game_paused')[];
      };
    }
  | { type: 'started'; data: Record<string, never> }
  | { type: 'result'; data: { outcome: Outcome } }
  | { type: 'refused'; data: { code: ErrorCode } }
  | { type: 'done'; data: { reason: 'won' | 'refused' | 'expired' | 'not_found' } }
  | { type: 'resize'; data: { height: number } }
);

const types = ['ready', 'started', 'result', 'refused', 'done', 'resize'] satisfies PageMessage['type'][];

/** A frame of a play page: an `HTMLIFrameElement`. */
type PlayFrame = { src: string; contentWindow: unknown };

/** Returns the message that a frame's play page sent in a window event, or undefined for another sender. */
export function pageMessageOf(
  event: { origin: string; source: unknown; data: unknown },
  { src, contentWindow }: PlayFrame,
): PageMessage | undefined {
  const message = event.data as Partial<PageMessage> | null | undefined;
  // Compares the window, because several play pages of one origin can be open, and the origin, because a link can
  // lead the window elsewhere.
  const isOfFrame =
    contentWindow !== null && event.source === contentWindow && event.origin === new URL(src).origin;
  const isOurs = isOfFrame && message?.source === 'incentives' && message.version === 1;
  return isOurs && types.some((type) => type === message.type) ? (message as PageMessage) : undefined;
}

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

/** Returns the play page's message in a window event, or undefined for another sender. `playUrl` is the frame's URL. */
export function pageMessageOf(
  event: { origin: string; data: unknown },
  playUrl: string,
): PageMessage | undefined {
  const message = event.data as Partial<PageMessage> | null | undefined;
  const isOurs =
    event.origin === new URL(playUrl).origin && message?.source === 'incentives' && message.version === 1;
  return isOurs && types.some((type) => type === message.type) ? (message as PageMessage) : undefined;
}

import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { type PageMessage, pageMessageOf } from '../../../../shared/client/page.ts';
import type { PanelStep } from '../model.ts';

export type TimedMessage = { id: number; at: string; message: PageMessage };

/** A `resize` message replaces the previous `resize` message, because play pages send many. */
export const withMessage = (before: TimedMessage[], message: PageMessage): TimedMessage[] => [
  ...before.filter((one) => message.type !== 'resize' || one.message.type !== 'resize'),
  { id: -performance.now(), at: new Date().toISOString(), message },
];

export type MessageStep = Omit<PanelStep, 'kind'> & { kind: 'message'; data: object };
export const messageStep = ({ id, at, message }: TimedMessage): MessageStep => ({
  kind: 'message',
  id,
  at,
  title: message.type,
  data: message,
});

export function useMessages(frame: RefObject<HTMLIFrameElement>, onMessage: (message: PageMessage) => void) {
  useEffect(() => {
    const listener = (event: MessageEvent) => {
      const message = frame.current ? pageMessageOf(event, frame.current) : undefined;
      if (message) onMessage(message);
    };
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  });
}

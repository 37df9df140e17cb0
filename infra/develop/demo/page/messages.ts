/** Messages from the framed play page. */
import { useEffect } from 'preact/hooks';
import { type PageMessage, pageMessageOf } from '../../../../shared/client/page.ts';
import type { Step } from '../model.ts';

/** A message with its time of arrival. */
export type Message = { id: number; at: string; message: PageMessage };

/** Adds a message. Keeps only the latest `resize` message. */
export const withMessage = (before: Message[], message: PageMessage): Message[] => [
  ...before.filter((one) => message.type !== 'resize' || one.message.type !== 'resize'),
  { id: -performance.now(), at: new Date().toISOString(), message },
];

/** A message as a step in the developer panel. */
export type MessageStep = Omit<Step, 'kind'> & { kind: 'message'; data: object };
export const messageStep = ({ id, at, message }: Message): MessageStep => ({
  kind: 'message',
  id,
  at,
  title: message.type,
  data: message,
});

/** Calls `onMessage` for each message from the page of a play URL. */
export function useMessages(playUrl: string, onMessage: (message: PageMessage) => void) {
  useEffect(() => {
    const listener = (event: MessageEvent) => {
      const message = pageMessageOf(event, playUrl);
      if (message) onMessage(message);
    };
    addEventListener('message', listener);
    return () => removeEventListener('message', listener);
  });
}

/** What the page in the frame says to the page around it. */
import { useEffect } from 'preact/hooks';
import { type PageMessage, pageMessageOf } from '../../../../shared/client/page.ts';
import type { Step } from '../shown.ts';

/** A message, with when it came. */
export type Message = { id: number; at: string; said: PageMessage };

/** Messages with one more; of heights the last is enough. */
export const withMessage = (before: Message[], said: PageMessage): Message[] => [
  ...before.filter((one) => said.type !== 'resize' || one.said.type !== 'resize'),
  { id: -performance.now(), at: new Date().toISOString(), said },
];

/** A message as a step for developers to read. */
export type MessageStep = Omit<Step, 'kind'> & { kind: 'message'; data: object };
export const messageStep = ({ id, at, said }: Message): MessageStep => ({
  kind: 'message',
  id,
  at,
  title: said.type,
  data: said,
});

/** Hears what the page of a play URL says. */
export function useMessages(playUrl: string, hear: (said: PageMessage) => void) {
  useEffect(() => {
    const heard = (event: MessageEvent) => {
      const said = pageMessageOf(event, playUrl);
      if (said) hear(said);
    };
    addEventListener('message', heard);
    return () => removeEventListener('message', heard);
  });
}

/** What the page in the frame says to the page around it. */
import { useEffect } from 'preact/hooks';
import type { Step } from '../shown.ts';

/** A message as it came, with when. */
export type Message = { at: string; type: string; data: Record<string, unknown> };

/** A message as a step for developers to read. */
export type MessageStep = Omit<Step, 'kind'> & { kind: 'message'; data: Message['data'] };
export const messageStep = ({ at, type, data }: Message, index: number): MessageStep => ({
  kind: 'message',
  id: -1 - index,
  at,
  title: type,
  data,
});

/** Hears what the window of a frame says, if it is of the origin of the API. */
export function useMessages(
  origin: string,
  frame: () => Window | null | undefined,
  hear: (message: Message) => void,
) {
  useEffect(() => {
    const heard = (event: MessageEvent) => {
      if (event.origin !== origin || event.source !== frame()) return;
      const { source, version, type, data } = event.data ?? {};
      if (source !== 'incentives' || version !== 1 || typeof type !== 'string') return;
      hear({ at: new Date().toISOString(), type, data: data ?? {} });
    };
    addEventListener('message', heard);
    return () => removeEventListener('message', heard);
  });
}

/** How the page talks with its server: it asks for something, and is told what happens. */
import { useCallback, useEffect, useReducer } from 'preact/hooks';
import type { Action } from '../actions.ts';
import type { Account, Done, Person, Prize, Step, Told } from '../shown.ts';

/** What the page knows. */
export type Known = {
  hello: (Told & { type: 'hello' }) | undefined;
  account: Account | undefined;
  /** The newest first. */
  steps: Step[];
  /** What was won and not yet looked at. */
  won: Prize | undefined;
  /** Whether the server is not heard of any more. */
  isLost: boolean;
};

const nothing: Known = { hello: undefined, account: undefined, steps: [], won: undefined, isLost: false };
const againMs = 2_000;

function heard(known: Known, told: Told | { type: 'seen' } | { type: 'lost' }): Known {
  if (told.type === 'hello') return { ...nothing, hello: told };
  if (told.type === 'account') return { ...known, account: told.account };
  if (told.type === 'won') return { ...known, won: told.prize };
  if (told.type === 'lost') return { ...known, isLost: true };
  if (told.type === 'seen') return { ...known, won: undefined };
  return { ...known, steps: [told.step, ...known.steps] };
}

/** What the server tells, as it comes, and ways to sign in and out and to forget what was won. */
export function useServer() {
  const [known, hear] = useReducer(heard, nothing);
  const [session, open] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const source = new EventSource('/events');
    let again: ReturnType<typeof setTimeout> | undefined;
    source.onmessage = ({ data }) => hear(JSON.parse(data) as Told);
    source.onerror = () => {
      hear({ type: 'lost' });
      // After an answer that is none, a browser does not try again by itself.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, againMs, undefined);
    };
    return () => {
      clearTimeout(again);
      source.close();
    };
  }, [session]);
  const signIn = useCallback(async (person: Person | null) => {
    await post('/session', { person });
    open(undefined);
  }, []);
  const seen = useCallback(() => hear({ type: 'seen' }), []);
  return { ...known, signIn, seen };
}

/** Asks the server for something. What the API refused has a code, and so has what did not get through: `other`. */
export const ask = (action: Action): Promise<Done> =>
  post('/actions', action).catch(() => ({ refused: 'other' }));

async function post(path: string, body: object): Promise<Done> {
  const headers = { 'content-type': 'application/json', 'x-incentives-page': '1' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as Done;
}

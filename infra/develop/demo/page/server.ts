import { useCallback, useEffect, useReducer } from 'preact/hooks';
import type { DemoAction } from '../actions.ts';
import type { ActionResult, PanelStep, PersonId, Prize, ServerEvent, UserAccount } from '../model.ts';

type PageState = {
  hello: (ServerEvent & { type: 'hello' }) | undefined;
  account: UserAccount | undefined;
  /** API requests and webhook calls, newest first, for the developer panel. */
  steps: PanelStep[];
  /** A won prize whose notice the user has not closed yet. */
  won: Prize | undefined;
  /** True while the event stream is disconnected. */
  isLost: boolean;
};

const initialState: PageState = {
  hello: undefined,
  account: undefined,
  steps: [],
  won: undefined,
  isLost: false,
};
const reconnectMs = 2_000;

function nextState(
  state: PageState,
  event: ServerEvent | { type: 'dismissed' } | { type: 'lost' },
): PageState {
  if (event.type === 'hello') return { ...initialState, hello: event };
  if (event.type === 'account') return { ...state, account: event.account };
  if (event.type === 'won') return { ...state, won: event.prize };
  if (event.type === 'lost') return { ...state, isLost: true };
  if (event.type === 'dismissed') return { ...state, won: undefined };
  return { ...state, steps: [event.step, ...state.steps] };
}

export function useServer() {
  const [state, dispatch] = useReducer(nextState, initialState);
  const [session, open] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const source = new EventSource('/events');
    let reconnectTimer: ReturnType<typeof setTimeout> | undefined;
    source.onmessage = ({ data }) => dispatch(JSON.parse(data) as ServerEvent);
    source.onerror = () => {
      dispatch({ type: 'lost' });
      // Reconnects after an HTTP error. Browsers reconnect by themselves only after a lost connection.
      if (source.readyState === EventSource.CLOSED) reconnectTimer = setTimeout(open, reconnectMs, undefined);
    };
    return () => {
      clearTimeout(reconnectTimer);
      source.close();
    };
  }, [session]);
  const signIn = useCallback(async (person: PersonId | null) => {
    await post('/session', { person });
    open(undefined);
  }, []);
  const dismissWin = useCallback(() => dispatch({ type: 'dismissed' }), []);
  return { ...state, signIn, dismissWin };
}

/** In the result, `refused` is the API's error code, or `other` if the request failed. */
export const sendAction = (action: DemoAction): Promise<ActionResult> =>
  post('/actions', action).catch(() => ({ refused: 'other' }));

async function post(path: string, body: object): Promise<ActionResult> {
  const headers = { 'content-type': 'application/json', 'x-incentives-page': '1' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as ActionResult;
}

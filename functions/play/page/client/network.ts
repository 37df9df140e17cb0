import type { Texts } from '../texts/en.ts';
import type { Fairness, Outcome } from '../view.ts';

/** The reason why the player has to wait, which is also the key of the text to show. */
export type WaitReason = keyof Pick<Texts['client'], 'slow' | 'offline' | 'busy'>;

export type PlayAnswer =
  /** `balance` is the user's ticket balance after the play, if the service sent it. */
  | { kind: 'outcome'; outcome: Outcome; fairness: Fairness; balance?: number }
  | { kind: 'refused' }
  | { kind: 'rejected' }
  | { kind: 'stalled' };

const patienceSeconds = 12;
const firstWaitMs = 400;
const maxWaitMs = 8_000;
const attempts = 9;

/** Waits for `ms` milliseconds. Resolves earlier if the device comes online or the page becomes visible. */
const pause = (ms: number) =>
  new Promise<void>((done) => {
    const wake = () => {
      clearTimeout(timer);
      removeEventListener('online', wake);
      document.removeEventListener('visibilitychange', wake);
      done();
    };
    const timer = setTimeout(wake, ms);
    addEventListener('online', wake);
    document.addEventListener('visibilitychange', wake);
  });

const backoff = (attempt: number) =>
  Math.min(maxWaitMs, firstWaitMs * 2 ** attempt) * (0.75 + Math.random() / 2);

const request = async <T>(url: string, options: RequestInit, read: (response: Response) => Promise<T>) => {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), patienceSeconds * 1000);
  try {
    return await read(await fetch(url, { ...options, cache: 'no-store', signal: abort.signal }));
  } finally {
    clearTimeout(timer);
  }
};

const retryAfterMs = (response: Response) => {
  const seconds = Number(response.headers.get('retry-after'));
  return Math.min(30, Math.max(0.5, seconds || 1)) * 1000;
};

type Reading = PlayAnswer | { kind: 'wait'; ms: number };

const readAnswer = async (response: Response): Promise<Reading> => {
  const { status } = response;
  if (status === 429 || status === 503) return { kind: 'wait', ms: retryAfterMs(response) };
  if ([403, 404, 409, 410].includes(status)) return { kind: 'refused' };
  if (status >= 400 && status < 500 && status !== 408) return { kind: 'rejected' };
  const body = await response.json();
  // A response without an outcome is a failed attempt, for example the sign-in page of a public network.
  if (status !== 200 || body.status !== 'success') throw new Error('no answer');
  const balance = response.headers.get('ticket-balance');
  return {
    kind: 'outcome',
    outcome: body.outcome,
    fairness: body.fairness ?? {},
    ...(balance ? { balance: Number(balance) } : {}),
  };
};

/** Tries up to `attempts` times, which is safe: a URL has only one outcome. Calls `onTrouble` after each failure. */
export const requestOutcome = async (
  url: string,
  clientSeed: string,
  onTrouble: (trouble: WaitReason) => void,
): Promise<PlayAnswer> => {
  const options = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_seed: clientSeed }),
  };
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const answer = await request(url, options, readAnswer);
      if (answer.kind !== 'wait') return answer;
      onTrouble('busy');
      await pause(answer.ms);
    } catch {
      onTrouble(navigator.onLine === false ? 'offline' : 'slow');
      await pause(backoff(attempt));
    }
  }
  return { kind: 'stalled' };
};

const readPage = async (response: Response) => {
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  if (!page.querySelector('#play #data')) throw new Error('no page');
  return page;
};

/** Requests the page until a play page arrives. Calls `onFailure` after each failed attempt. */
export const fetchPlayPage = async (url: string, onFailure: () => void): Promise<Document> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await request(url, {}, readPage);
    } catch {
      onFailure();
      await pause(backoff(attempt));
    }
  }
};

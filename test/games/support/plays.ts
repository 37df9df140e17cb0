import { createPlayUrl, play } from '../../../shared/games/plays.ts';
import { tableClient } from '../../../shared/table/client.ts';
import { type Answer, type Api, baseUrl, request } from '../../support/api.ts';
import { watchingCalls } from '../../support/calls.ts';
import { invoke } from '../../support/invoke.ts';
import { untilAnswered } from '../../support/repeat.ts';

export const spinUrl = (url: string, body: unknown = {}): Promise<Answer> =>
  request('POST', `${url.slice(baseUrl.length)}/spin`, { body });

/** Plays a URL at the time `now`, so that a test can have all its plays on one day. */
export const spinAt = (now: number, url: string) => {
  const path = { token: url.split('/').at(-1)! };
  return untilAnswered(() => invoke('play/spin', { organizationId: '', path, body: {}, now }));
};

export const openUrl = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  request('GET', url.slice(baseUrl.length), { headers });

export const newUrl = async (api: Api, user: string, body: object = {}): Promise<string> =>
  (await api.post(`/users/${user}/games/play`, body)).body.url;

/** Returns a user's ticket balance, outcomes and ticket transactions, newest first. */
export async function accountOf(api: Api, user: string) {
  const [balance, outcomes, tickets] = await Promise.all([
    api.get(`/users/${user}/tickets/balance`),
    api.get(`/users/${user}/games/history`, { limit: 1000 }),
    api.get(`/users/${user}/tickets/history`, { limit: 1000 }),
  ]);
  return {
    balance: balance.body.balance,
    outcomes: outcomes.body.items,
    transactions: tickets.body.transactions,
  };
}

/** Creates a play URL for the prize wheel and plays it at a given time, in the test's process. */
export async function playAt(api: Api, userId: string, now: number) {
  const asked = { organizationId: api.organizationId, userId, game: 'prizewheel', lang: 'en', now } as const;
  const { token } = await createPlayUrl(asked);
  return play(token, '', now);
}

/** Calls `happens` just before `run` sends its transaction number `nth`. The transaction's reads are already done. */
export async function changingBefore(
  nth: number,
  happens: () => Promise<unknown>,
  run: () => Promise<unknown>,
): Promise<void> {
  let transactions = 0;
  await watchingCalls(tableClient, run, async ({ operation }) => {
    if (operation === 'TransactWriteItems' && ++transactions === nth) await happens();
    return undefined;
  });
}

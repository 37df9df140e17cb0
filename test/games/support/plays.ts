import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { bundleForLocal } from '../../../infra/bundle.ts';
import type { Prize, PrizeKind } from '../../../shared/prize-tables.ts';
import { type Answer, type Api, baseUrl, request } from '../../support/api.ts';

/** Plays a URL, as its page does. */
export const spinUrl = (url: string, body: unknown = {}): Promise<Answer> =>
  request('POST', `${url.slice(baseUrl.length)}/spin`, { body });

/** Opens a URL, as a browser does. */
export const openUrl = (url: string, headers: Record<string, string> = {}): Promise<Answer> =>
  request('GET', url.slice(baseUrl.length), { headers });

/** A new play URL of a user. */
export const newUrl = async (api: Api, user: string, body: object = {}): Promise<string> =>
  (await api.post(`/users/${user}/games/play`, body)).body.url;

/** A user's ticket balance, and all outcomes and ticket transactions, newest first. */
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

/** A prize for a table of a test's own. */
export const prizeOf = (kind: PrizeKind, amount: number, weight: number): Prize => ({
  id: `${kind.replaceAll('_', '-')}-${amount}`,
  kind,
  amount,
  weight,
  label: { en: `${kind} ${amount}`, es: `${kind} ${amount}` },
});

type Invoked = { status: number; body: string; headers: Record<string, string> };

/** The functions of the play URLs, bundled as they are deployed, to be invoked at any time of the gateway's clock. */
export function usePlayFunctions() {
  const folder = mkdtempSync(join(buildFolder(), 'play-'));
  beforeAll(() => bundleForLocal(folder, ['play/open', 'play/spin']));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return async (name: 'play/open' | 'play/spin', token: string, now: number, body = {}): Promise<Invoked> => {
    const { handler } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    const event = {
      headers: {},
      pathParameters: { token },
      body: JSON.stringify(body),
      requestContext: { requestId: 'test', requestTimeEpoch: now, domainName: 'localhost', stage: 'local' },
    };
    const answer = await handler(event, {});
    return { status: answer.statusCode, body: answer.body, headers: answer.headers };
  };
}

function buildFolder(): string {
  const folder = join(import.meta.dirname, '../../../.build');
  mkdirSync(folder, { recursive: true });
  return folder;
}

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { renderPlayPage } from '../../../functions/play/page/render.ts';
import type {
  Fairness,
  Lang,
  ListedPrize,
  Outcome,
  PageView,
  ShownRestriction,
} from '../../../functions/play/page/view.ts';
import { commitmentTo, draw } from '../../../shared/games/draw.ts';
import { defaultPrizeTables, type Prize, versionOfPrizes } from '../../../shared/games/prize-tables.ts';
import { prizesInDraw } from '../../../shared/games/rules.ts';
import { type PageSettings, pageSettingsIn } from '../../../shared/organizations/page-settings.ts';
import type { Game } from '../../../shared/vocabulary.ts';
import { serve } from '../../support/serve.ts';

const lifetimeMs = 30 * 60_000;

export type PlayOptions = {
  lang?: Lang;
  game?: Game;
  balance?: number;
  cost?: number;
  cashLeftUsd?: number;
  ticketsOnly?: boolean;
  restriction?: ShownRestriction | undefined;
  rulesUrl?: string;
  page?: Partial<PageSettings>;
  voided?: boolean;
  prizes?: Prize[];
  expiresInMs?: number;
  /** The prize to win. The server cheats: it replaces the client seed by a seed that draws this prize. */
  prizeId?: string;
};

type Play = Required<Pick<PlayOptions, 'lang' | 'game' | 'balance' | 'cost'>> & {
  options: PlayOptions;
  prizes: ListedPrize[];
  version: string;
  expiresAt: number;
  serverSeed: string;
  played?: { outcome: Outcome; fairness: Fairness };
  spins: number;
};

const costs: Record<Game, number> = { prizewheel: 1, truck: 5, flight: 10 };

/** Returns the cash budget of a play, which by default covers every prize. */
const limitsOf = ({ cashLeftUsd, ticketsOnly = false, prizes = [] }: PlayOptions) => {
  const limit = ticketsOnly ? 0 : (cashLeftUsd ?? Math.max(500, ...prizes.map(({ amount }) => amount)));
  return { cash: { grants: 0, granted: 0, limit } };
};

const listed = (prizes: readonly Prize[], options: PlayOptions): ListedPrize[] => {
  const eligible = prizesInDraw(prizes, limitsOf(options));
  return prizes.map((prize) => ({ ...prize, available: eligible.includes(prize) }));
};

const newPlay = (options: PlayOptions): Play => {
  const game = options.game ?? 'prizewheel';
  const prizes = options.prizes ?? defaultPrizeTables[game].prizes;
  return {
    options,
    game,
    lang: options.lang ?? 'en',
    cost: options.cost ?? costs[game],
    balance: options.balance ?? 24,
    prizes: listed(prizes, options),
    version: versionOfPrizes(game, prizes),
    expiresAt: Date.now() + (options.expiresInMs ?? lifetimeMs),
    serverSeed: randomBytes(32).toString('hex'),
    spins: 0,
  };
};

const stateOf = ({ played, expiresAt, options }: Play): PageView['state'] => {
  if (played) return 'played';
  if (options.voided) return 'voided';
  if (expiresAt <= Date.now()) return 'expired';
  return options.restriction ? 'refused' : 'ready';
};

const viewOf = (play: Play): PageView => ({
  lang: play.lang,
  game: play.game,
  state: stateOf(play),
  now: new Date().toISOString(),
  expires_at: new Date(play.expiresAt).toISOString(),
  cost: play.cost,
  balance: play.balance,
  prizes: play.prizes,
  tickets_only: play.options.ticketsOnly ?? false,
  prize_table_version: play.version,
  commitment: commitmentTo(play.serverSeed),
  ...(play.options.rulesUrl ? { rules_url: play.options.rulesUrl } : {}),
  page: pageSettingsIn(play.options.page),
  ...(play.options.restriction ? { restriction: play.options.restriction } : {}),
  ...(play.played ?? {}),
});

const spin = (play: Play, requestedSeed: string) => {
  const { options, prizes } = play;
  const limits = limitsOf(options);
  const drawWith = (clientSeed: string) =>
    draw(prizesInDraw(prizes, limits), { serverSeed: play.serverSeed, clientSeed, spinIndex: 0 });
  let clientSeed = requestedSeed;
  if (options.prizeId !== undefined) {
    for (let i = 0; clientSeed === requestedSeed || drawWith(clientSeed).id !== options.prizeId; i++)
      clientSeed = requestedSeed.slice(0, 24) + i.toString(16).padStart(8, '0');
  }
  const prize = drawWith(clientSeed);
  const now = new Date().toISOString();
  play.balance += (prize.kind === 'tickets' ? prize.amount : 0) - play.cost;
  play.played = {
    outcome: {
      id: `out_${randomBytes(13).toString('hex').toUpperCase()}`,
      user_id: 'usr_01KAF3Z1MWXQ2T6V9B4N8D7C5E',
      game: play.game,
      play_type: 'regular',
      prize: { [prize.kind]: prize.amount },
      timestamp: now,
      result_effective_date: now,
    },
    fairness: {
      commitment: commitmentTo(play.serverSeed),
      server_seed: play.serverSeed,
      client_seed: clientSeed,
      prize_table_version: play.version,
      prize_id: prize.id,
      budgets: limits,
    },
  };
};

const answer = (response: ServerResponse, status: number, body: object, headers: object = {}) => {
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(JSON.stringify(body));
};

const refuse = (response: ServerResponse, status: number, code: string) =>
  answer(response, status, { status: 'error', code, message: code, request_id: 'req-1' });

const answerSpin = async (play: Play | undefined, request: IncomingMessage, response: ServerResponse) => {
  const body = (await json(request)) as { client_seed?: string };
  if (!play) return refuse(response, 404, 'play_not_found');
  play.spins++;
  const state = stateOf(play);
  if (state === 'expired') return refuse(response, 410, 'play_expired');
  const { code } = play.options.restriction ?? {};
  const isForbidden = code === 'organization_suspended' || code === 'user_frozen';
  if (code) return refuse(response, isForbidden ? 403 : 409, code);
  if (!play.played) spin(play, body.client_seed ?? '');
  const headers = { 'ticket-balance': String(play.balance) };
  answer(response, 200, { status: 'success', ...play.played }, headers);
};

/** Serves a host's page that frames a play page and collects the play page's messages in `messages`. */
const answerHostPage = (query: URLSearchParams, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const sandbox = query.has('sandbox') ? ` sandbox="${query.get('sandbox')}"` : '';
  response.end(
    query.get('body') ??
      `<!doctype html><script>messages = []; onmessage = ({ origin, data }) => messages.push({ origin, data })</script>
<iframe src="${query.get('frame')}" width="360" height="700"${sandbox}></iframe>`,
  );
};

/** Starts a server whose play endpoints respond like the real ones, with plays in memory. */
export const startFixture = async () => {
  const plays = new Map<string, Play>();
  const { url, close } = await serve(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (searchParams.has('frame')) return answerHostPage(searchParams, response);
    const [, token = '', isSpin] = /^\/stage\/play\/([^/?]+)(\/spin)?$/.exec(request.url ?? '') ?? [];
    const play = plays.get(token);
    if (isSpin) return answerSpin(play, request, response);
    const unknown = {
      lang: 'en',
      game: 'prizewheel',
      state: 'unknown',
      now: new Date().toISOString(),
    } as const;
    const { html, headers } = renderPlayPage(play ? viewOf(play) : unknown);
    response.writeHead(play ? 200 : 404, headers).end(html);
  });
  const baseUrl = `${url}/stage`;
  return {
    baseUrl,
    renderPage: renderPlayPage,
    async openPlay(options: PlayOptions = {}) {
      const token = randomBytes(32).toString('base64url');
      plays.set(token, newPlay(options));
      return `${baseUrl}/play/${token}`;
    },
    /** The origin of the host's page, which differs from the play pages' origin. */
    hostOrigin: new URL(baseUrl.replace('127.0.0.1', 'localhost')).origin,
    hostPage: (url: string, more: { sandbox?: string; body?: string } = {}) =>
      `${baseUrl.replace('127.0.0.1', 'localhost')}/host?${new URLSearchParams({ frame: url, ...more })}`,
    /** Changes a play's options, as if another device or an operator had changed the play. */
    change(url: string, options: PlayOptions) {
      const play = plays.get(url.split('/').pop()!)!;
      Object.assign(play.options, options);
      if (options.balance !== undefined) play.balance = options.balance;
      if (options.expiresInMs !== undefined) play.expiresAt = Date.now() + options.expiresInMs;
    },
    /** Cheats: replaces a play's server seed after the page has shown the commitment to the original seed. */
    replaceSeed(url: string, serverSeed: string) {
      plays.get(url.split('/').pop()!)!.serverSeed = serverSeed;
    },
    playOf(url: string) {
      const { played, spins, balance } = plays.get(url.split('/').pop()!)!;
      return { ...played, spins, balance };
    },
    close,
  };
};

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

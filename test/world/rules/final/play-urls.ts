/** Rules of play URLs and of the contents of play pages. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { commitmentOf, isSame } from '../hashes.ts';
import { idOfPlay, isForcedPrize, outcomeView } from '../item-types.ts';
import { prizeTables } from '../prize-tables.ts';
import { fairnessOf, seedOfSession } from '../server-seeds.ts';
import { mayBeErased } from './erased-texts.ts';
import { codeOf, exchangesOf, groupBy, nameOf, succeeded } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';
import { type Page, pageOf, sessionOf } from './pages.ts';

const lifetimeMs = 30 * 60_000;

/** Returns a new play URL's token, or an empty string if the URL is malformed. */
export const tokenIn = ({ answer }: Exchange): string =>
  /\/play\/([A-Za-z0-9_-]{43})$/.exec(answer!.body.url)?.[1] ?? '';

const issued = (world: World) => exchangesOf(world, 'games/play', 'debug/play').filter(succeeded);

/** A play URL is unique and valid for 30 minutes or `valid_seconds`, with the request's user, game and language. */
const validPlayUrls: EndRule = {
  rule: 'a play URL is what the host requested',
  check(world, report) {
    const tokens = new Set<string>();
    for (const exchange of issued(world)) {
      const { path, body, sentAt, answer } = exchange;
      const token = tokenIn(exchange);
      const session = sessionOf(world, { ...exchange, path: { token } });
      const { lang = 'en', game = 'prizewheel', result } = body ?? {};
      const expectedSession = {
        user_id: path.user_id,
        lang,
        game,
        debug: result,
        expires_at: answer!.body.expiry_time,
      };
      if (tokens.has(token)) report(`${nameOf(exchange)}: the URL is not unique`);
      tokens.add(token);
      if (!session) {
        if (world.now < sentAt + 30 * 24 * 3_600_000) report(`${nameOf(exchange)}: the URL does not exist`);
        continue;
      }
      const { user_id, lang: langKept, game: gameKept, debug, expires_at } = session;
      if (!isSame({ user_id, lang: langKept, game: gameKept, debug, expires_at }, expectedSession))
        report(`${nameOf(exchange)}: the URL is for ${user_id} ${gameKept} ${langKept} ${debug}`);
      const { valid_seconds = lifetimeMs / 1000 } = body ?? {};
      const arrived = Date.parse(expires_at) - valid_seconds * 1000;
      if (arrived < sentAt - world.clockErrorMs || arrived > answer!.at + world.clockErrorMs)
        report(`${nameOf(exchange)}: the URL expires at ${expires_at}`);
      if (answer!.body.lang !== lang || answer!.body.result !== result)
        report(`${nameOf(exchange)} is of ${lang}`);
    }
  },
};

/** Returns all requests that got a response, grouped by play URL, in order of the responses. */
const byToken = (world: World) =>
  groupBy(
    exchangesOf(world, 'play/open', 'play/spin')
      .filter(({ answer }) => answer)
      .sort((a, b) => a.answer!.at - b.answer!.at),
    ({ path }) => path.token,
  );

/** Returns the outcome and its fairness data in a response, or undefined if the response shows no outcome. */
function outcomeIn(exchange: Exchange): { outcome: unknown; fairness: unknown } | undefined {
  const view = pageOf(exchange) ?? (succeeded(exchange) ? exchange.answer!.body : undefined);
  return view?.outcome && { outcome: view.outcome, fairness: view.fairness };
}

/** Once a play URL's outcome was shown, all later responses show the same outcome, except temporary refusals. */
const oneOutcome: EndRule = {
  rule: 'a play URL always shows the same outcome',
  check(world, report) {
    for (const exchanges of byToken(world).values()) {
      const session = sessionOf(world, exchanges[0]!);
      if (!session) continue;
      const id = idOfPlay(session);
      const record = id === undefined ? undefined : world.record(id);
      if (id && record?.user_id !== session.user_id) report(`${session.pk} has an outcome of another user`);
      const expected = record && { outcome: outcomeView(record), fairness: fairnessOf(record) };
      const knownAt = Math.min(...exchanges.filter(outcomeIn).map(({ answer }) => answer!.at));
      for (const exchange of exchanges) {
        const shown = outcomeIn(exchange);
        if (shown && !isSame(shown, expected)) report(`${nameOf(exchange)} shows another outcome`);
        const isOver = isTemporaryRefusal(exchange) || isGone(world, session, exchange);
        if (!shown && exchange.sentAt >= knownAt && !isOver) report(`${nameOf(exchange)} shows no outcome`);
        const page = pageOf(exchange);
        if (page && (page.state === 'played') !== !!shown) report(`${nameOf(exchange)} is ${page.state}`);
        if (page && shown && page.balance !== session.played.balance)
          report(`${nameOf(exchange)} shows a balance of ${page.balance}`);
      }
    }
  },
};

/** Returns whether a response is a 404 that can be explained by the erasure of the play URL's user. */
const isGone = (world: World, { user_id }: StoredItem, { answer }: Exchange) =>
  answer!.status === 404 && mayBeErased(world, user_id, answer!.at);

const isTemporaryRefusal = ({ answer }: Exchange) => answer!.status === 429 || answer!.status >= 500;

/** A play page shows its session's cost, commitment and prize table, and which prizes are in the draw. */
const pageContents: EndRule = {
  rule: 'a page shows the cost and prizes of its play',
  check(world, report) {
    const tables = prizeTables(
      new Map(world.of('prize table').map((item) => [`${item.pk} ${item.sk}`, item])),
    );
    for (const exchange of exchangesOf(world, 'play/open')) {
      const [page, session] = [pageOf(exchange), sessionOf(world, exchange)];
      if (!page || !session || ['voided', 'expired'].includes(page.state)) continue;
      if (isGone(world, session, exchange)) continue;
      const { cost, commitment, prize_table_version, game, lang, expires_at } = session;
      const expectedFields = { cost, commitment, prize_table_version, game, lang, expires_at };
      for (const [name, value] of Object.entries(expectedFields))
        if (page[name] !== value) report(`${nameOf(exchange)} shows ${name} ${page[name]}, not ${value}`);
      const prizes = tables(session.organization_id, game, prize_table_version) ?? [];
      for (const fault of faultsOfPrizes(page, session, prizes)) report(`${nameOf(exchange)} ${fault}`);
      const { outcome, fairness } = page;
      if (outcome && world.record(outcome.id)?.cost !== page.cost)
        report(`${nameOf(exchange)} has another cost than its page`);
      if (fairness && commitmentOf(fairness.server_seed) !== page.commitment)
        report(`${nameOf(exchange)} has another seed than its page`);
    }
  },
};

type Listed = {
  available: boolean;
  out_for?: string;
  stock?: number;
  stock_per_day?: number;
  weight: number;
  kind: string;
  amount: number;
  label: Record<string, string>;
  value_usd?: number;
};

function* faultsOfPrizes(page: Page, { debug }: StoredItem, prizes: readonly object[]): Generator<string> {
  const listed: Listed[] = page.prizes ?? [];
  const shownText = listed.map(({ available, out_for, weight, ...prize }) =>
    isForcedPrize(debug) ? prize : { ...prize, weight },
  );
  const known = (prizes as Listed[]).map(({ weight, ...prize }) =>
    isForcedPrize(debug) ? prize : { ...prize, weight },
  );
  if (!isSame(shownText, known)) yield 'has other prizes than the prize table';
  if (isForcedPrize(debug)) return;
  for (const { available, out_for, stock, stock_per_day, kind, weight } of listed) {
    const noWins = page.wins_used_up !== undefined;
    const hasStock = (stock ?? stock_per_day) !== undefined;
    if (out_for?.startsWith('won') && !hasStock)
      yield `shows ${kind} as out of stock although it has no stock`;
    // The rule does not know the remaining stock and cash. `isCertain` means that stock and cash cannot change this
    // prize's availability.
    const isCertain = !(hasStock && !available) && (page.tickets_only || noWins || kind !== 'cash_usd');
    const isLeft = !page.tickets_only && (!noWins || kind.startsWith('entry_'));
    const expected = weight > 0 && (kind === 'tickets' || isLeft);
    if (isCertain && available !== expected)
      yield `shows that ${kind} is ${available ? '' : 'not '}in the draw`;
  }
}

/** An unplayed play URL expires exactly at its `expires_at`. An existing play URL is never reported as unknown. */
const expiry: EndRule = {
  rule: 'a play URL expires after exactly 30 minutes',
  check(world, report) {
    for (const exchange of exchangesOf(world, 'play/open', 'play/spin').filter(({ answer }) => answer)) {
      const session = sessionOf(world, exchange);
      if (!session) continue;
      const expiresAt = Date.parse(session.expires_at);
      const state = pageOf(exchange)?.state;
      const isExpired = state === 'expired' || codeOf(exchange) === 'play_expired';
      const isOpen = ['ready', 'refused'].includes(state) || exchange.answer!.status === 409;
      if (isExpired && exchange.answer!.at + world.clockErrorMs < expiresAt)
        report(`${nameOf(exchange)} expires too early`);
      if (isOpen && exchange.sentAt - world.clockErrorMs >= expiresAt)
        report(`${nameOf(exchange)} expires too late`);
      if (exchange.answer!.status === 404 && !isGone(world, session, exchange))
        report(`${nameOf(exchange)} is not found`);
    }
  },
};

const hiddenSeed: EndRule = {
  rule: 'no page reveals the server seed before the play',
  check(world, report) {
    for (const exchange of exchangesOf(world, 'play/open')) {
      const [page, session] = [pageOf(exchange), sessionOf(world, exchange)];
      const isOpen = page !== undefined && page.state !== 'played';
      if (!isOpen || !session) continue;
      const seed = seedOfSession(session);
      if (JSON.stringify(page).includes(seed)) report(`${nameOf(exchange)} contains ${seed}`);
    }
  },
};

export const playUrlRules = [validPlayUrls, oneOutcome, pageContents, expiry, hiddenSeed];

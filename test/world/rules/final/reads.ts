/**
 * Rules of consistent reads: a response shows a user's state during the request, and never an older state than an
 * earlier response.
 */
import type { Exchange, StoredItem } from '../../journal.ts';
import { dayAt, daysBetween } from '../days-and-ulids.ts';
import { isSame } from '../hashes.ts';
import { accountOf, idOf, idOfPlay, isForcedPrize, isWin, outcomeView } from '../item-types.ts';
import { codeOf, groupBy, nameOf, succeeded } from './exchanges.ts';
import type { EndRule, History, World } from './final-state.ts';
import { freezes, mayHaveSeen, pauses, suspensions } from './holds.ts';
import { pageOf, sessionOf, userIn } from './pages.ts';
import { possibleSpinLimits, possibleWheelCosts } from './possible-settings.ts';
import { transactionFields, viewOf } from './reports.ts';

/** A user's possible states during a request. A state is the number of the user's records. */
type States = { from: number; to: number };

/** A user's history, with the states that the API's responses have shown. */
type KnownHistory = History & {
  /** The balances by state: index n has the balances after the first n records. */
  balances: Record<string, number>[];
  /** For each response, its time in epoch milliseconds and the newest state that responses had shown by then. */
  known: { at: number; state: number }[];
};

function readHistory(history: History): KnownHistory {
  const balances: Record<string, number>[] = [{ tickets: 0, truck: 0, flight: 0 }];
  for (const record of history.records) {
    const last = balances.at(-1)!;
    const isChange = record.kind === 'tickets' || record.kind === 'entries';
    balances.push(isChange ? { ...last, [accountOf(record)]: record.balance_after } : last);
  }
  return { ...history, balances, known: [] };
}

/** Returns the possible states: from the newest state shown before the request to the state at the response. */
function statesFor(
  { known, records }: KnownHistory,
  { sentAt, answer }: Exchange,
  clockErrorMs: number,
): States {
  const from = known[known.findLastIndex(({ at }) => at <= sentAt)]?.state ?? 0;
  const isPast = ({ date_created }: StoredItem) => Date.parse(date_created) <= answer!.at + clockErrorMs;
  return { from, to: Math.max(from, records.findLastIndex(isPast) + 1) };
}

/** Adds to `known` the newest state that responses have shown up to the time `at`. */
function addKnownState({ known }: KnownHistory, at: number, state: number) {
  known.push({ at, state: Math.max(state, known.at(-1)?.state ?? 0) });
}

/**
 * Returns the state (number of records) after the newest record that a response shows, including an outcome's
 * transactions.
 */
function lastStateIn({ records }: KnownHistory, { answer }: Exchange): number {
  const { transaction_id, outcome, items } = answer!.body;
  const ids = new Set([transaction_id, outcome?.id, ...(items ?? []).map(({ id }: StoredItem) => id)]);
  ids.delete(undefined);
  if (ids.size === 0) return 0;
  return records.findLastIndex((record) => ids.has(idOf(record)) || ids.has(record.outcome_id)) + 1;
}

/** Returns the `sequence` of the last event among the first `state` records. Orders have no event. */
const lastSequence = ({ records }: KnownHistory, state: number): number =>
  records.slice(0, state).findLast(({ event_sequence }) => event_sequence !== undefined)?.event_sequence ?? 0;

/** Returns whether a summary shows the balances, the last event and the recent wins after the first `state` records. */
function isSummaryAt(user: KnownHistory, state: number, { sequence, balances, wins }: StoredItem): boolean {
  const records = user.records.slice(0, state);
  const outcomes = records.filter(({ kind }) => kind === 'outcomes');
  const shown = outcomes.slice(-50);
  const isComplete = outcomes.slice(0, -50).every(({ timestamp }) => timestamp <= wins.since);
  // A summary also lists forced prizes, which do not count toward limits.
  const won = shown
    .filter((outcome) => isWin({ ...outcome, debug: undefined }))
    .map(({ id, prize, timestamp }) => ({ outcome_id: id, prize, timestamp }));
  return (
    isComplete &&
    lastSequence(user, state) === sequence &&
    isSame(balances, user.balances[state]) &&
    isSame(wins.prizes, won.reverse())
  );
}

/** Returns the first possible state for which `holds` returns true, or undefined if there is none. */
function firstState({ from, to }: States, holds: (state: number) => boolean): number | undefined {
  for (let state = from; state <= to; state++) if (holds(state)) return state;
  return undefined;
}

type StatePredicate = ((state: number) => boolean) | undefined;

/**
 * Returns a function that tells whether a response is correct in a state of the user. Undefined if all states allow it.
 */
function predicateOf(world: World, user: KnownHistory, exchange: Exchange): StatePredicate {
  if (!succeeded(exchange)) return predicateOfRefusal(world, user, exchange);
  const { endpoint, organizationId, answer } = exchange;
  const tickets = (state: number) => user.balances[state]!.tickets!;
  const page = pageOf(exchange);
  if (page)
    return page.balance === undefined || page.outcome ? undefined : (at) => tickets(at) === page.balance;
  if (endpoint === 'tickets/balance') {
    const { balance, sequence } = answer!.body;
    return (at) => tickets(at) === balance && lastSequence(user, at) === sequence;
  }
  if (endpoint === 'tickets/history') return firstPage(user, 'tickets', exchange, answer!.body.transactions);
  if (endpoint === 'games/history') return firstPage(user, 'outcomes', exchange, answer!.body.items);
  if (endpoint === 'users/summary') return (at) => isSummaryAt(user, at, answer!.body);
  if (endpoint !== 'games/check-eligibility') return undefined;
  const isTooLittle = answer!.body.restrictions.includes('insufficient_tickets');
  const costs = possibleWheelCosts(world, organizationId);
  return (at) => costs.some((cost) => tickets(at) < cost === isTooLittle);
}

/**
 * Returns a function that tells whether a refusal is correct in a state of the user. Undefined if all states allow it.
 */
function predicateOfRefusal(world: World, user: KnownHistory, exchange: Exchange): StatePredicate {
  const { endpoint, body, organizationId } = exchange;
  const code = codeOf(exchange) ?? '';
  const isPlay = endpoint === 'play/spin';
  if (code === 'daily_spin_limit_reached') {
    const minLimit = Math.min(...possibleSpinLimits(world, organizationId));
    const days = daysBetween(exchange.sentAt - world.requestMs, exchange.answer!.at + world.clockErrorMs);
    return (state) => isBeforePlay(world, user, exchange, state) && playsOn(user, state, days) >= minLimit;
  }
  if (!code.startsWith('insufficient')) return undefined;
  const account = endpoint === 'entries/debit' ? (body.type ?? 'truck') : 'tickets';
  const amount = isPlay ? sessionOf(world, exchange)!.cost : body.amount;
  return (state) =>
    user.balances[state]![account]! < amount && (!isPlay || isBeforePlay(world, user, exchange, state));
}

/** Returns whether the play URL's outcome is not among the user's first `state` records. */
function isBeforePlay(world: World, { records }: KnownHistory, exchange: Exchange, state: number): boolean {
  const id = idOfPlay(sessionOf(world, exchange));
  return id === undefined || !records.slice(0, state).some((record) => idOf(record) === id);
}

/** Counts a user's regular plays on `days` among the first `state` records, without forced prizes. */
function playsOn({ records }: KnownHistory, state: number, days: string[]): number {
  const counted = records
    .slice(0, state)
    .filter(({ play_type, debug }) => play_type === 'regular' && !isForcedPrize(debug))
    .map(({ timestamp }) => dayAt(Date.parse(timestamp)));
  return counted.filter((day) => days.includes(day)).length;
}

/**
 * Returns a function that tells whether a history's first page is correct in a state of the user. Undefined for later
 * pages and for a `limit` of 0.
 */
function firstPage({ records }: KnownHistory, kind: string, { query }: Exchange, rows: StoredItem[]) {
  if (query.next_token || query.limit === '0') return undefined;
  const id = rows[0]?.id ?? rows[0]?.transaction_id;
  const newest = records.findIndex((record) => idOf(record) === id);
  const next = records.findIndex((record, index) => index > newest && record.kind === kind);
  const isKnown = rows.length === 0 || newest >= 0;
  return (state: number) => isKnown && state > newest && (next < 0 || state <= next);
}

/** Returns all requests that got a response, grouped by the user in the request, in order of the responses. */
function answersByUser(world: World): Map<string, Exchange[]> {
  const answered = world.journal.exchanges
    .filter(({ answer }) => answer)
    .sort((a, b) => a.answer!.at - b.answer!.at);
  return groupBy(answered, (exchange) => userIn(world, exchange));
}

/**
 * Responses match a state that the user had during the request, including all records that earlier responses
 * showed.
 */
const consistentReads: EndRule = {
  rule: 'a read returns a real state that is not older than a known one',
  check(world, report) {
    for (const [userId, exchanges] of answersByUser(world)) {
      const history = world.histories.get(userId);
      if (!history) continue;
      const user = readHistory(history);
      for (const exchange of exchanges) {
        const states = statesFor(user, exchange, world.clockErrorMs);
        const predicate = predicateOf(world, user, exchange);
        const state = predicate && firstState(states, predicate);
        if (predicate && state === undefined)
          report(
            `${nameOf(exchange)} ${JSON.stringify(exchange.answer!.body).slice(0, 200)}, of ${states.from} to ${states.to}`,
          );
        addKnownState(
          user,
          exchange.answer!.at,
          Math.max(state ?? 0, succeeded(exchange) ? lastStateIn(user, exchange) : 0),
        );
      }
    }
  },
};

const transactionView = (record: StoredItem) => viewOf(record, transactionFields);

type View = (record: StoredItem) => object;
const histories = {
  'tickets/history': { kind: 'tickets', rows: 'transactions', view: transactionView as View },
  'games/history': { kind: 'outcomes', rows: 'items', view: outcomeView as View },
} as const;

/** A page of a history is newest first, without gaps, and continues where the previous page ended. */
const historyPages: EndRule = {
  rule: 'pages of a history have no gaps',
  check(world, report) {
    const positions = new Map<string, number>();
    for (const exchange of world.journal.exchanges.filter(succeeded)) {
      const { endpoint, path, query, answer } = exchange;
      if (!(endpoint in histories)) continue;
      const { kind, rows, view } = histories[endpoint as keyof typeof histories];
      const records =
        world.histories.get(path.user_id!)?.records.filter((record) => record.kind === kind) ?? [];
      const shown: StoredItem[] = answer!.body[rows];
      const limit = Number(query.limit ?? 10);
      const first =
        shown[0] && records.find((record) => idOf(record) === (shown[0]!.id ?? shown[0]!.transaction_id));
      const before = query.next_token ? positions.get(`${path.user_id} ${query.next_token}`) : undefined;
      const newest = before === undefined ? (first?.number ?? 0) : before - 1;
      const oldest = Math.max(0, newest - limit);
      const expected = records.slice(oldest, newest).reverse().map(view);
      const isEnd = limit === 0 ? answer!.body.next_token === '' : oldest === 0;
      if (!isSame(shown, expected) || (answer!.body.next_token === '') !== isEnd)
        report(
          `${nameOf(exchange)} with ${JSON.stringify(query)} shows ${shown.length} of ${records.length}`,
        );
      if (answer!.body.next_token && limit > 0)
        positions.set(`${path.user_id} ${answer!.body.next_token}`, oldest + 1);
    }
  },
};

type GameEligibility = { game?: string; playable: boolean; restrictions: string[]; holds: string[] };

/** Returns the intervals in which the hold with the code `hold` was in force for a game. */
function timesOf(world: World, { organizationId, path }: Exchange, hold: string, game = 'prizewheel') {
  if (hold === 'game_paused') return pauses(world, organizationId, [game]);
  return hold === 'user_frozen'
    ? freezes(world, organizationId, String(path.user_id))
    : suspensions(world, organizationId);
}

/**
 * A game is playable if and only if it has no holds and no restrictions except `tickets_only`. All listed holds were in
 * force during the request.
 */
const eligibility: EndRule = {
  rule: 'eligibility matches the restrictions',
  check(world, report) {
    for (const exchange of world.journal.exchanges.filter(succeeded)) {
      if (exchange.endpoint !== 'games/check-eligibility' && exchange.endpoint !== 'users/summary') continue;
      const { body } = exchange.answer!;
      const all: GameEligibility[] =
        exchange.endpoint === 'users/summary' ? body.games : [body, ...body.games];
      for (const { game, playable, restrictions, holds } of all) {
        const inTheWay = restrictions.filter((restriction) => restriction !== 'tickets_only');
        const isExplained = holds.every((hold) =>
          mayHaveSeen(world, exchange, timesOf(world, exchange, hold, game)),
        );
        if (playable !== (inTheWay.length + holds.length === 0) || !isExplained)
          report(`${nameOf(exchange)} ${game}: ${playable}, ${restrictions}, ${holds}`);
      }
    }
  },
};

export const readRules = [consistentReads, historyPages, eligibility];

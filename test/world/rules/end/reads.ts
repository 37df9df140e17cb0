/** Rules of what hosts read of a user: a state that the user had, and none older than what its reader knew of. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { accountOf, idOf, idOfPlay, outcomeView } from '../stored.ts';
import { isSame } from '../texts.ts';
import { dayAt, daysBetween } from '../true-time.ts';
import { codeOf, groupBy, nameOf, succeeded } from './exchanges.ts';
import { freezes, mayHaveSeen, pauses, suspensions } from './holds.ts';
import { pageOf, sessionOf, userIn } from './pages.ts';
import { costsOfWheel, spinLimits } from './set.ts';
import type { EndRule, History, World } from './world.ts';

/** The states that a user can have been in while somebody asked: each is the number of its records then. */
type States = { from: number; to: number };

/** A user's history, with what was known of it outside as time went on. */
type Known = History & {
  /** The balances after so many records. */
  balances: Record<string, number>[];
  /** How many records were known from when on, in the order of time. */
  known: { at: number; state: number }[];
};

function readHistory(history: History): Known {
  const balances: Record<string, number>[] = [{ tickets: 0, truck: 0, flight: 0 }];
  for (const record of history.records) {
    const last = balances.at(-1)!;
    const isChange = record.kind === 'tickets' || record.kind === 'entries';
    balances.push(isChange ? { ...last, [accountOf(record)]: record.balance_after } : last);
  }
  return { ...history, balances, known: [] };
}

/**
 * What may have been a user's state when a request was carried out: not before what was known, nor after its
 * answer.
 */
function statesFor({ known, records }: Known, { sentAt, answer }: Exchange, clockErrorMs: number): States {
  const from = known[known.findLastIndex(({ at }) => at <= sentAt)]?.state ?? 0;
  const isPast = ({ date_created }: StoredItem) => Date.parse(date_created) <= answer!.at + clockErrorMs;
  return { from, to: Math.max(from, records.findLastIndex(isPast) + 1) };
}

/** From its answer on, a state is known; what was known before is not forgotten. */
function note({ known }: Known, at: number, state: number) {
  known.push({ at, state: Math.max(state, known.at(-1)?.state ?? 0) });
}

/** The state after the last record that the answer of a request tells of, or that was written with it. */
function toldOf({ records }: Known, { answer }: Exchange): number {
  const { transaction_id, outcome, items } = answer!.body;
  const ids = new Set([transaction_id, outcome?.id, ...(items ?? []).map(({ id }: StoredItem) => id)]);
  ids.delete(undefined);
  if (ids.size === 0) return 0;
  return records.findLastIndex((record) => ids.has(idOf(record)) || ids.has(record.outcome_id)) + 1;
}

/** The first state in which a condition holds; undefined if there is none. */
function firstState({ from, to }: States, holds: (state: number) => boolean): number | undefined {
  for (let state = from; state <= to; state++) if (holds(state)) return state;
  return undefined;
}

type Said = ((state: number) => boolean) | undefined;

/** What an answer says of a user's state: whether it can be said in a state; undefined if it says nothing. */
function saidBy(world: World, user: Known, exchange: Exchange): Said {
  if (!succeeded(exchange)) return refusedBy(world, user, exchange);
  const { endpoint, organizationId, answer } = exchange;
  const tickets = (state: number) => user.balances[state]!.tickets!;
  const page = pageOf(exchange);
  if (page)
    return page.balance === undefined || page.outcome ? undefined : (at) => tickets(at) === page.balance;
  if (endpoint === 'tickets/balance') return (at) => tickets(at) === answer!.body.balance;
  if (endpoint === 'tickets/history') return firstPage(user, 'tickets', exchange, answer!.body.transactions);
  if (endpoint === 'games/history') return firstPage(user, 'outcomes', exchange, answer!.body.items);
  if (endpoint !== 'games/check-eligibility') return undefined;
  const isTooLittle = answer!.body.restrictions.includes('insufficient_tickets');
  const costs = costsOfWheel(world, organizationId);
  return (at) => costs.some((cost) => tickets(at) < cost === isTooLittle);
}

/**
 * A debit is refused if it is more than the balance; a play if it costs more, or if it is one more than the
 * day has.
 */
function refusedBy(world: World, user: Known, exchange: Exchange): Said {
  const { endpoint, body, organizationId } = exchange;
  const code = codeOf(exchange) ?? '';
  const isPlay = endpoint === 'play/spin';
  if (code === 'daily_spin_limit_reached') {
    const least = Math.min(...spinLimits(world, organizationId));
    const days = daysBetween(exchange.sentAt - world.requestMs, exchange.answer!.at + world.clockErrorMs);
    return (state) => isBeforePlay(world, user, exchange, state) && playsOn(user, state, days) >= least;
  }
  if (!code.startsWith('insufficient')) return undefined;
  const account = endpoint === 'entries/debit' ? (body.type ?? 'truck') : 'tickets';
  const amount = isPlay ? sessionOf(world, exchange)!.cost : body.amount;
  return (state) =>
    user.balances[state]![account]! < amount && (!isPlay || isBeforePlay(world, user, exchange, state));
}

/** Whether a state is one before a play URL was played: after that nothing is in its way. */
function isBeforePlay(world: World, { records }: Known, exchange: Exchange, state: number): boolean {
  const id = idOfPlay(sessionOf(world, exchange));
  return id === undefined || !records.slice(0, state).some((record) => idOf(record) === id);
}

/** The plays of a user that count on some days, up to a state. */
function playsOn({ records }: Known, state: number, days: string[]): number {
  const counted = records
    .slice(0, state)
    .filter(({ play_type, debug }) => play_type === 'regular' && debug !== 'jackpot')
    .map(({ timestamp }) => dayAt(Date.parse(timestamp)));
  return counted.filter((day) => days.includes(day)).length;
}

/** A first page shows the newest records of a state, newest first; pages after it are looked at by their own rule. */
function firstPage({ records }: Known, kind: string, { query }: Exchange, rows: StoredItem[]) {
  if (query.next_token || query.limit === '0') return undefined;
  const id = rows[0]?.id ?? rows[0]?.transaction_id;
  const newest = records.findIndex((record) => idOf(record) === id);
  const next = records.findIndex((record, index) => index > newest && record.kind === kind);
  const isKnown = rows.length === 0 || newest >= 0;
  return (state: number) => isKnown && state > newest && (next < 0 || state <= next);
}

/** Each exchange that says something of a user, in the order of the answers. */
function answersByUser(world: World): Map<string, Exchange[]> {
  const answered = world.journal.exchanges
    .filter(({ answer }) => answer)
    .sort((a, b) => a.answer!.at - b.answer!.at);
  return groupBy(answered, (exchange) => userIn(world, exchange));
}

/**
 * Balances, first pages of histories and refusals for want of balance show a state that the user was in while the
 * request was under way: with all that anybody had been told of before it was sent, by a change or by another read.
 */
const read: EndRule = {
  rule: 'what is read is a state that the user had, and none that was known to be over',
  check(world, say) {
    for (const [userId, exchanges] of answersByUser(world)) {
      const history = world.histories.get(userId);
      if (!history) continue;
      const user = readHistory(history);
      for (const exchange of exchanges) {
        const states = statesFor(user, exchange, world.clockErrorMs);
        const said = saidBy(world, user, exchange);
        const state = said && firstState(states, said);
        if (said && state === undefined)
          say(
            `${nameOf(exchange)} ${JSON.stringify(exchange.answer!.body).slice(0, 200)}, of ${states.from} to ${states.to}`,
          );
        note(
          user,
          exchange.answer!.at,
          Math.max(state ?? 0, succeeded(exchange) ? toldOf(user, exchange) : 0),
        );
      }
    }
  },
};

const transactionView = ({
  transaction_id,
  idempotency_key,
  outcome_id,
  amount,
  description,
  date_created,
}: StoredItem) => ({
  transaction_id,
  idempotency_key,
  outcome_id,
  amount,
  description,
  date_created,
});

type View = (record: StoredItem) => object;
const histories = {
  'tickets/history': { kind: 'tickets', rows: 'transactions', view: transactionView as View },
  'games/history': { kind: 'outcomes', rows: 'items', view: outcomeView as View },
} as const;

/**
 * A page of a history has `limit` records without a gap, newest first, each as it was written; it goes on
 * after the page whose token it was asked with, and has a token of its own unless it holds the very first
 * record. A limit of 0 gives an empty page.
 */
const paged: EndRule = {
  rule: 'pages of a history follow each other without a gap',
  check(world, say) {
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
      const isEnd = oldest === 0 || limit === 0;
      if (!isSame(shown, expected) || (answer!.body.next_token === '') !== isEnd)
        say(`${nameOf(exchange)} with ${JSON.stringify(query)} shows ${shown.length} of ${records.length}`);
      if (answer!.body.next_token) positions.set(`${path.user_id} ${answer!.body.next_token}`, oldest + 1);
    }
  },
};

const holdsOfWheel = (world: World, { organizationId, path }: Exchange) => [
  ...suspensions(world, organizationId),
  ...pauses(world, organizationId, ['prizewheel']),
  ...freezes(world, organizationId, String(path.user_id)),
];

/** Eligibility says whether the wheel can be played, by the restrictions that it lists and what is on hold. */
const eligibility: EndRule = {
  rule: 'who is restricted by more than the day’s cash cannot play',
  check(world, say) {
    for (const exchange of world.journal.exchanges.filter(succeeded)) {
      if (exchange.endpoint !== 'games/check-eligibility') continue;
      const { playable, restrictions } = exchange.answer!.body;
      const inTheWay = restrictions.filter((restriction: string) => restriction !== 'tickets_only');
      const isFree = inTheWay.length === 0;
      const mayBeHeld = isFree && !playable && mayHaveSeen(world, exchange, holdsOfWheel(world, exchange));
      if (playable !== isFree && !mayBeHeld) say(`${nameOf(exchange)}: ${playable}, ${restrictions}`);
    }
  },
};

export const readRules = [read, paged, eligibility];

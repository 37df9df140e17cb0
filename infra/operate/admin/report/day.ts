import type { OutcomeRecord, RecordOfKind, UserRecord } from '../../../../shared/accounts/records.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { timeOfUlid, ulidOf } from '../../../../shared/ids.ts';
import { accounts, type Game, games, type PlayType, playTypes } from '../../../../shared/vocabulary.ts';
import type { SpinChange } from '../cancelled-spins.ts';
import type { CsvRow } from './csv.ts';
import type { TimeRange } from './records.ts';

/** Figures of a day, from the records added so far. `players` are user ids. */
export type DayFigures = {
  bounds: TimeRange;
  records: number;
  sums: Map<string, { key: SumKey; value: number }>;
  players: Record<PlayType, Set<string>>;
};

/** `prize` is a kind, `prize_amount` the amount of one prize. */
type SumKey = {
  figure: string;
  game?: Game;
  play_type?: PlayType;
  account?: string;
  prize?: string;
  prize_amount?: number;
};

export const dayColumns = ['figure', 'game', 'play_type', 'account', 'prize', 'prize_amount', 'value'];

const byHosts = { credit: 'credited_by_hosts', debit: 'debited_by_hosts' };
const byOperators = { credit: 'credited_by_operators', debit: 'debited_by_operators' };
const byDrawings = { credit: 'given_back_by_drawings', debit: 'used_by_drawings' };
const ofPlays = { credit: 'won', debit: 'spent_on_plays' };

export function emptyDayFigures(bounds: TimeRange): DayFigures {
  const day: DayFigures = {
    bounds,
    records: 0,
    sums: new Map(),
    players: { regular: new Set(), amoe: new Set() },
  };
  for (const game of games) {
    for (const play_type of playTypes) add(day, { figure: 'plays', game, play_type }, 0);
  }
  for (const game of games) add(day, { figure: 'test_plays', game }, 0);
  for (const figure of [byHosts, byOperators, byDrawings, ofPlays].flatMap((one) => Object.values(one))) {
    for (const account of accounts) add(day, { figure, account }, 0);
  }
  add(day, { figure: 'cash_won_usd' }, 0);
  for (const game of games) add(day, { figure: 'cash_won_usd', game }, 0);
  for (const figure of ['ordered', 'run', 'cancelled', 'restored', 'open'])
    add(day, { figure: `free_spins_${figure}` }, 0);
  return day;
}

/** `prizes` is the prize table of an outcome, and empty for other records. */
export function addToDay(day: DayFigures, record: UserRecord, prizes: readonly Prize[]): void {
  day.records++;
  if (record.kind === 'outcomes') addOutcome(day, record, prizes);
  else if (record.kind === 'orders') {
    add(day, { figure: 'free_spins_ordered' }, record.num_of_spins);
    add(day, { figure: 'free_spins_open' }, record.num_of_spins);
  } else if (record.kind !== 'claims') addPosting(day, record);
}

export function addSpinChange(day: DayFigures, { orderId, kind, spins, record }: SpinChange): void {
  const { begins, ends } = day.bounds;
  const ordered = timeOfUlid(ulidOf(orderId));
  // With clock skew, the order's time can be later than the cancellation's. The cancellation then counts at the
  // order's time.
  const at = Math.max(ordered, Date.parse(record.date_created));
  if (at < begins || at >= ends) return;
  add(day, { figure: `free_spins_${kind}` }, spins);
  if (ordered >= begins) add(day, { figure: 'free_spins_open' }, kind === 'cancelled' ? -spins : spins);
}

function addPosting(day: DayFigures, record: RecordOfKind<'tickets' | 'entries'>) {
  const { amount } = record;
  const account = record.kind === 'entries' ? record.entry_type : record.kind;
  const { credit, debit } = figuresOf(record);
  add(day, { figure: amount > 0 ? credit : debit, account }, Math.abs(amount));
}

function figuresOf({ outcome_id, action_id, drawing_id }: RecordOfKind<'tickets' | 'entries'>) {
  if (outcome_id !== undefined) return ofPlays;
  if (drawing_id !== undefined) return byDrawings;
  return action_id === undefined ? byHosts : byOperators;
}

function addOutcome(day: DayFigures, outcome: OutcomeRecord, prizes: readonly Prize[]) {
  const { game, play_type, debug, order_id, user_id } = outcome;
  // Counts only the test play: `addPosting` adds its transactions, which are records of their own.
  if (debug) return add(day, { figure: 'test_plays', game });
  add(day, { figure: 'plays', game, play_type });
  day.players[play_type].add(user_id);
  for (const [prize, prize_amount] of Object.entries(outcome.prize)) {
    add(day, { figure: 'outcomes', game, prize, prize_amount });
    if (prize !== 'cash_usd') {
      const value = prizes.find(({ id }) => id === outcome.prize_id)?.value_usd;
      if (value !== undefined) add(day, { figure: otherValue, game }, Math.round(value * 100));
      continue;
    }
    add(day, { figure: 'cash_won_usd' }, prize_amount);
    add(day, { figure: 'cash_won_usd', game }, prize_amount);
  }
  if (play_type !== 'amoe') return;
  add(day, { figure: 'free_spins_run' });
  // `free_spins_open` counts only spins of orders from this day, so spins of earlier orders are not
  // subtracted.
  const ordered = order_id === undefined ? 0 : timeOfUlid(ulidOf(order_id));
  if (ordered >= day.bounds.begins) add(day, { figure: 'free_spins_open' }, -1);
}

/** The value is added up in cents and reported in USD. */
const otherValue = 'other_prizes_won_usd';

function add({ sums }: DayFigures, key: SumKey, value = 1): void {
  const name = JSON.stringify(key);
  const sum = sums.get(name);
  if (sum) sum.value += value;
  else sums.set(name, { key, value });
}

/** Returns the report's rows for a day, including the cash limits (whole USD) that were in force. */
export function dayRows({ sums, players }: DayFigures, cashLimitsUsd: readonly number[]): CsvRow[] {
  const all = [...sums.values()].map(({ key, value }) => ({
    ...key,
    value: key.figure === otherValue ? value / 100 : value,
  }));
  const outcomes = all
    .filter(({ figure }) => figure === 'outcomes')
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return [
    ...all.filter(({ figure }) => figure !== 'outcomes'),
    ...cashLimitsUsd.map((value) => ({ figure: 'cash_limit_usd', value })),
    { figure: 'users_who_played', value: new Set([...players.regular, ...players.amoe]).size },
    ...playTypes.map((play_type) => ({
      figure: 'users_who_played',
      play_type,
      value: players[play_type].size,
    })),
    ...outcomes,
  ];
}

const nameOf = ({ game, prize, prize_amount = 0 }: SumKey) =>
  `${games.indexOf(game!)} ${prize} ${String(prize_amount).padStart(16, '0')}`;

import { post } from '../accounts/ledger.ts';
import {
  append,
  fieldsOf,
  type HistoryRecord,
  type NewRecord,
  type OutcomeRecord,
} from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import type { Account, DebugResult, Game, PlayType } from '../vocabulary.ts';
import type { Budgets } from './budgets.ts';
import { granted as cashGranted, cashLeft, type DayCash } from './cash.ts';
import { draw, type Seeds } from './draw.ts';
import type { Limits } from './limits.ts';
import type { Prize, PrizeTable } from './prize-tables.ts';
import { accountOf, gameStatusOf, isWin } from './prizes.ts';
import { rulesOf } from './rules.ts';
import { countOf, isStocked, outOfStock, withGrantOf } from './stock.ts';
import { areUsedUp, winsOf, withWin } from './wins.ts';

/** What the server seed of a spin follows from: the secret of a day, and a play or an order. */
type SpinOrigin = Pick<
  OutcomeRecord,
  'secret_day' | 'token_hash' | 'order_id' | 'order_sequence' | 'beacon_round' | 'beacon_out'
>;
/** One spin to run: regular, queued and guest spins are all one of these. */
export type Spin = {
  game: Game;
  table: PrizeTable;
  playType: PlayType;
  seeds: Seeds;
  /** What the server seed follows from, as the outcome will say it. */
  origin: SpinOrigin;
  /** How budgets stand, after what earlier spins of the same transaction won. */
  budgets: Budgets;
  /** The setting `daily_win_limit`. */
  winLimit: number;
  /** Tickets; 0 for a free spin. The caller sees to it that the user has them. */
  cost: number;
  /** Instant (ISO). */
  resultEffectiveDate: string;
  debug?: DebugResult | undefined;
};

/** An outcome as a user's history, a play URL and a guest's spins show it. */
export type Outcome = Pick<OutcomeRecord, (typeof outcomeFields)[number]>;
const outcomeFields = [
  'id',
  'user_id',
  'play_type',
  'prize',
  'timestamp',
  'result_effective_date',
] as const satisfies (keyof OutcomeRecord)[];
/** What a user is told of an outcome's record. */
export const outcomeOf = (record: OutcomeRecord): Outcome => fieldsOf(record, outcomeFields);

/** What a spin comes to: the user and budgets after it, and the records to write, the outcome first. */
export type Spun = { user: User; records: HistoryRecord[]; outcome: OutcomeRecord; budgets: Budgets };

/**
 * Runs one spin, whatever its kind: draws, records the outcome, takes the cost and credits the prize. Pure. What
 * budgets come to must be granted in the same transaction; a debug jackpot is outside of them.
 */
export function spin(user: User, spin: Spin, now: number): Spun {
  const { table, seeds, budgets, winLimit, debug } = spin;
  const rules = rulesOf(debug);
  const { cash, stock } = budgets;
  const wins = rules.isBudgeted ? winsOf(user, cash.day, winLimit) : undefined;
  const limits = rules.limits(table.prizes, {
    cashLeftUsd: cashLeft(cash),
    winsUsedUp: areUsedUp(wins),
    out: stock ? outOfStock(table.prizes, stock) : [],
  });
  const prize = draw(rules.inPlay(table.prizes), limits, seeds);
  const after = rules.isBudgeted ? granted(budgets, prize) : budgets;
  const said = {
    ...outcomeFor(spin, prize, limits),
    ...(wins ? { win_limit: wins.limit, wins: wins.count } : {}),
    ...(rules.isBudgeted ? stockView(prize, budgets, after, limits) : {}),
  };
  const { user: drawn, record } = append(user, said, now);
  const spun: Spun = {
    user: wins && isWin(prize.kind) ? withWin(drawn, wins) : drawn,
    records: [record],
    outcome: record,
    budgets: after,
  };
  const name = nameOf[spin.game];
  const paid = transfer(spun, 'tickets', -spin.cost, `${name} play`, now);
  const account = accountOf(prize.kind);
  return account ? transfer(paid, account, prize.amount, `${name} prize`, now) : paid;
}

const nameOf: Record<Game, string> = { prizewheel: 'Prize wheel', truck: 'Truck', flight: 'Flight' };

function transfer(spun: Spun, account: Account, amount: number, description: string, now: number): Spun {
  if (amount === 0) return spun;
  const { id, result_effective_date } = spun.outcome;
  const posting = { account, amount, description, outcome_id: id, result_effective_date };
  const { user, record } = post(spun.user, posting, now);
  return { ...spun, user, records: [...spun.records, record] };
}

/** How budgets stand after a prize that is of them. */
const granted = ({ cash, stock }: Budgets, prize: Prize): Budgets => ({
  cash: prize.kind === 'cash_usd' ? cashGranted(cash, prize.amount) : cash,
  ...(stock ? { stock: isStocked(prize) ? withGrantOf(stock, prize.id) : stock } : {}),
});

function outcomeFor(spin: Spin, prize: Prize, { cashLeftUsd, ticketsOnly }: Limits): NewOutcome {
  const { clientSeed, spinIndex } = spin.seeds;
  return {
    kind: 'outcomes',
    play_type: spin.playType,
    game: spin.game,
    prize: { [prize.kind]: prize.amount },
    prize_id: prize.id,
    game_status: gameStatusOf[prize.kind],
    result_effective_date: spin.resultEffectiveDate,
    cost: spin.cost,
    prize_table_version: spin.table.version,
    ...spin.origin,
    client_seed: clientSeed,
    spin_index: spinIndex,
    cash_left_usd: cashLeftUsd,
    tickets_only: ticketsOnly,
    ...(cashLeftUsd === null ? {} : viewOf(spin.budgets.cash)),
    ...(spin.debug ? { debug: spin.debug } : {}),
  };
}

/** What of the day's cash a draw was made on. */
const viewOf = ({ day, chains, sequence, grantedUsd, limitUsd, pacedUsd }: DayCash) => ({
  cash_day: day,
  ...(chains === undefined ? {} : { cash_chains: chains }),
  cash_sequence: sequence,
  cash_granted_usd: grantedUsd,
  cash_limit_usd: limitUsd,
  ...(pacedUsd === undefined ? {} : { cash_paced_usd: pacedUsd }),
});

/** On what of the stock a draw was made, and the numbers that a prize has of it. */
function stockView(
  prize: Prize,
  { stock }: Budgets,
  { stock: after }: Budgets,
  { out = [] }: Limits,
): Partial<NewOutcome> {
  if (!stock || !after) return {};
  const numbers = {
    stock_number: countOf(after.won, prize.id),
    stock_number_of_day: countOf(after.wonOnDay, prize.id),
  };
  return {
    stock_day: stock.day,
    stock_sequence: stock.sequence,
    stock_out: [...out],
    ...(isStocked(prize) ? numbers : {}),
  };
}

type NewOutcome = Extract<NewRecord, { kind: 'outcomes' }>;

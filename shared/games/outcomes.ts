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
import { cashLeft, type DayCash, granted } from './cash.ts';
import { draw, drawVersion, type Seeds } from './draw.ts';
import type { Limits } from './limits.ts';
import type { Prize, PrizeTable } from './prize-tables.ts';
import { accountOf, gameStatusOf, isWin } from './prizes.ts';
import { rulesOf } from './rules.ts';
import { areUsedUp, type Wins, winsOf, withWin } from './wins.ts';

/** What the server seed of a spin follows from: the secret of a day, and a play or an order. */
type SpinOrigin = Pick<
  OutcomeRecord,
  'secret_day' | 'token_hash' | 'order_id' | 'order_sequence' | 'beacon_round' | 'beacon_out' | 'server_seed'
>;
/** One spin to run: regular, queued and guest spins are all one of these. */
export type Spin = {
  game: Game;
  table: PrizeTable;
  playType: PlayType;
  seeds: Seeds;
  /** What the server seed follows from, as the outcome will say it. */
  origin: SpinOrigin;
  /** How the day's cash stands, after what earlier spins of the same transaction won. */
  cash: DayCash;
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

/** What a spin comes to: the user and the day's cash after it, and the records to write, the outcome first. */
export type Spun = { user: User; records: HistoryRecord[]; outcome: OutcomeRecord; cash: DayCash };

/**
 * Runs one spin, whatever its kind: draws, records the outcome, takes the cost and credits the prize. Pure. What the
 * day's cash comes to must be granted in the same transaction; a debug jackpot is outside of it.
 */
export function spin(user: User, spin: Spin, now: number): Spun {
  const { table, seeds, cash, winLimit, debug } = spin;
  const rules = rulesOf(debug);
  const wins = rules.isBudgeted ? winsOf(user, cash.day, winLimit) : undefined;
  const left = { cashLeftUsd: cashLeft(cash), winsUsedUp: areUsedUp(wins) };
  const limits = rules.limits(table.prizes, left);
  const prize = draw(rules.inPlay(table.prizes), limits, seeds);
  const { user: after, record } = append(user, outcomeFor(spin, prize, limits, wins), now);
  const spun: Spun = {
    user: wins && isWin(prize.kind) ? withWin(after, wins) : after,
    records: [record],
    outcome: record,
    cash: granted(cash, prize.kind === 'cash_usd' && rules.isBudgeted ? prize.amount : 0),
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

function outcomeFor(
  spin: Spin,
  prize: Prize,
  { cashLeftUsd, ticketsOnly }: Limits,
  wins: Wins | undefined,
): NewOutcome {
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
    draw_version: drawVersion,
    ...spin.origin,
    client_seed: clientSeed,
    spin_index: spinIndex,
    cash_left_usd: cashLeftUsd,
    tickets_only: ticketsOnly,
    ...(cashLeftUsd === null ? {} : viewOf(spin.cash)),
    ...(wins ? { win_limit: wins.limit, wins: wins.count } : {}),
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

type NewOutcome = Extract<NewRecord, { kind: 'outcomes' }>;

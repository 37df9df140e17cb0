import { postTransaction } from '../accounts/post.ts';
import {
  appendRecord,
  type DrawBudgets,
  type HistoryRecord,
  type NewRecord,
  type OutcomeRecord,
  pickFields,
  timeOfNextRecord,
} from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { dayOf, endOfDayAfter } from '../time.ts';
import type { DebugResult, Game, PlayType } from '../vocabulary.ts';
import { type Budgets, budgetsForDraw, winsOnDay, withPrize, withSerialNumbers, withWin } from './budgets.ts';
import { drawPrize, type Seeds } from './draw.ts';
import { cachedDrawSet } from './draw-sets.ts';
import { type OutcomePosting, outcomePostings } from './outcome-postings.ts';
import type { Prize, PrizeTable } from './prize-tables.ts';
import { gameStatusOf } from './prizes.ts';
import { playRulesOf } from './rules.ts';
import type { Settings } from './settings.ts';

/** Fields of an outcome from which the seeds can be derived again, with the secret of `secret_day`. */
type SeedFields = Pick<OutcomeRecord, 'secret_day' | 'token_hash' | 'expires_at' | 'order_id'>;
type Tracking = Pick<Settings, 'tracked_prizes' | 'claim_days'>;
export type SpinInput = {
  game: Game;
  table: PrizeTable;
  playType: PlayType;
  seeds: Seeds;
  seedFields: SeedFields;
  /** Budgets after all earlier spins, including those in the same transaction. */
  budgets: Budgets;
  /** The setting `daily_win_limit`: maximum number of the user's wins per day, 0 for no limit. */
  winLimit: number;
  tracking: Tracking;
  /** Cost in tickets, 0 for a free spin. */
  cost: number;
  resultEffectiveDate: string;
  debug?: DebugResult | undefined;
};

export type Outcome = Pick<OutcomeRecord, (typeof outcomeFields)[number]> & { claim_by?: string };
const outcomeFields = [
  'id',
  'user_id',
  'game',
  'play_type',
  'prize',
  'timestamp',
  'result_effective_date',
] as const satisfies (keyof OutcomeRecord)[];
export function outcomeOf(record: OutcomeRecord): Outcome {
  const claim_by = claimDeadline(record);
  return { ...pickFields(record, outcomeFields), ...(claim_by !== undefined && { claim_by }) };
}

/** Returns the last moment to claim a prize. Undefined without a deadline. */
export const claimDeadline = ({
  timestamp,
  claim_days,
}: Pick<OutcomeRecord, 'timestamp' | 'claim_days'>): string | undefined =>
  claim_days ? endOfDayAfter(timestamp, claim_days) : undefined;

/** The caller must write `records`; the first is the outcome's record. */
type Spun = { user: User; records: HistoryRecord[]; outcome: OutcomeRecord; budgets: Budgets };

class NoPrizeInDraw extends Error {
  override name = 'NoPrizeInDraw';
}

/** Draws a prize, and returns the records to write. Throws NoPrizeInDraw. */
export function spin(user: User, spin: SpinInput, now: number): Spun {
  const { table, seeds, winLimit, debug } = spin;
  // A forced prize ignores the budgets.
  const budgets = playRulesOf(debug).isBudgeted ? spin.budgets : undefined;
  const wins = budgets && winsOnDay(user, budgets.day, winLimit);
  const limits = budgets && budgetsForDraw(budgets, table.prizes, wins);
  const set = cachedDrawSet(table.prizes, limits, debug);
  if (!set) throw new NoPrizeInDraw();
  const prize = drawPrize(set, seeds);
  const after = budgets && withPrize(budgets, prize);
  const recordedBudgets = after && {
    ...withSerialNumbers(limits!, prize, after),
    ...(dayOf(timeOfNextRecord(user, now)) === after.day ? {} : { day: after.day }),
  };
  const fields = outcomeFor(spin, prize, recordedBudgets);
  const { user: drawn, record } = appendRecord(withWin(user, wins, prize), fields, now);
  const spun: Spun = { user: drawn, records: [record], outcome: record, budgets: after ?? spin.budgets };
  return outcomePostings(record).reduce((spun, posting) => withPosting(spun, posting, now), spun);
}

function withPosting(spun: Spun, posting: OutcomePosting, now: number): Spun {
  const { user, record } = postTransaction(spun.user, posting, now);
  return { ...spun, user, records: [...spun.records, record] };
}

function outcomeFor(spin: SpinInput, prize: Prize, budgets: DrawBudgets | undefined): NewOutcome {
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
    ...spin.seedFields,
    client_seed: clientSeed,
    spin_index: spinIndex,
    ...(budgets ? { budgets } : {}),
    ...(spin.debug ? { debug: spin.debug } : trackingOf(spin.tracking, prize)),
  };
}

/** A forced prize of a debug play is not tracked. */
const trackingOf = ({ tracked_prizes, claim_days }: Tracking, { kind }: Prize) =>
  tracked_prizes.split(' ').includes(kind) ? { claim_days } : {};

type NewOutcome = Extract<NewRecord, { kind: 'outcomes' }>;

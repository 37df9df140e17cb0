import { post } from '../accounts/ledger.ts';
import { append, type HistoryRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { canonicalJson } from '../ids.ts';
import { commitmentTo, draw, type Limits, type Seeds } from './draw.ts';
import type { Game, Prize, PrizeTable } from './prize-tables.ts';
import { accountOf, type GameStatus, gameStatusOf, jackpotOnly, noCashAffordable } from './prizes.ts';

export type PlayType = 'regular' | 'amoe';
/** What a debug play is forced to; such outcomes are marked. */
export type Debug = 'jackpot' | 'tickets_only';

/** One spin to run: regular, queued and guest spins are all one of these. */
export type Spin = {
  game: Game;
  table: PrizeTable;
  playType: PlayType;
  seeds: Seeds;
  /** What is left of the day's cash in whole USD, less what earlier spins of the same transaction won. */
  cashLeftUsd: number;
  /** Tickets; 0 for a free spin. The caller sees to it that the user has them. */
  cost: number;
  /** Instant (ISO). */
  resultEffectiveDate: string;
  debug?: Debug | undefined;
};

/** What an outcome's record holds beside what every record has. */
export type OutcomeFields = {
  play_type: PlayType;
  game: Game;
  prize: Record<string, number>;
  prize_id: string;
  game_status: GameStatus;
  result_effective_date: string;
  cost: number;
  prize_table_version: string;
  commitment: string;
  server_seed: string;
  client_seed: string;
  spin_index: number;
  cash_left_usd: number | null;
  tickets_only: boolean;
  debug?: Debug;
};
/** The record of an outcome; its `timestamp` is when the spin ran. */
export type OutcomeRecord = HistoryRecord & OutcomeFields & { id: string; timestamp: string };

/** An outcome as a user's history, a play URL and a guest's spins answer it. */
export type Outcome = {
  id: string;
  user_id: string;
  play_type: PlayType;
  prize: Record<string, number>;
  timestamp: string;
  result_effective_date: string;
};
/** What of an outcome's record is told. */
export const outcomeOf = (record: OutcomeRecord): Outcome => ({
  id: record.id,
  user_id: record.user_id,
  play_type: record.play_type,
  prize: record.prize,
  timestamp: record.timestamp,
  result_effective_date: record.result_effective_date,
});

/** What a spin comes to: the user after it, the records to write (the outcome first), and the cash it won. */
export type Spun = { user: User; records: HistoryRecord[]; outcome: OutcomeRecord; cashUsd: number };

/**
 * Runs one spin, whatever its kind: draws, records the outcome, takes the cost and credits the prize. Pure, but
 * for the random part of the records' ids. `cashUsd` is what must be granted of the day's cash in the same
 * transaction (0 for a debug jackpot, which is outside of the day's cash).
 */
export function spin(user: User, spin: Spin, now: number): Spun {
  const { prize, limits } = drawFor(spin);
  const fields = fieldsOf(spin, prize, limits);
  const { user: after, record } = append(user, 'outcomes', fields, now);
  const spun: Spun = {
    user: after,
    records: [record],
    outcome: record,
    cashUsd: prize.kind === 'cash_usd' && spin.debug !== 'jackpot' ? prize.amount : 0,
  };
  const name = nameOf[spin.game];
  const paid = transfer(spun, 'tickets', -spin.cost, `${name} play`, now);
  const account = accountOf(prize.kind);
  return account ? transfer(paid, account, prize.amount, `${name} prize`, now) : paid;
}

const nameOf: Record<Game, string> = { prizewheel: 'Prize wheel', truck: 'Truck', flight: 'Flight' };

function transfer(
  spun: Spun,
  account: 'tickets' | 'truck' | 'flight',
  amount: number,
  description: string,
  now: number,
): Spun {
  if (amount === 0) return spun;
  const { id, result_effective_date } = spun.outcome;
  const posting = { account, amount, description, outcome_id: id, result_effective_date };
  const { user, record } = post(spun.user, posting, now);
  return { ...spun, user, records: [...spun.records, record] };
}

function drawFor({ table, seeds, cashLeftUsd, debug }: Spin): { prize: Prize; limits: Limits } {
  const cashLeft = debug === 'jackpot' ? null : cashLeftUsd;
  const limits = limitsOf(table.prizes, cashLeft, debug);
  return { limits, prize: draw(inPlay(table.prizes, debug), limits, seeds) };
}

/** The limits under which a table is drawn from while so much of the day's cash (whole USD) is left. */
export function limitsOf(prizes: readonly Prize[], cashLeftUsd: number | null, debug?: Debug): Limits {
  return { cashLeftUsd, ticketsOnly: debug === 'tickets_only' || noCashAffordable(prizes, cashLeftUsd) };
}

/** The prizes of a table with the chances that they have in an ordinary play, or in a debug one. */
export function inPlay(prizes: readonly Prize[], debug?: Debug): readonly Prize[] {
  return debug === 'jackpot' ? jackpotOnly(prizes) : prizes;
}

function fieldsOf(spin: Spin, prize: Prize, { cashLeftUsd, ticketsOnly }: Limits): OutcomeFields {
  const { serverSeed, clientSeed, spinIndex } = spin.seeds;
  return {
    play_type: spin.playType,
    game: spin.game,
    prize: { [prize.kind]: prize.amount },
    prize_id: prize.id,
    game_status: gameStatusOf[prize.kind],
    result_effective_date: spin.resultEffectiveDate,
    cost: spin.cost,
    prize_table_version: spin.table.version,
    commitment: commitmentTo(serverSeed),
    server_seed: serverSeed,
    client_seed: clientSeed,
    spin_index: spinIndex,
    cash_left_usd: cashLeftUsd,
    tickets_only: ticketsOnly,
    ...(spin.debug ? { debug: spin.debug } : {}),
  };
}

/** Draws a recorded outcome again: answers the prize it should have, and what of the record does not hold. */
export function verifyOutcome(
  record: Pick<OutcomeRecord, keyof OutcomeFields>,
  table: PrizeTable,
): { prizeId: string; faults: string[] } {
  const limits = limitsOf(table.prizes, record.cash_left_usd, record.debug);
  const seeds = {
    serverSeed: record.server_seed,
    clientSeed: record.client_seed,
    spinIndex: record.spin_index,
  };
  const prize = draw(inPlay(table.prizes, record.debug), limits, seeds);
  const holds: Record<string, boolean> = {
    'the table is not the one the outcome was drawn from': table.version === record.prize_table_version,
    'the server seed is not the one that was committed to':
      commitmentTo(record.server_seed) === record.commitment,
    'the limits of the draw do not follow from the table and the cash that was left':
      record.tickets_only === limits.ticketsOnly,
    'the seeds give another prize': prize.id === record.prize_id,
    'the prize is not what the table says':
      canonicalJson(record.prize) === canonicalJson({ [prize.kind]: prize.amount }),
    'the game status is not that of the prize': record.game_status === gameStatusOf[prize.kind],
  };
  return { prizeId: prize.id, faults: Object.keys(holds).filter((fault) => !holds[fault]) };
}

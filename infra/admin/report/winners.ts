/** Who won what, as a list of winners or a tax return asks for it. Pure. */
import type { OutcomeRecord } from '../../../shared/accounts/records.ts';
import { accountOf } from '../../../shared/games/prizes.ts';
import type { PrizeKind } from '../../../shared/vocabulary.ts';
import type { Row } from './csv.ts';

/**
 * A prize that an outcome won, with its value in whole USD, or null for one that has none yet; tickets and entries are
 * credited to the user, and all else is handed over by the host. Undefined for a test play.
 */
export function prizeWon({ prize, debug }: Pick<OutcomeRecord, 'prize' | 'debug'>) {
  if (debug) return undefined;
  const [kind, amount] = Object.entries(prize)[0] as [PrizeKind, number];
  const isCredited = accountOf(kind) !== undefined;
  return { kind, amount, isCredited, valueUsd: kind === 'cash_usd' ? amount : null };
}

/** The columns of a list of winners. */
export const winnerColumns = [
  'outcome_id',
  'won_at',
  'user_id',
  'external_reference',
  'game',
  'play_type',
  'prize_id',
  'prize',
  'amount',
  'value_usd',
  'result_effective_date',
];

/**
 * The row of a winner, still without the host's reference; when a prize is handed over the service does not know.
 * Undefined if the prize is known to be worth less than so many USD, is none, or is credited and these are left out.
 */
export function winnerRow(
  outcome: OutcomeRecord,
  { atLeastUsd, withoutCredits }: { atLeastUsd: number; withoutCredits: boolean },
): Row | undefined {
  const won = prizeWon(outcome);
  if (won?.isCredited && withoutCredits) return undefined;
  if (!won || (won.valueUsd !== null && won.valueUsd < atLeastUsd)) return undefined;
  const { id, timestamp, user_id, game, play_type, prize_id, result_effective_date } = outcome;
  return {
    outcome_id: id,
    won_at: timestamp,
    user_id,
    external_reference: null,
    game,
    play_type,
    prize_id,
    prize: won.kind,
    amount: won.amount,
    value_usd: won.valueUsd,
    result_effective_date,
  };
}

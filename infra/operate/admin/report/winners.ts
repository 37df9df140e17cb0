import type { ClaimRecord, OutcomeRecord } from '../../../../shared/accounts/records.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { centsOf, isWin } from '../../../../shared/games/prizes.ts';
import { claimOf } from '../../../../shared/prizes/claims.ts';
import { wonPrizeIn } from '../../../../shared/prizes/won-prize.ts';
import type { PrizeKind } from '../../../../shared/vocabulary.ts';
import { type FoundPrize, kindOf } from '../prizes.ts';
import type { Row } from './csv.ts';

/** If `isCredited` is false, the host must hand it over. */
export function prizeWon(
  { prize, prize_id, debug }: Pick<OutcomeRecord, 'prize' | 'prize_id' | 'debug'>,
  prizes: readonly Prize[],
) {
  if (debug) return undefined;
  const [kind, amount] = Object.entries(prize)[0] as [PrizeKind, number];
  const value_usd = prizes.find(({ id }) => id === prize_id)?.value_usd;
  return { kind, amount, isCredited: !isWin(kind), cents: centsOf({ kind, amount, value_usd }) };
}

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
  'state',
  'state_at',
  'delivered_on',
] as const;
export type WinnerRow = Record<(typeof winnerColumns)[number], Row[string]>;

/** The fields are null for tickets and entries, which the service credits itself. */
function stateOf(outcome: OutcomeRecord, prizes: readonly Prize[], step: ClaimRecord | undefined) {
  const won = wonPrizeIn(outcome, prizes);
  const { state = null, state_at = null, delivered_on = null } = won ? claimOf(won, step) : {};
  return { state, state_at, delivered_on };
}

export function drawnRow({ won, claim }: FoundPrize): WinnerRow {
  const { prize_id, won_at, user_id, value_usd, drawn } = won;
  const { state, state_at, delivered_on = null } = claim;
  return {
    outcome_id: prize_id,
    won_at,
    user_id,
    external_reference: null,
    game: null,
    play_type: 'drawing',
    prize_id: drawn!.drawing.terms.drawing_id,
    ...kindOf(won),
    value_usd,
    result_effective_date: won_at,
    state,
    state_at,
    delivered_on,
  };
}

export function winnerRow(
  outcome: OutcomeRecord,
  prizes: readonly Prize[],
  { atLeastUsd, withoutCredits }: { atLeastUsd: number; withoutCredits: boolean },
  step?: ClaimRecord,
): WinnerRow | undefined {
  const won = prizeWon(outcome, prizes);
  if (won?.isCredited && withoutCredits) return undefined;
  const valueUsd = won && won.cents !== null ? won.cents / 100 : null;
  if (!won || (valueUsd !== null && valueUsd < atLeastUsd)) return undefined;
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
    value_usd: valueUsd,
    result_effective_date,
    ...stateOf(outcome, prizes, step),
  };
}

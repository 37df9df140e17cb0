import type { ClaimRecord, OutcomeRecord } from '../../../../shared/accounts/records.ts';
import type { Prize } from '../../../../shared/games/prize-tables.ts';
import { centsOf } from '../../../../shared/games/prizes.ts';
import type { Claim } from '../../../../shared/prizes/claim-steps.ts';
import { claimOf } from '../../../../shared/prizes/claims.ts';
import { wonPrizeIn } from '../../../../shared/prizes/won-prize.ts';
import type { PrizeKind } from '../../../../shared/vocabulary.ts';
import { type FoundPrize, kindAndAmountOf } from '../prizes.ts';
import type { CsvRow } from './csv.ts';

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
export type WinnerRow = Record<(typeof winnerColumns)[number], CsvRow[string]>;

/** The fields are null for tickets and entries, which the service credits itself. */
const stateOf = ({
  state = null,
  state_at = null,
  delivered_on = null,
}: { [F in keyof Claim]?: Claim[F] | null }) => ({ state, state_at, delivered_on });

export function drawingWinnerRow({ won, claim }: FoundPrize): WinnerRow {
  const { prize_id, won_at, user_id, value_usd, drawn } = won;
  return {
    outcome_id: prize_id,
    won_at,
    user_id,
    external_reference: null,
    game: null,
    play_type: 'drawing',
    prize_id: drawn!.drawing.terms.drawing_id,
    ...kindAndAmountOf(won),
    value_usd,
    result_effective_date: won_at,
    ...stateOf(claim),
  };
}

export function winnerRow(
  outcome: OutcomeRecord,
  prizes: readonly Prize[],
  { atLeastUsd, withoutCredits }: { atLeastUsd: number; withoutCredits: boolean },
  step?: ClaimRecord,
): WinnerRow | undefined {
  const won = wonPrizeIn(outcome, prizes);
  if (outcome.debug || (withoutCredits && !won)) return undefined;
  const { id, timestamp, user_id, game, play_type, prize_id, result_effective_date } = outcome;
  const [kind, amount] = Object.entries(outcome.prize)[0] as [PrizeKind, number];
  const cents = centsOf({ kind, amount, value_usd: prizes.find((one) => one.id === prize_id)?.value_usd });
  if (cents !== null && cents < atLeastUsd * 100) return undefined;
  return {
    outcome_id: id,
    won_at: timestamp,
    user_id,
    external_reference: null,
    game,
    play_type,
    prize_id,
    prize: kind,
    amount,
    value_usd: cents === null ? null : cents / 100,
    result_effective_date,
    ...stateOf(won ? claimOf(won, step) : {}),
  };
}

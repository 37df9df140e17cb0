/** The one place that knows where a prize can be won, and finds it by its id. */
import type { OutcomeRecord } from '../accounts/records.ts';
import { findOutcome } from '../games/find-outcome.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import { claimBy } from '../games/outcomes.ts';
import type { Prize } from '../games/prize-tables.ts';
import { centsOf, isWin } from '../games/prizes.ts';
import { isId, timeOfUlid, ulidOf } from '../ids.ts';
import { faultRefusals, refusals } from '../refusals.ts';
import { settledAfterMs } from '../table/settled.ts';
import type { PrizeKind } from '../vocabulary.ts';

export type WonPrize = {
  prize_id: string;
  user_id: string;
  prize: Record<string, number>;
  /** Null if the prize table gives no value. */
  value_usd: number | null;
  won_at: string;
  /** The end of the last day to claim the prize. Null if there is no deadline. */
  claim_by: string | null;
  isTracked: boolean;
};

type Won = Pick<OutcomeRecord, 'id' | 'user_id' | 'prize' | 'prize_id' | 'timestamp' | 'claim_days'>;

/** Returns undefined for a prize that a balance contains. */
export function wonPrizeIn(outcome: Won, prizes: readonly Prize[]): WonPrize | undefined {
  const { id, user_id, prize, prize_id, timestamp, claim_days } = outcome;
  const [kind, amount] = Object.entries(prize)[0] as [PrizeKind, number];
  if (!isWin(kind)) return undefined;
  const value_usd = prizes.find((one) => one.id === prize_id)?.value_usd;
  const cents = centsOf({ kind, amount, value_usd });
  return {
    prize_id: id,
    user_id,
    prize,
    value_usd: cents === null ? null : cents / 100,
    won_at: timestamp,
    claim_by: claimBy(outcome) ?? null,
    isTracked: claim_days !== undefined,
  };
}

/** Throws `prize_not_found`, or `validation_failed` for a prize that a balance contains. */
export async function findPrize(organizationId: string, prizeId: string, now: number): Promise<WonPrize> {
  if (!isId('out', prizeId)) throw refusals.prizeNotFound();
  const outcome = await findOutcome(organizationId, prizeId);
  if (!outcome) {
    // The index can still lack a prize just won, so a repeated request may find it.
    const isRecent = Math.abs(now - timeOfUlid(ulidOf(prizeId))) < settledAfterMs;
    throw isRecent ? faultRefusals.unavailable() : refusals.prizeNotFound();
  }
  const { game, prize_table_version: version } = outcome;
  const won = wonPrizeIn(outcome, (await readPrizeTable(organizationId, game, version)).prizes);
  if (!won) throw refusals.invalid('prize_id: The prize is in a balance of the user');
  return won;
}

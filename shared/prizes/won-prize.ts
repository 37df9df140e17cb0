/** The one place that knows where a prize can be won, in a game or in a drawing, and finds it by its id. */
import type { OutcomeRecord } from '../accounts/records.ts';
import type { User } from '../accounts/user.ts';
import { type Drawing, readDrawing } from '../drawings/drawings.ts';
import { drawnPrizeIdOf } from '../drawings/terms.ts';
import { findOutcome } from '../games/find-outcome.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import { claimDeadline } from '../games/outcomes.ts';
import type { Prize } from '../games/prize-tables.ts';
import { centsOf, countsAsWin } from '../games/prizes.ts';
import { isId, timeOfUlid, ulidOf } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { RETRY, retry } from '../retry.ts';
import { getItem } from '../table/client.ts';
import { drawingKey } from '../table/drawing-keys.ts';
import { settledAfterMs } from '../table/settled.ts';
import { endOfDayAfter } from '../time.ts';
import type { PrizeKind } from '../vocabulary.ts';

export type WonPrize = {
  prize_id: string;
  user_id: string;
  /** The number by kind, or a drawing's label by language. */
  prize: Record<string, number | string>;
  /** Null if the prize table gives no value. */
  value_usd: number | null;
  won_at: string;
  /** The end of the last day to claim the prize. Null if there is no deadline. */
  claim_by: string | null;
  isTracked: boolean;
  /** The drawing, and the number of the draw from 1. Absent for a prize of a game. */
  drawn?: { drawing: Drawing; number: number };
};

type Won = Pick<OutcomeRecord, 'id' | 'user_id' | 'prize' | 'prize_id' | 'timestamp' | 'claim_days'>;

/** Returns undefined for a prize that a balance contains. */
export function wonPrizeIn(outcome: Won, prizes: readonly Prize[]): WonPrize | undefined {
  const { id, user_id, prize, prize_id, timestamp, claim_days } = outcome;
  const [kind, amount] = Object.entries(prize)[0] as [PrizeKind, number];
  if (!countsAsWin(kind)) return undefined;
  const value_usd = prizes.find((one) => one.id === prize_id)?.value_usd;
  const cents = centsOf({ kind, amount, value_usd });
  return {
    prize_id: id,
    user_id,
    prize,
    value_usd: cents === null ? null : cents / 100,
    won_at: timestamp,
    claim_by: claimDeadline(outcome) ?? null,
    isTracked: claim_days !== undefined,
  };
}

export async function readWonPrize(outcome: OutcomeRecord): Promise<WonPrize | undefined> {
  const { organization_id, game, prize_table_version } = outcome;
  return wonPrizeIn(outcome, (await readPrizeTable(organization_id, game, prize_table_version)).prizes);
}

/** Returns all prizes that a drawing has given, in the order of its draws. */
export const drawnPrizesIn = (drawing: Drawing): WonPrize[] =>
  drawing.drawn.map(({ place, user_id, won_at }, index) => {
    const { drawing_id, prize, value_usd, claim_days } = drawing.terms;
    const number = index + 1;
    const prize_id = drawnPrizeIdOf(drawing_id, place, number);
    const claim_by = endOfDayAfter(won_at, claim_days);
    const drawn = { drawing, number };
    return { prize_id, user_id, prize, value_usd, won_at, claim_by, isTracked: true, drawn };
  });

const drawingIdIn = (prizeId: string): string => prizeId.split(':')[0]!;

export async function readDrawnPrizes({ organization_id, user_id, drawn_prizes }: User): Promise<WonPrize[]> {
  const ids = Object.keys(drawn_prizes ?? {}).map(drawingIdIn);
  const drawings = await Promise.all(ids.map((id) => readDrawing(organization_id, id)));
  return drawings.flatMap(drawnPrizesIn).filter((won) => won.user_id === user_id);
}

/** Throws `prize_not_found`, or `validation_failed` for a prize that a balance contains. */
export async function findPrize(organizationId: string, prizeId: string, now: number): Promise<WonPrize> {
  const drawingId = drawingIdIn(prizeId);
  if (isId('drw', drawingId)) {
    const drawing = await getItem<Drawing>(drawingKey(organizationId, drawingId));
    const drawn = drawing && drawnPrizesIn(drawing).find(({ prize_id }) => prize_id === prizeId);
    if (!drawn) throw refusals.prizeNotFound();
    return drawn;
  }
  if (!isId('out', prizeId)) throw refusals.prizeNotFound();
  // The index can still lack a prize just won.
  const isRecent = Math.abs(now - timeOfUlid(ulidOf(prizeId))) < settledAfterMs;
  const outcome = await retry(
    async () => (await findOutcome(organizationId, prizeId)) ?? (isRecent ? RETRY : undefined),
  );
  if (!outcome) throw refusals.prizeNotFound();
  const won = await readWonPrize(outcome);
  if (!won) throw refusals.invalid('prize_id: The prize is in a balance of the user');
  return won;
}

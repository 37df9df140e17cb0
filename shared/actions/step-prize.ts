import { requireActive } from '../accounts/active.ts';
import { commit, userWrite } from '../accounts/commit.ts';
import { appendRecord, type ClaimRecord } from '../accounts/records.ts';
import { readUserOrErased, type User } from '../accounts/user.ts';
import { type Drawing, openPlaces } from '../drawings/drawings.ts';
import { type ClaimStep, nextStep, requirePossible } from '../prizes/claim-steps.ts';
import { claimOf, readLastSteps, type ShownPrize, shownPrize } from '../prizes/claims.ts';
import { findPrize, type WonPrize } from '../prizes/won-prize.ts';
import { Refusal, refusals } from '../refusals.ts';
import { sendMessages } from '../send-messages.ts';
import { isoOf } from '../time.ts';
import { type ActionContext, liveContext } from './action-records.ts';
import { drawingAfterDraws, recordDrawingStep, withDrawnPrize } from './record-drawing.ts';
import type { DrawingStepMessage } from './start-drawings.ts';

export type ClaimStepRequest = Pick<ActionContext, 'operator' | 'now' | 'readAt'> & {
  organizationId: string;
  prizeId: string;
  /** The prize, if it is known already. */
  won?: WonPrize | undefined;
  step: ClaimStep;
  byOperator?: true;
  /** Permits every step, except after a drawing's prize was forfeited. */
  isCorrection?: boolean;
  suspended?: boolean;
};

/** Records a step of a prize's claim. The same step again changes nothing. Throws the refusals of `findPrize`. */
export async function recordClaimStep(asked: ClaimStepRequest): Promise<ShownPrize> {
  const { organizationId, prizeId } = asked;
  const contextNow = liveContext({ readAt: Date.now(), ...asked });
  const won = asked.won ?? (await findPrize(organizationId, prizeId, asked.now));
  // A record must not be much older than its write, but finding a prize can take 10 s, and a file of prizes an hour.
  const request = { ...asked, ...contextNow() };
  if (won.drawn && request.step.state === 'forfeited') return forfeit(won, won.drawn, request);
  const change = commit({
    ...request,
    userId: won.user_id,
    prepare: () => readLastSteps(organizationId, won.user_id),
    decide: ({ user }, steps) => stepped(user, won, steps.get(prizeId), request),
  });
  const { reply } = await change.catch((error: unknown) => {
    // The prize of an erased user is not found, like the user.
    const isErased = error instanceof Refusal && error.code === refusals.userNotFound().code;
    throw isErased ? refusals.prizeNotFound() : error;
  });
  return reply;
}

/** Returns the prize after a step, and whether it would change. Throws what `recordClaimStep` would. */
export async function previewClaimStep(request: ClaimStepRequest) {
  const { organizationId, prizeId, now } = request;
  const won = request.won ?? (await findPrize(organizationId, prizeId, now));
  const user = await readUserOrErased(organizationId, won.user_id);
  const steps = await readLastSteps(organizationId, won.user_id);
  const { user: after, reply } = stepped(user, won, steps.get(prizeId), request);
  return { would_change: after !== undefined, ...reply };
}

/** Returns the user and the record after a step. Both are absent if the step repeats the last one. */
function stepped(user: User, won: WonPrize, last: ClaimRecord | undefined, request: ClaimStepRequest) {
  const { step: asked, operator, byOperator, isCorrection = false, now } = request;
  const { prize_id, prize, drawn } = won;
  requirePossible(asked, won.won_at, now);
  const before = claimOf(won, last);
  // After a forfeit, somebody else has the place of a drawing, so no correction is possible.
  const isFree = isCorrection && !(drawn && before.state === 'forfeited');
  if (user.erased_at !== undefined) {
    // An erased user gets no new records, but an operator must be able to give the place to the next user.
    if (!drawn || !byOperator || asked.state !== 'forfeited') throw refusals.prizeNotFound();
    const isChange = nextStep(before, asked, isFree, now) !== undefined;
    const reply = { ...shownPrize(won, undefined), ...asked };
    return isChange ? { user: withDrawnPrize(user, prize_id, asked.state), reply } : { reply };
  }
  requireActive(user, request);
  const step = nextStep(before, asked, isFree, now);
  if (!step) return { reply: shownPrize(won, last) };
  const correction = isCorrection ? { correction: true as const } : {};
  const fields = { kind: 'claims' as const, prize_id, prize, ...step, operator, ...correction };
  const { user: after, record } = appendRecord(user, fields, now);
  const reply = shownPrize(won, record);
  return { user: drawn ? withDrawnPrize(after, prize_id, step.state) : after, records: [record], reply };
}

/** Takes a drawing's prize from its winner, with a public reason, and has the place drawn again. */
async function forfeit(
  won: WonPrize,
  { drawing, number }: { drawing: Drawing; number: number },
  request: ClaimStepRequest,
): Promise<ShownPrize> {
  const { organizationId, step, byOperator, operator, now } = request;
  const { user_id, prize_id } = won;
  const { drawing_id } = drawing.terms;
  // An operator's reason is public. A host's may contain personal data, so only the claim's erasable record has it.
  const why = byOperator ? step.reason! : 'by the host';
  let reply = shownPrize(won, undefined);
  const after = await recordDrawingStep(
    drawing,
    async (stored, current) => {
      const winner = stored.drawn[number - 1]!;
      const user = await readUserOrErased(organizationId, user_id);
      const last = (await readLastSteps(organizationId, user_id)).get(prize_id);
      const fresh = { ...won, drawn: { drawing: stored, number } };
      const decided = stepped(user, fresh, last, { ...request, now: current.now });
      reply = decided.reply;
      if (!decided.user) return undefined;
      const forfeited = { ...winner, forfeited: why, forfeited_at: isoOf(current.now) };
      const [record] = decided.records ?? [];
      return {
        action: 'drawing_forfeited',
        about: { user_id, place: winner.place, number, reason: why },
        ...drawingAfterDraws(stored, stored.drawn.with(number - 1, forfeited), current.now),
        user,
        writes: { user: userWrite(user, decided.user), ...(record && { record: { Put: { Item: record } } }) },
      };
    },
    { operator, now, why },
  );
  // A repeated request sends the message too, because it may have been lost.
  const message: DrawingStepMessage = { organization_id: organizationId, drawing_id };
  if (openPlaces(after ?? drawing).length > 0) await sendMessages('drawings', [message]);
  return reply;
}

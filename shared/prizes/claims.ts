import { commit } from '../accounts/commit.ts';
import { append, type ClaimRecord, type OutcomeRecord } from '../accounts/records.ts';
import { readUser } from '../accounts/user.ts';
import { readPrizeTable } from '../games/organization-tables.ts';
import { greatestUlid, isUlid, ulidOf } from '../ids.ts';
import { Refusal, refusals } from '../refusals.ts';
import { recordsOfUser } from '../table/keys.ts';
import { readPage, readRange } from '../table/ranges.ts';
import { type Claim, type ClaimStep, isNewStep, stepAsked } from './claim-steps.ts';
import { findPrize, type WonPrize, wonPrizeIn } from './won-prize.ts';

/** A prize with its state, as hosts see it. */
export type ShownPrize = Omit<WonPrize, 'isTracked' | 'user_id'> & Claim;

export function claimOf(won: WonPrize, last: ClaimRecord | undefined): Claim {
  if (!last) return { state: won.isTracked ? 'open' : 'untracked', state_at: won.won_at };
  const { state, date_created: state_at, reference, reason, delivered_on } = last;
  return {
    state,
    state_at,
    ...(reference !== undefined && { reference }),
    ...(reason !== undefined && { reason }),
    ...(delivered_on !== undefined && { delivered_on }),
  };
}

export function shownPrize(
  { isTracked, user_id, ...won }: WonPrize,
  last: ClaimRecord | undefined,
): ShownPrize {
  return { ...won, ...claimOf({ isTracked, user_id, ...won }, last) };
}

/** Returns the last step of each prize, by the prize's id. `records` are oldest first. */
export const lastSteps = (records: readonly ClaimRecord[]): Map<string, ClaimRecord> =>
  new Map(records.map((record) => [record.prize_id, record]));

export const lastStepsOf = async (organizationId: string, userId: string) =>
  lastSteps(
    (await readRange(recordsOfUser(organizationId, userId, 'claims'), { consistent: true })) as ClaimRecord[],
  );

export type StepRequest = {
  organizationId: string;
  prizeId: string;
  step: ClaimStep;
  operator: string;
  byOperator?: true;
  /** Permits every step. */
  isCorrection?: boolean;
  suspended?: boolean;
  now: number;
};

/** Records a step of a prize's claim. The same step again changes nothing. Throws the refusals of `findPrize`. */
export async function stepClaim(request: StepRequest): Promise<ShownPrize> {
  const { organizationId, prizeId, operator, isCorrection = false, now, suspended } = request;
  const won = await findPrize(organizationId, prizeId, now);
  const step = stepAsked(request.step, won.won_at, now);
  const change = commit({
    organizationId,
    userId: won.user_id,
    suspended,
    ...(request.byOperator && { byOperator: true }),
    prepare: () => lastStepsOf(organizationId, won.user_id),
    decide: ({ user }, steps) => {
      const last = steps.get(prizeId);
      if (!isNewStep(claimOf(won, last), step, isCorrection)) return { reply: shownPrize(won, last) };
      const correction = isCorrection ? { correction: true as const } : {};
      const fields = {
        kind: 'claims' as const,
        prize_id: prizeId,
        prize: won.prize,
        ...step,
        operator,
        ...correction,
      };
      const { user: after, record } = append(user, fields, now);
      return { user: after, records: [record], reply: shownPrize(won, record) };
    },
  });
  // The prize of an erased user is not found, like the user.
  const { reply } = await change.catch((error: unknown) => {
    const isErased = error instanceof Refusal && error.code === refusals.userNotFound().code;
    throw isErased ? refusals.prizeNotFound() : error;
  });
  return reply;
}

type PrizePage = { items: ShownPrize[]; last: string | undefined };

const outcomesPerPage = 200;
/** A page may be shorter than asked, because most outcomes won tickets or entries. */
const maxOutcomesRead = 2000;

/** Returns a page of the prizes that a user has won and no balance contains, newest first. */
export async function prizesOfUser(
  organizationId: string,
  userId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<PrizePage> {
  if (after !== undefined && !isUlid(after)) throw refusals.invalidToken();
  await readUser(organizationId, userId);
  if (limit === 0) return { items: [], last: after ?? greatestUlid };
  const steps = await lastStepsOf(organizationId, userId);
  const range = recordsOfUser(organizationId, userId, 'outcomes');
  const items: ShownPrize[] = [];
  let last = after;
  for (let read = 0; read < maxOutcomesRead && items.length < limit; ) {
    const options = { limit: outcomesPerPage, after: last, newestFirst: true, consistent: true };
    const page = await readPage(range, options);
    for (const outcome of page.items as OutcomeRecord[]) {
      const { prizes } = await readPrizeTable(organizationId, outcome.game, outcome.prize_table_version);
      const won = wonPrizeIn(outcome, prizes);
      if (won) items.push(shownPrize(won, steps.get(won.prize_id)));
      last = ulidOf(outcome.id);
      if (items.length === limit) return { items, last };
    }
    if (page.last === undefined) return { items, last: undefined };
    read += page.items.length;
  }
  return { items, last };
}

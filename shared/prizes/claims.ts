import type { ClaimRecord, OutcomeRecord } from '../accounts/records.ts';
import { readUser } from '../accounts/user.ts';
import { digest80, greatestUlid, isUlid, ulidOf, ulidTimePart } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { recordsOfUser } from '../table/keys.ts';
import { readPage, readRange } from '../table/ranges.ts';
import type { Claim } from './claim-steps.ts';
import { readDrawnPrizes, readWonPrize, type WonPrize } from './won-prize.ts';

/** A prize with its state, as hosts see it. */
export type ShownPrize = Omit<WonPrize, 'isTracked' | 'user_id' | 'drawn'> & Claim;

/** Returns a prize's state after its `last` step, or without a step its state at `until` (epoch milliseconds). */
export function claimOf(
  won: WonPrize,
  last: ClaimRecord | undefined,
  until = Number.POSITIVE_INFINITY,
): Claim {
  const { isTracked, won_at, drawn } = won;
  const { forfeited, forfeited_at = won_at } = drawn?.drawing.drawn[drawn.number - 1] ?? {};
  // Only an erased user forfeits a drawing's prize without a record.
  if (last?.state !== 'forfeited' && forfeited !== undefined && Date.parse(forfeited_at) < until)
    return { state: 'forfeited', state_at: forfeited_at, reason: forfeited };
  if (!last) return { state: isTracked ? 'open' : 'untracked', state_at: won_at };
  const { state, date_created: state_at, reference, reason, delivered_on } = last;
  return {
    state,
    state_at,
    ...(reference !== undefined && { reference }),
    ...(reason !== undefined && { reason }),
    ...(delivered_on !== undefined && { delivered_on }),
  };
}

export function shownPrize(won: WonPrize, last: ClaimRecord | undefined): ShownPrize {
  const { isTracked, user_id, drawn, ...shown } = won;
  return { ...shown, ...claimOf(won, last) };
}

/** `records` are oldest first. */
export const lastStepByPrize = (records: readonly ClaimRecord[]): Map<string, ClaimRecord> =>
  new Map(records.map((record) => [record.prize_id, record]));

export const readLastSteps = async (organizationId: string, userId: string) =>
  lastStepByPrize(
    (await readRange(recordsOfUser(organizationId, userId, 'claims'), { consistent: true })) as ClaimRecord[],
  );

type PrizePage = { items: ShownPrize[]; last: string | undefined };

const outcomesPerPage = 200;
/** Maximum outcomes read for a page, which can have fewer prizes than asked: most outcomes won tickets or entries. */
const maxOutcomesRead = 2000;

/** Returns a page of the prizes that a user has won and no balance contains, newest first. */
export async function readPrizesOfUser(
  organizationId: string,
  userId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<PrizePage> {
  if (after !== undefined && !isUlid(after)) throw refusals.invalidToken();
  const user = await readUser(organizationId, userId);
  if (limit === 0) return { items: [], last: after ?? greatestUlid };
  const [steps, drawn] = await Promise.all([readLastSteps(organizationId, userId), readDrawnPrizes(user)]);
  const waiting = drawn
    .map((won) => ({ won, at: positionOf(won) }))
    .filter(({ at }) => after === undefined || at < after)
    .sort((a, b) => (a.at > b.at ? -1 : 1));
  const range = recordsOfUser(organizationId, userId, 'outcomes');
  const items: ShownPrize[] = [];
  let last = after;
  const add = (won: WonPrize | undefined, at: string) => {
    if (won) items.push(shownPrize(won, steps.get(won.prize_id)));
    last = at;
    return items.length === limit;
  };
  /** Adds prizes of drawings from after the position `until`. Returns whether the page is full. */
  const addDrawn = (until: string): boolean => {
    while (waiting[0] && waiting[0].at > until) {
      const { won, at } = waiting.shift()!;
      if (add(won, at)) return true;
    }
    return false;
  };
  for (let read = 0; read < maxOutcomesRead; ) {
    const options = { limit: outcomesPerPage, after: last, newestFirst: true, consistent: true };
    const page = await readPage(range, options);
    for (const outcome of page.items as OutcomeRecord[]) {
      const at = ulidOf(outcome.id);
      if (addDrawn(at)) return { items, last };
      if (add(await readWonPrize(outcome), at)) return { items, last };
    }
    if (page.last === undefined) return { items, last: addDrawn('') ? last : undefined };
    read += page.items.length;
  }
  return { items, last };
}

/** Returns the position of a drawing's prize among outcomes, which are sorted by ULID. */
const positionOf = ({ won_at, prize_id }: WonPrize): string =>
  ulidTimePart(Date.parse(won_at)) + digest80(prize_id);

/** Reads holds, in epoch milliseconds, from the records of operations. Spins need not run during a hold. */
import type { User } from '../../accounts/user.ts';
import { freeSpins, holdOn } from '../../games/holds.ts';
import { isoOf } from '../../time.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';
import { type Timeline, toleranceMs } from './in-force.ts';
import type { Operation } from './operations.ts';

/** A time span. `until` is infinite for a hold that has not ended. */
type Interval = { from: number; until: number };
/** The time span during which the last `spins` spins of a user's order were canceled. */
type Cancelled = Interval & { userId: string; spins: number };

/** Holds as plain data: when users were frozen or erased, by user id, and when spins were canceled, by order id. */
export type Holds = {
  frozen: Map<string, Interval[]>;
  erased: Map<string, number>;
  cancelled: Map<string, Cancelled[]>;
};
export const noHolds = (): Holds => ({ frozen: new Map(), erased: new Map(), cancelled: new Map() });

/** Returns a user as frozen or erased, if that was so during the whole minute before and after a time. */
export function heldUser({ frozen, erased }: Holds, user: User, at: number): User {
  const { user_id } = user;
  const isFrozen = frozen
    .get(user_id)
    ?.some(({ from, until }) => from <= at - toleranceMs && until >= at + toleranceMs);
  const erasedAt = erased.get(user_id) ?? Number.POSITIVE_INFINITY;
  if (!isFrozen && erasedAt > at - toleranceMs) return user;
  const held: User = { ...user };
  if (isFrozen) held.frozen = true;
  if (erasedAt <= at - toleranceMs) held.erased_at = isoOf(erasedAt);
  return held;
}

const forGood = Number.POSITIVE_INFINITY;

/**
 * Stores the beginning or end of a hold. Unless `all`, a missing book may contain the cancellation of
 * restored spins.
 */
export function noteHold(
  { frozen, erased, cancelled }: Holds,
  { leaf, at }: Operation,
  all: boolean,
  report: Report,
) {
  const { action, about: { user_id = '', spins = {} } = {} } = leaf;
  if (action === 'user_frozen') begin(frozen, user_id, { from: at, until: forGood });
  if (action === 'user_unfrozen') end(frozen, user_id, at, {});
  if (action === 'user_erased') erased.set(user_id, at);
  for (const [orderId, count] of Object.entries(spins)) {
    const before = cancelled.get(orderId)?.at(-1);
    const open = before?.until === forGood ? before.spins : 0;
    if (action === 'spins_cancelled') {
      if (open > 0)
        report.finding('cancelled_spins_differ', `The spins of order ${orderId} were already cancelled.`);
      begin(cancelled, orderId, { from: at, until: forGood, userId: user_id, spins: count });
    }
    if (action === 'spins_restored') {
      if (open !== count && (all || open > 0)) {
        report.finding(
          'cancelled_spins_differ',
          `${count} spins of order ${orderId} were restored, but ${open} were cancelled.`,
        );
      }
      if (before && before.userId !== user_id) {
        const said = `The spins of order ${orderId} were cancelled for a different user.`;
        report.finding('cancelled_spins_differ', said);
      }
      end(cancelled, orderId, at, { userId: user_id, spins: 0 });
    }
  }
}

const begin = <I extends Interval>(intervals: Map<string, I[]>, id: string, interval: I) =>
  intervals.set(id, [...(intervals.get(id) ?? []), interval]);

function end<I extends Interval>(
  intervals: Map<string, I[]>,
  id: string,
  at: number,
  others: Omit<I, keyof Interval>,
) {
  const last = intervals.get(id)?.at(-1);
  if (last) last.until = Math.min(last.until, at);
  // The beginning of the hold is unknown, because the book with its beginning was not given.
  else intervals.set(id, [{ from: Number.NEGATIVE_INFINITY, until: at, ...others } as I]);
}

/** The user, order and time span for which `onHold` measures holds. */
type HoldQuery = { userId: string; orderId: string } & Interval;

/**
 * Returns for how many milliseconds an order's spins were on hold. `orMore` includes the times whose settings
 * are unknown.
 */
export function onHold(
  { frozen, cancelled }: Holds,
  timeline: Timeline,
  { userId, orderId, from, until }: HoldQuery,
): { known: number; orMore: number } {
  const { steps } = timeline;
  const stopped = steps.flatMap(({ at, settings }, index) =>
    holdOn(settings, freeSpins) ? [{ from: at, until: steps[index + 1]?.at ?? timeline.until }] : [],
  );
  const known = [...stopped, ...(frozen.get(userId) ?? []), ...(cancelled.get(orderId) ?? [])];
  const unknown = [
    { from: Number.NEGATIVE_INFINITY, until: timeline.from },
    { from: timeline.until, until: forGood },
  ];
  return {
    known: coveredBy(known, from, until),
    orMore: coveredBy([...known, ...unknown], from, until),
  };
}

/** Returns how many milliseconds of a time span the intervals cover. Overlaps count once. */
function coveredBy(intervals: Interval[], from: number, until: number): number {
  let [sum, at] = [0, from];
  for (const one of intervals.toSorted((a, b) => a.from - b.from)) {
    const [begins, ends] = [Math.max(one.from, at), Math.min(one.until, until)];
    if (ends <= begins) continue;
    sum += ends - begins;
    at = ends;
  }
  return sum;
}

/**
 * Checks that a free spin was not canceled when it ran. Canceling an order cancels all its remaining spins.
 */
export function checkNotCancelled(
  { cancelled }: Holds,
  { spin_index: index, order_id: orderId = '', user_id }: OutcomeLeaf,
  numOfSpins: number,
  at: number,
  report: Report,
): void {
  for (const { from, until, userId, spins } of cancelled.get(orderId) ?? []) {
    if (spins > numOfSpins || userId !== user_id) {
      const said = `${spins} spins of user ${userId} were cancelled in order ${orderId}`;
      report.finding('cancelled_spins_differ', `${said}, which has ${numOfSpins} of user ${user_id}.`);
    }
    const isCancelled = index >= numOfSpins - spins;
    const said = `This is spin ${index + 1} of order ${orderId}, whose last ${spins} were cancelled`;
    if (isCancelled && at >= from - toleranceMs && at < until - toleranceMs) {
      report.finding('cancelled_spin_drawn', `${said}.`);
    } else if (isCancelled ? at < from - toleranceMs : at > from + toleranceMs) {
      report.finding(
        'cancelled_spins_differ',
        `${said}, but it ran ${isCancelled ? 'before' : 'after'} the cancellation.`,
      );
    }
  }
}

/** Returns how many of an order's spins are canceled at the end of the given books. */
export const cancelledNow = ({ cancelled }: Holds, userId: string, orderId: string): number | undefined => {
  const last = cancelled.get(orderId)?.at(-1);
  return last?.until === forGood && last.userId === userId ? last.spins : undefined;
};

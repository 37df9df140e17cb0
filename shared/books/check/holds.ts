/** Reads the holds on users, play URLs and orders from the records of operations. Times are epoch milliseconds. */
import type { User } from '../../accounts/user.ts';
import { freeSpins, holdOn } from '../../games/holds.ts';
import { isoOf } from '../../time.ts';
import type { OperationAction } from '../../vocabulary.ts';
import type { OperationLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';
import { type Timeline, toleranceMs } from './in-force.ts';
import type { Operation } from './operations.ts';

/** A time span. `until` is infinite for a hold that has not ended. */
type Interval = { from: number; until: number };
/** A hold and its user. `spins` is the number of cancelled spins, set only for a hold on an order. */
export type HoldInterval = Interval & { userId: string; spins?: number };
/** Holds as plain data, by the id of the user or order, the hash of the play URL's token, or `erased <user id>`. */
export type Holds = Map<string, HoldInterval[]>;

type About = NonNullable<OperationLeaf['about']>;
const ofUser = ({ user_id = '' }: About) => ({ [user_id]: undefined });
const ofErased = ({ user_id = '' }: About) => ({ [erased(user_id)]: undefined });
const ofUrl = ({ token_hash = '' }: About) => ({ [token_hash]: undefined });
const ofOrders = ({ spins = {} }: About) => spins;
const erased = (userId: string) => `erased ${userId}`;

/**
 * Actions that begin or end a hold. `of` returns the held ids. For orders, each id has its number of cancelled spins.
 */
const actions: Partial<
  Record<OperationAction, [begins: boolean, of: (about: About) => Record<string, number | undefined>]>
> = {
  user_frozen: [true, ofUser],
  user_unfrozen: [false, ofUser],
  user_erased: [true, ofErased],
  play_voided: [true, ofUrl],
  play_restored: [false, ofUrl],
  spins_cancelled: [true, ofOrders],
  spins_restored: [false, ofOrders],
};

/**
 * Stores the beginning or end of a hold, and reports an action that does not fit the previous action on the same id.
 */
export function recordHold(holds: Holds, { leaf, at }: Operation, all: boolean, report: Report): void {
  const { action, about = {} } = leaf;
  const [begins, of] = actions[action] ?? [];
  for (const [id, spins] of Object.entries(of?.(about) ?? {})) {
    const intervals = holds.get(id) ?? [];
    const last = intervals.at(-1);
    const isOn = last?.until === forGood;
    const fields = { userId: about.user_id ?? '', ...(spins === undefined ? {} : { spins }) };
    const isSame = isOn && !begins && last.userId === fields.userId && last.spins === spins;
    // If books are missing, the first known action on an id can be the end of a hold.
    if (begins ? isOn : !isSame && (last !== undefined || all)) {
      const code = spins === undefined ? 'record_not_by_rules' : 'cancelled_spins_differ';
      report.finding(code, `The action ${action} does not follow from the one before on ${id}.`);
    }
    if (begins && !isOn) holds.set(id, [...intervals, { from: at, until: forGood, ...fields }]);
    else if (!begins && isOn) last.until = at;
    // The hold began in a missing book, so it counts as in force at all earlier times.
    else if (!begins && !last) holds.set(id, [{ from: Number.NEGATIVE_INFINITY, until: at, ...fields }]);
  }
}
const forGood = Number.POSITIVE_INFINITY;

/** Returns whether a hold was in force for a whole minute before and after a time. */
export const isHeld = (holds: Holds, id: string, at: number): boolean =>
  holds.get(id)?.some(({ from, until }) => from <= at - toleranceMs && until >= at + toleranceMs) ?? false;

/** Returns whether an operator has erased a user. */
export const isErased = (holds: Holds, userId: string): boolean => holds.has(erased(userId));

/** Returns the user, marked as frozen or erased if the user was frozen or erased at the time `at` (`isHeld`). */
export function heldUser(holds: Holds, user: User, at: number): User {
  const [isFrozen, isErased] = [user.user_id, erased(user.user_id)].map((id) => isHeld(holds, id, at));
  if (!isFrozen && !isErased) return user;
  return { ...user, ...(isFrozen && { frozen: true }), ...(isErased && { erased_at: isoOf(at) }) };
}

/** Reports a play after the voiding of its URL, and a voiding after the play. */
export function checkNotVoided(holds: Holds, tokenHash: string, at: number, report: Report): void {
  if (isHeld(holds, tokenHash, at)) report.finding('record_on_hold', 'The play URL was voided.');
  if (holds.get(tokenHash)?.some(({ from }) => from > at + toleranceMs))
    report.finding('record_not_by_rules', 'The play URL was voided after its play.');
}

/** The user, order and time span for which `onHold` measures holds. */
type HoldQuery = { userId: string; orderId: string } & Interval;

/**
 * Returns the minimum and maximum time for which an order's spins were on hold. Only the maximum includes times with
 * unknown settings.
 */
export function onHold(
  holds: Holds,
  timeline: Timeline,
  { userId, orderId, from, until }: HoldQuery,
): { atLeastMs: number; atMostMs: number } {
  const { changes } = timeline;
  const stopped = changes.flatMap(({ at, settings }, index) =>
    holdOn(settings, freeSpins) ? [{ from: at, until: changes[index + 1]?.at ?? timeline.until }] : [],
  );
  const known = [...stopped, ...(holds.get(userId) ?? []), ...(holds.get(orderId) ?? [])];
  const unknown = [
    { from: Number.NEGATIVE_INFINITY, until: timeline.from },
    { from: timeline.until, until: forGood },
  ];
  return {
    atLeastMs: coveredBy(known, from, until),
    atMostMs: coveredBy([...known, ...unknown], from, until),
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

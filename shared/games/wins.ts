/** A user's wins of a day, which are counted while the organization limits them. Pure. */
import type { User } from '../accounts/user.ts';

/** How many wins a user has had on a day, of so many. */
export type Wins = { day: string; count: number; limit: number };

/**
 * A user's wins on a day; undefined without a limit (0). As with plays, what is of a day that is over by the time it counts
 * is of the day that began.
 */
export function winsOf({ wins }: Pick<User, 'wins'>, day: string, limit: number): Wins | undefined {
  if (limit === 0) return undefined;
  const on = wins && wins.day > day ? wins.day : day;
  return { day: on, count: wins?.day === on ? wins.count : 0, limit };
}

/** Whether a user has had all wins of the day. */
export const areUsedUp = (wins: Wins | undefined): boolean => wins !== undefined && wins.count >= wins.limit;

/** A user after one more win. */
export const withWin = (user: User, { day, count }: Wins): User => ({
  ...user,
  wins: { day, count: count + 1 },
});

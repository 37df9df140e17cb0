/** Rules about users that cannot be changed. Pure, so that checks of books apply the same rules. */
import { refusals } from '../refusals.ts';

/** Returns the given user. Throws `userNotFound` if the user is missing or erased. */
export function unlessErased<U extends { erased_at?: string }>(user: U | undefined): U {
  if (!user || user.erased_at !== undefined) throw refusals.userNotFound();
  return user;
}

/** Throws `userNotFound` for an erased user, and `user_frozen` for a frozen one except `byOperator`. */
export function requireActive(user: { erased_at?: string; frozen?: true }, byOperator = false): void {
  unlessErased(user);
  if (user.frozen && !byOperator) throw refusals.onHold('user_frozen');
}

import { refusals } from '../refusals.ts';

/** Throws `userNotFound` if the user is missing or erased. */
export function requireNotErased<U extends { erased_at?: string }>(user: U | undefined): U {
  if (!user || user.erased_at !== undefined) throw refusals.userNotFound();
  return user;
}

/**
 * Throws `userNotFound` for an erased user, then `organization_suspended`, then `user_frozen` unless an operator
 * makes the change.
 */
export function requireActive(
  user: { erased_at?: string; frozen?: true },
  { byOperator = false, suspended = false }: { byOperator?: boolean; suspended?: boolean | undefined } = {},
): void {
  requireNotErased(user);
  if (suspended) throw refusals.onHold('organization_suspended');
  if (user.frozen && !byOperator) throw refusals.onHold('user_frozen');
}

import type { ActionContext } from './action-records.ts';
import { recordUserAction } from './record-user-action.ts';

/** Freezes a user: requests that change the user are refused, and free spins wait. Throws `userNotFound`. */
export const freezeUser = (organizationId: string, userId: string, context: ActionContext): Promise<void> =>
  recordUserAction(
    organizationId,
    userId,
    (user) => (user.frozen ? undefined : { action: 'user_frozen', user: { ...user, frozen: true } }),
    context,
  );

/** Unfreezes a user. Overdue free spins run in the next spin run, within 15 minutes. Throws `userNotFound`. */
export const unfreezeUser = (organizationId: string, userId: string, context: ActionContext): Promise<void> =>
  recordUserAction(
    organizationId,
    userId,
    ({ frozen, ...user }) => (frozen ? { action: 'user_unfrozen', user } : undefined),
    context,
  );

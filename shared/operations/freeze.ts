/** Freezes and unfreezes a user as an operator's action. */

import type { By } from './operation-records.ts';
import { recordUserAction } from './record-user-action.ts';

/** Freezes a user: requests and spins can no longer change the user. Throws `userNotFound`. */
export const freezeUser = (organizationId: string, userId: string, by: By): Promise<void> =>
  recordUserAction(
    organizationId,
    userId,
    (user) => (user.frozen ? undefined : { action: 'user_frozen', user: { ...user, frozen: true } }),
    by,
  );

/** Unfreezes a user. Spins that became due in the meantime run with the next sweep. Throws `userNotFound`. */
export const unfreezeUser = (organizationId: string, userId: string, by: By): Promise<void> =>
  recordUserAction(
    organizationId,
    userId,
    ({ frozen, ...user }) => (frozen ? { action: 'user_unfrozen', user } : undefined),
    by,
  );

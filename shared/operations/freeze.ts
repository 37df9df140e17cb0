/** How an operator freezes a user, and lets it go on. */

import type { By } from './operation-records.ts';
import { operateOnUser } from './record-user-action.ts';

/** Freezes a user: nothing of it changes any more. Throws `Invalid user ID`. */
export const freezeUser = (organizationId: string, userId: string, by: By): Promise<void> =>
  operateOnUser(
    organizationId,
    userId,
    (user) => (user.frozen ? undefined : { action: 'user_frozen', user: { ...user, frozen: true } }),
    by,
  );

/** Lets a frozen user go on; spins that came due meanwhile run with the next sweep. Throws `Invalid user ID`. */
export const unfreezeUser = (organizationId: string, userId: string, by: By): Promise<void> =>
  operateOnUser(
    organizationId,
    userId,
    ({ frozen, ...user }) => (frozen ? { action: 'user_unfrozen', user } : undefined),
    by,
  );

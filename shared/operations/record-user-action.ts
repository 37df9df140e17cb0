/** How an operator's deed on a user is carried out: with a record of who did what, all or nothing. */
import { userPart } from '../accounts/commit.ts';
import { readUser, type User } from '../accounts/user.ts';
import type { About, By } from './operation-records.ts';
import { type Deed, operate } from './record-action.ts';

/** Something that an operator does to a user: what is said of it, the user after it, and what is written beside. */
export type DeedOnUser = Pick<Deed, 'action' | 'parts'> & { about?: About; user?: User };

/**
 * Carries out what is decided of a user as it is now, frozen or not, and records who did it; nothing if there
 * is nothing to do. The user is written over what was decided on, so that nothing of it changes in between.
 * Three round trips. Throws `Invalid user ID`.
 */
export function operateOnUser(
  organizationId: string,
  userId: string,
  decide: (user: User) => DeedOnUser | undefined | Promise<DeedOnUser | undefined>,
  by: By,
): Promise<void> {
  return operate(
    organizationId,
    async () => {
      const before = await readUser(organizationId, userId);
      const deed = await decide(before);
      if (!deed) return undefined;
      const { action, about, user = before, parts } = deed;
      return {
        action,
        about: { user_id: userId, ...about },
        before: {},
        after: {},
        user,
        parts: { user: userPart(before, user), ...parts },
      };
    },
    by,
  );
}

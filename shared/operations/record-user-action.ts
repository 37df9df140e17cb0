/**
 * Carries out operators' actions on a user. The change and the action's record are written in one
 * transaction.
 */
import { userPart } from '../accounts/commit.ts';
import { readUser, type User } from '../accounts/user.ts';
import type { About, By } from './operation-records.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/**
 * An operator's action on a user: the fields to record, the changed user if it changes, and further writes.
 */
export type UserAction = Pick<OperatorAction, 'action' | 'parts'> & { about?: About; user?: User };

/**
 * Carries out and records the action that `decide` returns; does nothing for undefined. Works on frozen
 * users. The user is written on the condition that its version is unchanged. Three round trips. Throws
 * `userNotFound`.
 */
export function recordUserAction(
  organizationId: string,
  userId: string,
  decide: (user: User) => UserAction | undefined | Promise<UserAction | undefined>,
  by: By,
): Promise<void> {
  return recordAction(
    organizationId,
    async () => {
      const before = await readUser(organizationId, userId);
      const operatorAction = await decide(before);
      if (!operatorAction) return undefined;
      const { action, about, user = before, parts } = operatorAction;
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

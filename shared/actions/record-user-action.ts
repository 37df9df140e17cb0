import { userWrite } from '../accounts/commit.ts';
import { readUser, type User } from '../accounts/user.ts';
import type { ActionDetails } from '../books/leaves.ts';
import type { ActionContext } from './action-records.ts';
import { type OperatorAction, recordAction } from './record-action.ts';

/** `user` is the changed user, absent if the user's item stays the same. */
export type UserAction = Pick<OperatorAction, 'action' | 'writes'> & { about?: ActionDetails; user?: User };

/** Carries out and records the action that `decide` returns, if any, also for frozen users. Throws `userNotFound`. */
export function recordUserAction(
  organizationId: string,
  userId: string,
  decide: (user: User, current: ActionContext) => UserAction | undefined | Promise<UserAction | undefined>,
  context: ActionContext,
): Promise<void> {
  return recordAction(
    organizationId,
    async (_, current) => {
      const before = await readUser(organizationId, userId);
      const operatorAction = await decide(before, current);
      if (!operatorAction) return undefined;
      const { action, about, user = before, writes } = operatorAction;
      return {
        action,
        about: { user_id: userId, ...about },
        before: {},
        after: {},
        user,
        writes: { user: userWrite(before, user), ...writes },
      };
    },
    context,
  );
}

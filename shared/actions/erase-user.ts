/** `markUserErased` marks the user as erased; the other steps then delete personal texts. */
import { commit, userWrite } from '../accounts/commit.ts';
import type { User } from '../accounts/user.ts';
import { putItem, transact } from '../table/client.ts';
import { organizationKey, referenceKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import { type ActionContext, actionWrites, liveContext, newAction } from './action-records.ts';
import { readActionsOnUser } from './actions-about.ts';

/** Thrown if a user cannot be erased because the user has free spins that have not run. */
export class SpinsWaiting extends Error {
  override name = 'SpinsWaiting';
}

export async function markUserErased(
  organizationId: string,
  userId: string,
  context: ActionContext,
): Promise<void> {
  const current = liveContext(context)();
  await commit({
    organizationId,
    userId,
    byOperator: true,
    reads: { organization: organizationKey(organizationId) },
    decide: ({ user, organization = {} }) => {
      const { queued_spins: waiting, external_reference } = user;
      if (waiting > 0) throw new SpinsWaiting(`${userId} has ${waiting} free spins that have not run`);
      const about = { user_id: userId };
      const action = { action: 'user_erased' as const, about, before: {}, after: {} };
      const record = newAction(organizationId, organization, action, current, user);
      return {
        user: { ...user, erased_at: isoOf(current.now) },
        writes: {
          ...actionWrites(organizationId, organization, record),
          reference: { Delete: { Key: referenceKey(organizationId, external_reference) } },
        },
        reply: undefined,
      };
    },
  });
}

/** Deletes the reference, and the reasons except the erasure's, from actions on a user. Returns how many changed. */
export async function eraseReasons(organizationId: string, userId: string): Promise<number> {
  let count = 0;
  for await (const record of readActionsOnUser(organizationId, userId)) {
    const { why, external_reference, ...rest } = record;
    // Keeps the reason without the digest `texts`: the record's hash covers the reason, so deleting the reason would
    // break the chain.
    const isReasonErasable = why !== undefined && rest.texts !== undefined && rest.action !== 'user_erased';
    if (!isReasonErasable && external_reference === undefined) continue;
    count++;
    const erased = isReasonErasable || why === undefined ? rest : { ...rest, why };
    await putItem(erased, { ConditionExpression: 'attribute_exists(pk)' });
  }
  return count;
}

/** Stores when all of an erased user's texts were erased (epoch milliseconds), unless a time is stored already. */
export async function noteTextsErased(user: User, at: number): Promise<void> {
  if (user.texts_erased_at === undefined) await replace(user, { ...user, texts_erased_at: isoOf(at) });
}

export async function eraseReference(user: User): Promise<void> {
  const { text_key, ...rest } = user;
  if (text_key !== undefined) await replace(user, { ...rest, external_reference: '' });
}

/** Changes nothing if another command has changed the user since the read. */
async function replace(before: User, after: User): Promise<void> {
  await transact({ user: userWrite(before, after) });
}

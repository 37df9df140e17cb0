import { newId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { retry } from '../retry.ts';
import { get, type Item, type Part, transact, withOldItem } from '../table/client.ts';
import { referenceKey, userKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import { commit } from './commit.ts';
import type { User } from './user.ts';

/** Looks a user up by the host's reference. Throws `Invalid user ID` where nobody has it. One round trip. */
export async function findUser(organizationId: string, reference: string): Promise<UserSummary> {
  const found = await get<UserSummary>(referenceKey(organizationId, reference));
  if (!found) throw refusals.userNotFound();
  return found;
}
type UserSummary = {
  user_id: string;
  external_reference: string;
  date_created: string;
};

/** Creates a user. Throws `external_reference already in use` where another has the reference. */
export async function createUser(organizationId: string, reference: string, now: number): Promise<User> {
  const userId = newId('usr', now);
  const user: User = {
    ...userKey(organizationId, userId),
    organization_id: organizationId,
    user_id: userId,
    external_reference: reference,
    date_created: isoOf(now),
    balances: { tickets: 0, truck: 0, flight: 0 },
    queued_spins: 0,
    plays: { day: '', count: 0 },
    version: 1,
    sequence: 0,
    last_hash: '',
  };
  const failed = await retry(() =>
    transact({
      reference: {
        Put: {
          Item: referenceItem(user),
          ConditionExpression: absent,
          ...withOldItem,
        },
      },
      user: { Put: { Item: user, ConditionExpression: absent } },
    }),
  );
  // Where an earlier try of ours was written and only its answer was lost, the reference is ours already.
  if (failed && failed.reference?.user_id !== userId) throw refusals.externalReferenceTaken();
  return user;
}

/** Gives a user another reference; the old one is free again at once. The user's own is left as it is. */
export async function changeReference(
  organizationId: string,
  userId: string,
  reference: string,
): Promise<User> {
  const { reply } = await commit({
    organizationId,
    userId,
    decide: ({ user }) => {
      if (user.external_reference === reference) return { reply: user };
      const renamed = { ...user, external_reference: reference };
      return {
        user: renamed,
        reply: renamed,
        writes: moveReference(user, renamed),
      };
    },
    onFailed: ({ newReference }) => {
      if (newReference && newReference.user_id !== userId) throw refusals.externalReferenceTaken();
      return undefined;
    },
  });
  return reply;
}

const absent = 'attribute_not_exists(pk)';

function referenceItem({ organization_id, user_id, external_reference, date_created }: User): Item {
  return {
    ...referenceKey(organization_id, external_reference),
    user_id,
    external_reference,
    date_created,
  };
}

function moveReference(before: User, after: User): Record<string, Part> {
  return {
    newReference: {
      Put: { Item: referenceItem(after), ConditionExpression: absent },
    },
    oldReference: {
      Delete: {
        Key: referenceKey(before.organization_id, before.external_reference),
      },
    },
  };
}

import { newId, newSecret } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { orReadResult, retry } from '../retry.ts';
import {
  type FailedWrites,
  getItem,
  type Item,
  type TableWrite,
  transact,
  withOldItem,
} from '../table/client.ts';
import { referenceKey, userKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import { commit } from './commit.ts';
import type { User } from './user.ts';

/** Throws `userNotFound` if no user has the reference. */
export async function findUser(organizationId: string, reference: string): Promise<UserSummary> {
  const found = await getItem<UserSummary>(referenceKey(organizationId, reference));
  if (!found) throw refusals.userNotFound();
  return found;
}
type UserSummary = {
  user_id: string;
  external_reference: string;
  date_created: string;
};
/** `replayed` is set if an earlier request created the user. */
type CreatedUser = UserSummary & { replayed?: true };

/**
 * Throws `externalReferenceTaken` or `outcome_unknown`. After the latter, or with `losesAnswer` (a requested fault),
 * hosts can repeat the request for a day.
 */
export async function createUser(
  organizationId: string,
  reference: string,
  now: number,
  losesAnswer = false,
): Promise<CreatedUser> {
  const user = newUser(organizationId, reference, now);
  const create = (repeatableUntil = losesAnswer ? now + userRepeatableMs : undefined) =>
    retry(async () => {
      const failed = await transact(creationOf(user, repeatableUntil));
      return failed ? holderOf(failed, user, now) : user;
    });
  const find = async () => {
    const holder = await getItem<UserSummary>(referenceKey(organizationId, reference));
    return holder?.user_id === user.user_id ? user : undefined;
  };
  return orReadResult<CreatedUser>(create, () => create(now + userRepeatableMs).catch(find));
}

// Time in milliseconds during which a host can repeat a request to create a user after `outcome_unknown`.
export const userRepeatableMs = 24 * 60 * 60 * 1000;

function newUser(organizationId: string, reference: string, now: number): User {
  const userId = newId('usr', now);
  return {
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
    text_key: newSecret(),
  };
}

/** With `repeatableUntil` (epoch milliseconds), the writes may overwrite items of an earlier attempt. */
function creationOf(user: User, repeatableUntil: number | undefined) {
  const isRetry = repeatableUntil !== undefined;
  const mine = { ':me': user.user_id };
  return {
    reference: {
      Put: {
        Item: { ...referenceItem(user), ...(isRetry ? { repeatable_until: repeatableUntil } : {}) },
        ConditionExpression: isRetry ? `${absent} OR user_id = :me` : absent,
        ...(isRetry ? { ExpressionAttributeValues: mine } : {}),
        ...withOldItem,
      },
    },
    user: {
      Put: {
        Item: user,
        ConditionExpression: isRetry ? `${absent} OR version = :first` : absent,
        ...(isRetry ? { ExpressionAttributeValues: { ':first': user.version } } : {}),
      },
    },
  };
}

/** Returns the user that this or a still repeatable request created. Otherwise throws `externalReferenceTaken`. */
function holderOf({ reference }: FailedWrites<'reference' | 'user'>, user: User, now: number): CreatedUser {
  const holder = reference as (UserSummary & { repeatable_until?: number }) | undefined;
  // Without `holder`, the user's own condition failed: an earlier attempt created the user, and another request has
  // changed it since.
  if (!holder || holder.user_id === user.user_id) return user;
  if ((holder.repeatable_until ?? 0) > now) return { ...holder, replayed: true };
  throw refusals.externalReferenceTaken();
}

export async function changeUserReference(
  organizationId: string,
  userId: string,
  reference: string,
  suspended = false,
): Promise<User> {
  const { reply } = await commit({
    organizationId,
    userId,
    suspended,
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
    },
  });
  return reply;
}

const absent = 'attribute_not_exists(pk)';

function referenceItem({ organization_id, user_id, external_reference, date_created }: User): Item {
  return { ...referenceKey(organization_id, external_reference), user_id, external_reference, date_created };
}

function moveReference(before: User, after: User): Record<string, TableWrite> {
  return {
    newReference: {
      Put: { Item: referenceItem(after), ConditionExpression: absent, ...withOldItem },
    },
    oldReference: {
      Delete: {
        Key: referenceKey(before.organization_id, before.external_reference),
      },
    },
  };
}

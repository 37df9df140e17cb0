/**
 * How a person is erased: the user ends at once, with a record of who did it; then what was said of it is
 * taken out.
 */
import { commit } from '../accounts/commit.ts';
import type { User } from '../accounts/user.ts';
import { sha256 } from '../ids.ts';
import { update } from '../table/client.ts';
import { organizationKey, referenceKey, userKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import { type By, operationOf, operationParts } from './operation-records.ts';
import { operationsAbout } from './operations-about.ts';

/** The user has free spins that are still to run. */
export class SpinsWaiting extends Error {
  override name = 'SpinsWaiting';
}

/**
 * Ends a user, frozen or not: nothing changes it any more, hosts find it no more, and its reference is free.
 * The user still knows its reference and its key for texts, for as long as texts are looked for. Throws
 * SpinsWaiting, and `Invalid user ID` of one that was ended before.
 */
export async function endUser(organizationId: string, userId: string, by: By): Promise<void> {
  await commit({
    organizationId,
    userId,
    byOperator: true,
    reads: { organization: organizationKey(organizationId) },
    decide: ({ user, organization = {} }) => {
      const { queued_spins: waiting, external_reference } = user;
      if (waiting > 0) throw new SpinsWaiting(`${userId} has ${waiting} free spins that are still to run`);
      const about = { user_id: userId };
      const said = { action: 'user_erased' as const, about, before: {}, after: {} };
      const operation = operationOf(organizationId, organization, said, by, user);
      return {
        user: { ...user, erased_at: isoOf(by.now) },
        writes: {
          ...operationParts(organizationId, organization, operation),
          reference: { Delete: { Key: referenceKey(organizationId, external_reference) } },
        },
        reply: undefined,
      };
    },
  });
}

/**
 * Takes out why operators did what they did to a user, but for why it was erased. Returns how many records of
 * operations had such words.
 */
export async function eraseReasons(organizationId: string, userId: string): Promise<number> {
  let count = 0;
  for await (const { pk, sk, action, why, texts } of operationsAbout(organizationId, userId)) {
    // Words without a digest are in the hash.
    if (why === undefined || texts === undefined || action === 'user_erased') continue;
    count++;
    await update({
      Key: { pk, sk },
      UpdateExpression: 'REMOVE why',
      ConditionExpression: 'attribute_exists(pk)',
    });
  }
  return count;
}

/**
 * Takes the reference and the key for texts from a user that was ended, and leaves a digest of the reference, by which
 * what is still on its way is found. Returns whether it still had them.
 */
export async function forgetReference(user: User): Promise<boolean> {
  const { organization_id, user_id, external_reference, version } = user;
  return update({
    Key: userKey(organization_id, user_id),
    UpdateExpression:
      'SET external_reference = :none, reference_digest = :digest, version = :next REMOVE text_key',
    ConditionExpression: 'attribute_exists(erased_at) AND attribute_exists(text_key) AND version = :version',
    ExpressionAttributeValues: {
      ':none': '',
      ':digest': sha256(external_reference),
      ':version': version,
      ':next': version + 1,
    },
  });
}

/** Takes that digest too, once nothing can be on its way. */
export async function forgetDigest({ organization_id, user_id }: User): Promise<void> {
  await update({
    Key: userKey(organization_id, user_id),
    UpdateExpression: 'REMOVE reference_digest',
    ConditionExpression: 'attribute_exists(reference_digest)',
  });
}

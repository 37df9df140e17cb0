/**
 * Steps of erasing a user: `endUser` makes the erasure final in one transaction, then the other steps delete
 * personal texts.
 */
import { commit } from '../accounts/commit.ts';
import type { User } from '../accounts/user.ts';
import { sha256 } from '../ids.ts';
import { update } from '../table/client.ts';
import { organizationKey, referenceKey, userKey } from '../table/keys.ts';
import { isoOf } from '../time.ts';
import { type By, operationOf, operationParts } from './operation-records.ts';
import { operationsAbout } from './operations-about.ts';

/** The user has free spins that have not run. */
export class SpinsWaiting extends Error {
  override name = 'SpinsWaiting';
}

/**
 * Marks a user as erased, even if frozen: the user cannot change any more, hosts cannot find it, and its
 * reference becomes available. Keeps the reference and the key of its texts until the other steps are done.
 * Throws SpinsWaiting, or `userNotFound` if the user was erased before.
 */
export async function endUser(organizationId: string, userId: string, by: By): Promise<void> {
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
      const operation = operationOf(organizationId, organization, action, by, user);
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
 * Deletes operators' reasons for actions on a user, except for the erasure itself. Returns the number of
 * changed records.
 */
export async function eraseReasons(organizationId: string, userId: string): Promise<number> {
  let count = 0;
  for await (const { pk, sk, action, why, texts } of operationsAbout(organizationId, userId)) {
    // A reason without a digest is covered by the record's hash and cannot be deleted.
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
 * Deletes the reference and the key of texts from an erased user. Leaves a digest of the reference, to find
 * messages in transit that contain it. Returns false if both were deleted before.
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

/** Deletes the digest of the reference, once no message with the reference can be in transit. */
export async function forgetDigest({ organization_id, user_id }: User): Promise<void> {
  await update({
    Key: userKey(organization_id, user_id),
    UpdateExpression: 'REMOVE reference_digest',
    ConditionExpression: 'attribute_exists(reference_digest)',
  });
}

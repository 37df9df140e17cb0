/** Erases a user's data. Reads and erases repeatedly until no data is left. An interrupted run can be resumed. */
import { eraseTexts } from '../../../shared/accounts/erase-texts.ts';
import { readStoredUser, type User } from '../../../shared/accounts/user.ts';
import {
  endUser,
  eraseReasons,
  forgetDigest,
  forgetReference,
  SpinsWaiting,
} from '../../../shared/operations/erase-user.ts';
import type { ActionContext } from '../../../shared/operations/operation-records.ts';
import { isoOf } from '../../../shared/time.ts';
import { eraseFromCalls, namesUser } from '../../../shared/webhooks/calls-of-user.ts';
import { dropParked } from '../../../shared/webhooks/parked.ts';
import { maxDeliveryMs } from '../../../shared/webhooks/retry-schedule.ts';
import { Problem } from '../../common/problem.ts';
import { readOrganization } from './organization.ts';

/** Counts of erased items. `calls` are webhook calls; `parked` are deliveries in the dead-letter queue. */
type RemovedCounts = { records: number; operations: number; calls: number; parked: number };
/**
 * Result of an erasure. Until `again_after`, queued deliveries can still store personal texts. After that time, the
 * operator must repeat the command.
 */
export type Erased = { erased_at: string; removed: RemovedCounts; complete: boolean; again_after?: string };

/** Erases all texts about a user. Can resume an interrupted run. Throws a Problem if the user has free spins to run. */
export async function eraseUser(
  organizationId: string,
  userId: string,
  context: ActionContext,
): Promise<Erased> {
  await readOrganization(organizationId);
  const user = await endedUser(organizationId, userId, context);
  const removed = { records: 0, operations: 0, calls: 0, parked: 0 };
  for (let isClean = false; !isClean; ) {
    const found = await eraseOnce(user, context.now);
    for (const name of Object.keys(removed) as (keyof RemovedCounts)[]) removed[name] += found[name];
    isClean = Object.values(found).every((count) => count === 0);
  }
  await forgetReference(user);
  const again_after = isoOf(Date.parse(user.erased_at!) + maxDeliveryMs);
  const complete = isoOf(context.now) > again_after;
  if (complete) await forgetDigest(user);
  return { erased_at: user.erased_at!, removed, complete, ...(complete ? {} : { again_after }) };
}

async function endedUser(organizationId: string, userId: string, context: ActionContext): Promise<User> {
  const user = await readStoredUser(organizationId, userId);
  if (user.erased_at !== undefined) return user;
  const failed = await endUser(organizationId, userId, context).catch((error: unknown) => ({ error }));
  const after = await readStoredUser(organizationId, userId);
  // A concurrent command may have ended the account, or the write's response was lost. Both count as success.
  if (!failed || after.erased_at !== undefined) return after;
  const { error } = failed;
  if (!(error instanceof SpinsWaiting)) throw error;
  throw new Problem(
    `${error.message}: they run at the next midnight in New York. Erase the user after that, or run user cancel-spins first.`,
  );
}

async function eraseOnce(user: User, now: number): Promise<RemovedCounts> {
  const { organization_id: organizationId, user_id: userId } = user;
  return {
    records: await eraseTexts(organizationId, userId),
    operations: await eraseReasons(organizationId, userId),
    parked: await dropParked(
      (parked) => parked.organization_id === organizationId && namesUser(parked, user),
    ),
    calls: await eraseFromCalls(organizationId, user, now),
  };
}

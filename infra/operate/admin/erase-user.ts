import { eraseUserTexts } from '../../../shared/accounts/erase-texts.ts';
import { readUserOrErased, type User } from '../../../shared/accounts/user.ts';
import { type ActionContext, liveContext } from '../../../shared/actions/action-records.ts';
import {
  eraseReasons,
  eraseReference,
  markUserErased,
  noteTextsErased,
  SpinsWaiting,
} from '../../../shared/actions/erase-user.ts';
import { isoOf } from '../../../shared/time.ts';
import { eraseUserFromCalls } from '../../../shared/webhooks/calls-of-user.ts';
import { Problem } from '../../common/problem.ts';

/** `calls` are webhook calls. */
type RemovedCounts = { records: number; actions: number; calls: number };
/**
 * Until `again_after`, running webhook calls can still store texts. A later run erases these texts, found by the user's
 * reference, and then deletes the reference.
 */
export type Erasure = { erased_at: string; removed: RemovedCounts; complete: boolean; again_after?: string };

/** Milliseconds after which no webhook call can still be running: the sender's timeout plus a minute of clock skew. */
export const maxWebhookCallMs = 105_000;

/** Throws a Problem if the user has free spins to run. */
export async function eraseUser(
  organizationId: string,
  userId: string,
  context: ActionContext,
): Promise<Erasure> {
  const current = liveContext(context);
  const user = await endedUser(organizationId, userId, context);
  const removed = await eraseAll(user, context.now);
  const erased = { erased_at: user.erased_at!, removed };
  const firstEnd = user.texts_erased_at ?? isoOf(current().now);
  const again_after = isoOf(Date.parse(firstEnd) + maxWebhookCallMs);
  if (isoOf(context.now) > again_after) {
    await eraseReference(user);
    return { ...erased, complete: true };
  }
  await noteTextsErased(user, Date.parse(firstEnd));
  return { ...erased, complete: false, again_after };
}

async function endedUser(organizationId: string, userId: string, context: ActionContext): Promise<User> {
  const user = await readUserOrErased(organizationId, userId);
  if (user.erased_at !== undefined) return user;
  const failed = await markUserErased(organizationId, userId, context).catch((error: unknown) => ({ error }));
  const after = await readUserOrErased(organizationId, userId);
  // A concurrent command may have erased the user, which counts as success.
  if (!failed || after.erased_at !== undefined) return after;
  const { error } = failed;
  if (!(error instanceof SpinsWaiting)) throw error;
  throw new Problem(
    `${error.message}: they run at the next midnight in New York. Erase the user after that, or run user cancel-spins first.`,
  );
}

async function eraseAll(user: User, now: number): Promise<RemovedCounts> {
  const { organization_id: organizationId, user_id: userId } = user;
  return {
    records: await eraseUserTexts(organizationId, userId),
    actions: await eraseReasons(organizationId, userId),
    calls: await eraseUserFromCalls(organizationId, user, now),
  };
}

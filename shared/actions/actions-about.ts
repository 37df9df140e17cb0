import { actionsOf } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import type { ActionRecord } from './action-records.ts';

/** Yields the records of operators' actions on a user, oldest first. */
export async function* readActionsOnUser(
  organizationId: string,
  userId: string,
): AsyncGenerator<ActionRecord, undefined> {
  for await (const items of batches(actionsOf(organizationId), { consistent: true })) {
    yield* (items as ActionRecord[]).filter(({ about }) => about?.user_id === userId);
  }
}

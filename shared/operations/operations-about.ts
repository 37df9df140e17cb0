import { operationsOf } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import type { OperationRecord } from './operation-records.ts';

/** Yields the records of operators' actions on a user, oldest first. */
export async function* operationsAbout(
  organizationId: string,
  userId: string,
): AsyncGenerator<OperationRecord, undefined> {
  for await (const items of batches(operationsOf(organizationId), { consistent: true })) {
    yield* (items as OperationRecord[]).filter(({ about }) => about?.user_id === userId);
  }
}

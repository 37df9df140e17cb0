/** Erases the texts in a user's records. Hashes stay valid: they cover at most a keyed digest of these texts. */
import { retry } from '../retry.ts';
import { putItem } from '../table/client.ts';
import { recordsOfUser } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { type HistoryRecord, type UserRecord, userRecordKinds } from './records.ts';

const atOnce = 25;

/** Returns whether a record's texts were erased. Only erasure makes these texts empty. */
export const hasErasedTexts = (record: UserRecord): boolean => {
  if (record.kind === 'claims') return !record.reference && !record.reason;
  return record.kind !== 'outcomes' && record.idempotency_key === '';
};

const hasTexts = (record: UserRecord): boolean =>
  'external_reference' in record || ('idempotency_key' in record && !hasErasedTexts(record));

export async function eraseUserTexts(organizationId: string, userId: string): Promise<number> {
  let count = 0;
  for (const kind of userRecordKinds) {
    const range = recordsOfUser(organizationId, userId, kind);
    for await (const items of batches(range, { limit: atOnce, consistent: true })) {
      const changed = (items as UserRecord[]).filter(hasTexts);
      // Writes few records at once, because DynamoDB throttles writes to one user's items beyond 1,000 units a second.
      await Promise.all(changed.map((record) => retry(() => eraseTextsIn(record))));
      count += changed.length;
    }
  }
  return count;
}

function erasedTexts(record: UserRecord): Partial<UserRecord> {
  if (record.kind === 'claims')
    return {
      ...(record.reference !== undefined && { reference: '' }),
      ...(record.reason !== undefined && { reason: '' }),
    };
  if (!('idempotency_key' in record)) return {};
  return record.kind === 'orders' ? { idempotency_key: '' } : { idempotency_key: '', description: '' };
}

async function eraseTextsIn(record: UserRecord): Promise<void> {
  const { external_reference: _, ...rest } = record as HistoryRecord;
  const erased = { ...rest, ...erasedTexts(record) };
  await putItem(erased, { ConditionExpression: 'attribute_exists(pk)' });
}

/**
 * Erases descriptions and idempotency keys from a user's records. The hash chain stays valid, because it covers
 * digests of these texts and not the texts.
 */
import { update } from '../table/client.ts';
import { recordsOfUser } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import type { UserRecord } from './records.ts';

const ofRequests = ['tickets', 'entries', 'orders'] as const;
const atOnce = 25;

/** Returns whether a record's texts were erased. Only erasure makes an idempotency key empty. */
export const isErased = (record: UserRecord): boolean =>
  record.kind !== 'outcomes' && record.idempotency_key === '';

/** Erases the descriptions and idempotency keys in all records of a user. Returns the number of changed records. */
export async function eraseTexts(organizationId: string, userId: string): Promise<number> {
  let count = 0;
  for (const kind of ofRequests) {
    const range = recordsOfUser(organizationId, userId, kind);
    for await (const items of batches(range, { limit: atOnce, consistent: true })) {
      const open = (items as UserRecord[]).filter((record) => 'idempotency_key' in record);
      const changed = open.filter((record) => !isErased(record));
      await Promise.all(changed.map(emptyTexts));
      count += changed.length;
    }
  }
  return count;
}

async function emptyTexts({ pk, sk, kind }: UserRecord): Promise<void> {
  const texts = kind === 'orders' ? ['idempotency_key'] : ['idempotency_key', 'description'];
  await update({
    Key: { pk, sk },
    UpdateExpression: `SET ${texts.map((text) => `${text} = :none`).join(', ')}`,
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':none': '' },
  });
}

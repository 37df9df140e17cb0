/** Finds and erases a user's data in recorded calls. Reads all calls of the last 90 days. */

import type { User } from '../accounts/user.ts';
import { sha256 } from '../ids.ts';
import { update } from '../table/client.ts';
import type { Key } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { type Call, callsByDay } from './calls.ts';
import type { Delivery } from './delivery-queue.ts';

/** Identifiers of a user in recorded calls. A host's `invoke` payload can contain the host's reference for the user. */
export type UserIdentifiers = Pick<User, 'user_id' | 'external_reference' | 'reference_digest'>;

type StoredCall = Key & Call;

/** Yields the organization's recorded calls of the last 90 days whose payload names the user. */
export async function* callsNaming(
  organizationId: string,
  user: UserIdentifiers,
  now: number,
): AsyncGenerator<StoredCall, undefined> {
  for await (const ranges of callsByDay(organizationId, 0, now)) {
    for (const range of ranges) {
      for await (const items of batches(range, { consistent: true })) {
        yield* (items as StoredCall[]).filter(({ event_type, payload: body }) =>
          namesUser({ event_type, body }, user),
        );
      }
    }
  }
}

/**
 * Returns whether a payload contains the user's id or, if a host sent the payload with `invoke`, the user's
 * external reference.
 */
export function namesUser(
  call: Pick<Delivery, 'event_type' | 'body'>,
  { user_id, external_reference, reference_digest }: UserIdentifiers,
): boolean {
  if (call.body.includes(user_id)) return true;
  if (call.event_type !== 'invoke') return false;
  const digest = reference_digest ?? sha256(external_reference);
  let found = false;
  JSON.parse(call.body, (_, value) => {
    found ||= typeof value === 'string' && value !== '' && sha256(value) === digest;
  });
  return found;
}

/**
 * Erases a user's personal data from calls. Payloads that a host sent with `invoke` become `{}`. Returns the
 * number of changed calls.
 */
export async function eraseFromCalls(
  organizationId: string,
  user: UserIdentifiers,
  now: number,
): Promise<number> {
  let count = 0;
  for await (const call of callsNaming(organizationId, user, now)) {
    const payload = withoutPersonalData(call);
    if (payload === call.payload) continue;
    count++;
    // Without this condition, the update would create a new item if DynamoDB has meanwhile deleted the
    // expired call.
    await update({
      Key: { pk: call.pk, sk: call.sk },
      UpdateExpression: 'SET payload = :payload',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':payload': payload },
    });
  }
  return count;
}

const personalFields = ['external_reference', 'description', 'idempotency_key'];

function withoutPersonalData({ event_type, payload }: StoredCall): string {
  if (event_type === 'invoke') return '{}';
  const event = JSON.parse(payload);
  for (const field of personalFields) if (field in event.data) event.data[field] = '';
  return JSON.stringify(event);
}

/**
 * Finds and erases a user's data in webhook calls. Reads all kept calls, because no index leads from a user to
 * calls.
 */

import type { User } from '../accounts/user.ts';
import { sha256 } from '../ids.ts';
import { update } from '../table/client.ts';
import type { Key } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { type Call, callsByDay } from './calls.ts';
import type { Delivery } from './delivery-queue.ts';

/**
 * The identifiers by which a call can name a user: events contain the id; a host's own `invoke` payload can
 * also contain the reference.
 */
export type UserIdentifiers = Pick<User, 'user_id' | 'external_reference' | 'reference_digest'>;

type StoredCall = Key & Call;

/** Yields an organization's stored calls of the last 90 days that name a user. */
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
 * Returns whether a payload names a user. In an `invoke` payload, any text that equals the user's reference
 * counts.
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
 * Erases a user's texts from all calls that name the user: the reference, description and idempotency key of
 * events, and the whole payload of invocations. Returns the number of changed calls.
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
    // The condition keeps the update from recreating a call that has expired meanwhile.
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

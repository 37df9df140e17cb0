/** Finds and erases a user's data in invocations and recorded calls of the last 90 days. */

import type { User } from '../accounts/user.ts';
import { update } from '../table/client.ts';
import type { Key } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { invocationsInShards } from '../table/webhook-keys.ts';
import { type Call, callsByDay } from './calls.ts';
import { changeInvocation, type StoredInvocation } from './invocations.ts';

/** Identifiers of a user in payloads. A payload that a host sent with `invoke` can contain the host's reference. */
type UserIdentifiers = Pick<User, 'user_id' | 'external_reference'>;

type StoredCall = Key & Call;

/** Yields the organization's recorded calls of the last 90 days whose payload names the user. */
export async function* callsNaming(
  organizationId: string,
  user: UserIdentifiers,
  now: number,
): AsyncGenerator<StoredCall, undefined> {
  for await (const call of allCalls(organizationId, now)) if (namesUser(call, user)) yield call;
}

async function* allCalls(organizationId: string, now: number): AsyncGenerator<StoredCall, undefined> {
  for await (const ranges of callsByDay(organizationId, 0, now)) {
    for (const range of ranges)
      for await (const items of batches(range, { consistent: true })) yield* items as StoredCall[];
  }
}

/**
 * Returns whether a payload contains the user's id or, if a host sent the payload with `invoke`, the user's
 * external reference.
 */
function namesUser(
  { event_type, payload }: Pick<Call, 'event_type' | 'payload'>,
  { user_id, external_reference }: UserIdentifiers,
): boolean {
  if (payload.includes(user_id)) return true;
  if (event_type !== 'invoke' || external_reference === '') return false;
  let found = false;
  JSON.parse(payload, (name, value) => {
    // A reference can be a number in the host's JSON, or the name of a field.
    found ||= name === external_reference || (typeof value !== 'object' && `${value}` === external_reference);
    return value;
  });
  return found;
}

/** Deletes the payloads of invocations that name a user. Returns the event ids of all invocations without a payload. */
async function eraseInvocations(organizationId: string, user: UserIdentifiers): Promise<Set<string>> {
  const erased = new Set<string>();
  for (const range of invocationsInShards(organizationId)) {
    for await (const items of batches(range, { consistent: true })) {
      for (const invocation of items as StoredInvocation[]) {
        const { sk, payload } = invocation;
        if (payload !== undefined && !namesUser({ event_type: 'invoke', payload }, user)) continue;
        erased.add(sk);
        if (payload !== undefined) await changeInvocation(invocation, withoutPayload);
      }
    }
  }
  return erased;
}

/**
 * Erases a user's personal data from invocations, whose pending deliveries end, and from calls, where payloads of
 * invocations become `{}`. Returns the number of changed calls.
 */
export async function eraseFromCalls(
  organizationId: string,
  user: UserIdentifiers,
  now: number,
): Promise<number> {
  const erased = await eraseInvocations(organizationId, user);
  let count = 0;
  for await (const call of allCalls(organizationId, now)) {
    // Also finds calls by event id, because a call of an erased invocation can be recorded after the user's reference
    // is deleted.
    if (!erased.has(call.event_id) && !namesUser(call, user)) continue;
    const payload = withoutPersonalData(call);
    if (payload === call.payload) continue;
    count++;
    await replacePayload(call, payload);
  }
  return count;
}

/** Updates a call. Without the condition, this would create a call anew that DynamoDB has deleted as expired. */
const replacePayload = ({ pk, sk }: Key, payload: string) =>
  update({
    Key: { pk, sk },
    UpdateExpression: 'SET payload = :payload',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':payload': payload },
  });

const withoutPayload = ({ payload: _, parameters: __, ...invocation }: StoredInvocation) => invocation;

const personalFields = ['external_reference', 'description', 'idempotency_key'];

function withoutPersonalData({ event_type, payload }: StoredCall): string {
  if (event_type === 'invoke') return '{}';
  const event = JSON.parse(payload);
  for (const field of personalFields) if (field in event.data) event.data[field] = '';
  return JSON.stringify(event);
}

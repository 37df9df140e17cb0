/** Finds and erases a user's data in invocations and recorded calls of the last 90 days. */

import { updateItem } from '../table/client.ts';
import type { Key } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { invocationsInShards } from '../table/webhook-keys.ts';
import { callRangesByDay, type WebhookCall } from './calls.ts';
import { changeInvocation, type StoredInvocation } from './invocations.ts';
import { type UserIdentifiers, userMatcher } from './names-user.ts';

type StoredCall = Key & WebhookCall;

/** Yields the organization's recorded calls of the last 90 days whose payload names the user. */
export async function* readCallsNaming(
  organizationId: string,
  user: UserIdentifiers,
  now: number,
): AsyncGenerator<StoredCall, undefined> {
  const isNamed = namedIn(user);
  for await (const call of allCalls(organizationId, now)) if (isNamed(call)) yield call;
}

async function* allCalls(organizationId: string, now: number): AsyncGenerator<StoredCall, undefined> {
  for await (const ranges of callRangesByDay(organizationId, 0, now)) {
    for (const range of ranges)
      for await (const items of batches(range, { consistent: true })) yield* items as StoredCall[];
  }
}

function namedIn(user: UserIdentifiers): (call: Pick<WebhookCall, 'event_type' | 'payload'>) => boolean {
  const isNamed = userMatcher(user);
  return ({ event_type, payload }) =>
    event_type === 'invoke' ? isNamed(payload) : payload.includes(user.user_id);
}

async function eraseInvocations(organizationId: string, user: UserIdentifiers): Promise<Set<string>> {
  const isNamed = userMatcher(user);
  const erased = new Set<string>();
  for (const range of invocationsInShards(organizationId)) {
    for await (const items of batches(range, { consistent: true })) {
      for (const invocation of items as StoredInvocation[]) {
        const { sk, payload } = invocation;
        if (payload !== undefined && !isNamed(payload)) continue;
        erased.add(sk);
        if (payload !== undefined) await changeInvocation(invocation, withoutPayload);
      }
    }
  }
  return erased;
}

/**
 * Erases a user's personal data from invocations, whose pending deliveries end, and from calls, where payloads of
 * invocations become `{}`.
 */
export async function eraseUserFromCalls(
  organizationId: string,
  user: UserIdentifiers,
  now: number,
): Promise<number> {
  const erased = await eraseInvocations(organizationId, user);
  const isNamed = namedIn(user);
  let count = 0;
  for await (const call of allCalls(organizationId, now)) {
    // Also finds calls by event id, because a call of an erased invocation can be recorded after the user's reference
    // is deleted.
    if (!erased.has(call.event_id) && !isNamed(call)) continue;
    const payload = withoutPersonalData(call);
    if (payload === call.payload) continue;
    count++;
    await replacePayload(call, payload);
  }
  return count;
}

/** The condition prevents creating a call anew that DynamoDB has deleted as expired. */
const replacePayload = ({ pk, sk }: Key, payload: string) =>
  updateItem({
    Key: { pk, sk },
    UpdateExpression: 'SET payload = :payload',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':payload': payload },
  });

const withoutPayload = ({ payload: _, parameters: __, ...invocation }: StoredInvocation) => invocation;

const personalFields = ['external_reference', 'description', 'idempotency_key', 'reference', 'reason'];

function withoutPersonalData({ event_type, payload }: StoredCall): string {
  if (event_type === 'invoke') return '{}';
  const event = JSON.parse(payload);
  for (const field of personalFields) if (field in event.data) event.data[field] = '';
  return JSON.stringify(event);
}

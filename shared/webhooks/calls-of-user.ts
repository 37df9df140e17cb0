/** The calls to webhooks that name a user: found by looking at all that are kept, for an operator. */

import type { User } from '../accounts/user.ts';
import { sha256 } from '../ids.ts';
import { update } from '../table/client.ts';
import type { Key } from '../table/keys.ts';
import { batches } from '../table/ranges.ts';
import { type Call, callsByDay } from './calls.ts';
import type { Delivery } from './delivery-queue.ts';

/** How a call may name a user: events by the id, what a host has sent by `invoke` also by the reference. */
export type Named = Pick<User, 'user_id' | 'external_reference' | 'reference_digest'>;

type StoredCall = Key & Call;

/** An organization's calls of the last 90 days that name a user, as they are stored, a query at a time. */
export async function* callsNaming(
  organizationId: string,
  named: Named,
  now: number,
): AsyncGenerator<StoredCall, undefined> {
  for await (const ranges of callsByDay(organizationId, 0, now)) {
    for (const range of ranges) {
      for await (const items of batches(range, { consistent: true })) {
        yield* (items as StoredCall[]).filter(({ event_type, payload: body }) =>
          names({ event_type, body }, named),
        );
      }
    }
  }
}

/** Whether what is told names a user. */
export function names(
  told: Pick<Delivery, 'event_type' | 'body'>,
  { user_id, external_reference, reference_digest }: Named,
): boolean {
  if (told.body.includes(user_id)) return true;
  if (told.event_type !== 'invoke') return false;
  const digest = reference_digest ?? sha256(external_reference);
  let found = false;
  JSON.parse(told.body, (_, value) => {
    found ||= typeof value === 'string' && value !== '' && sha256(value) === digest;
  });
  return found;
}

/**
 * Takes the texts about a person out of all calls that name one: of an event the reference and what the host
 * said of the change, of what a host has sent itself all. Returns how many calls had some.
 */
export async function eraseFromCalls(organizationId: string, named: Named, now: number): Promise<number> {
  let count = 0;
  for await (const call of callsNaming(organizationId, named, now)) {
    const payload = withoutTexts(call);
    if (payload === call.payload) continue;
    count++;
    // One that is gone by now stays so.
    await update({
      Key: { pk: call.pk, sk: call.sk },
      UpdateExpression: 'SET payload = :payload',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':payload': payload },
    });
  }
  return count;
}

const texts = ['external_reference', 'description', 'idempotency_key'];

function withoutTexts({ event_type, payload }: StoredCall): string {
  if (event_type === 'invoke') return '{}';
  const event = JSON.parse(payload);
  for (const text of texts) if (text in event.data) event.data[text] = '';
  return JSON.stringify(event);
}

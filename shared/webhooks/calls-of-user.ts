/** The calls to webhooks that name a user: found by looking at all that are kept, for an operator. */

import type { Item } from '../table/client.ts';
import { batches } from '../table/ranges.ts';
import { callsByDay } from './calls.ts';

/** How a call may name a user: events by the id, what a host has sent by `invoke` also by the reference. */
export type Named = { user_id: string; external_reference?: string | undefined };

/** An organization's calls of the last 90 days that name a user, as they are stored, a query at a time. */
export async function* callsNaming(
  organizationId: string,
  named: Named,
  now: number,
): AsyncGenerator<Item, undefined> {
  for await (const ranges of callsByDay(organizationId, 0, now)) {
    for (const range of ranges) {
      for await (const items of batches(range, { consistent: true })) {
        yield* items.filter(({ payload }) => names(String(payload), named));
      }
    }
  }
}

/** Whether a payload, a JSON text, names a user. */
export function names(payload: string, { user_id, external_reference }: Named): boolean {
  if (payload.includes(user_id)) return true;
  let found = false;
  if (external_reference === undefined) return found;
  JSON.parse(payload, (_, value) => {
    found ||= value === external_reference;
  });
  return found;
}

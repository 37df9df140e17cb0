import { isId } from '../ids.ts';
import { query } from '../table/client.ts';
import { definition, recordTimeKey } from '../table/keys.ts';
import type { OutcomeRecord } from './outcomes.ts';

/** An organization's outcome by its id alone, or undefined. One round trip. */
export async function findOutcome(organizationId: string, id: string): Promise<OutcomeRecord | undefined> {
  if (!isId('out', id)) return undefined;
  const { byTimePk, byTimeSk } = recordTimeKey(organizationId, 'outcomes', id.slice('out_'.length));
  const { items } = await query({
    IndexName: definition.byTime.name,
    KeyConditionExpression: 'byTimePk = :list AND byTimeSk = :ulid',
    ExpressionAttributeValues: { ':list': byTimePk, ':ulid': byTimeSk },
  });
  return items[0] as OutcomeRecord | undefined;
}

import { isId, timeOfUlid } from './ids.ts';
import type { OutcomeRecord } from './outcomes.ts';
import { query } from './table/client.ts';
import { definition, recordTimeKey } from './table/keys.ts';
import { dayOf } from './time.ts';

/** An organization's outcome by its id alone, which carries its time; or undefined. One round trip. */
export async function findOutcome(organizationId: string, id: string): Promise<OutcomeRecord | undefined> {
  if (!isId('out', id)) return undefined;
  const ulid = id.slice('out_'.length);
  const { byTimePk, byTimeSk } = recordTimeKey(organizationId, 'outcomes', dayOf(timeOfUlid(ulid)), ulid);
  const { items } = await query({
    IndexName: definition.byTime.name,
    KeyConditionExpression: 'byTimePk = :day AND byTimeSk = :ulid',
    ExpressionAttributeValues: { ':day': byTimePk, ':ulid': byTimeSk },
  });
  return items[0] as OutcomeRecord | undefined;
}

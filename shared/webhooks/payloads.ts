/** Each attempt makes the payload anew: nobody could erase personal data from messages in a queue. */
import { batched } from '../promises.ts';
import { getItems, type Item } from '../table/client.ts';
import { actionKey, type Key, recordKey } from '../table/keys.ts';
import { invocationKey } from '../table/webhook-keys.ts';
import type { Delivery } from './delivery-queue.ts';
import { type EventRecord, eventsOf } from './events.ts';

const eventPayload = (record: EventRecord, type: string, id: string): string | undefined => {
  const event = eventsOf(record).find((one) => one.type === type && one.id === id);
  return event && JSON.stringify(event);
};

export async function readPayload(delivery: Delivery): Promise<string | undefined> {
  const { organization_id, event_id, event_type, record } = delivery;
  if (!record) return (await read(invocationKey(organization_id, event_id)))?.payload as string | undefined;
  const { user_id, list, ulid } = record;
  const isAction = list === 'actions';
  const key = isAction ? actionKey(organization_id, ulid) : recordKey(organization_id, user_id, list, ulid);
  const found = await read(key);
  return found && eventPayload(found as EventRecord, event_type, event_id);
}

const gatherMs = 2;
const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

/** Deliveries that are sent at the same time share one read. */
const read = async (key: Key): Promise<Item | undefined> => (await readGathered(key)).get(nameOf(key));

const readGathered = batched(async (gathered: Key[]): Promise<Map<string, Item | undefined>> => {
  const keys = [...new Map(gathered.map((key) => [nameOf(key), key])).values()];
  const items = await getItems(keys);
  return new Map(keys.map((key, index) => [nameOf(key), items[index]]));
}, gatherMs);

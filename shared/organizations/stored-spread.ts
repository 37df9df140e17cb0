/** How an organization's records are spread, as its item and its API keys have it. */
import { type CountByDay, countText } from '../count-by-day.ts';
import { type Spread, spreadIn, spreadText } from '../spread.ts';
import { get, type Item, type Part } from '../table/client.ts';
import { organizationKey } from '../table/keys.ts';
import { liveKeyParts } from './api-keys.ts';

/** In how many shards an organization's records may be; 1 if there is no such organization. One round trip. */
export async function shardsOf(organizationId: string): Promise<number> {
  const organization = await get(organizationKey(organizationId));
  return spreadIn(organization?.spread).shards;
}

/** The condition that an organization has still the spread that was read, and the values that it names. */
export const sameSpread = (was: string | undefined): { condition: string; values: Record<string, string> } =>
  was === undefined
    ? { condition: 'attribute_not_exists(spread)', values: {} }
    : { condition: 'spread = :was', values: { ':was': was } };

/**
 * The parts of a transaction that give an organization, as it was read, another spread and other numbers of copies, and
 * the fields that they write to its item; all of its API keys get the spread. They fail if its spread or its settings
 * have changed since. Undefined while the index, which lags, does not show all of its live keys. One round trip.
 */
export async function spreadParts(
  organizationItem: Item,
  next: Spread,
  copies: CountByDay,
): Promise<{ fields: { spread: string; copies: string }; parts: Record<string, Part> } | undefined> {
  const { organization_id, spread: was, operations, live_keys } = organizationItem;
  const fields = { spread: spreadText(next), copies: countText(copies) };
  const same = sameSpread(was as string | undefined);
  const sameSettings =
    operations === undefined ? 'attribute_not_exists(operations)' : 'operations = :operations';
  const sameKeys = live_keys === undefined ? 'attribute_not_exists(live_keys)' : 'live_keys = :live';
  const organization = {
    Key: organizationKey(String(organization_id)),
    UpdateExpression: 'SET spread = :spread, copies = :copies',
    ConditionExpression: `attribute_exists(pk) AND ${same.condition} AND ${sameSettings} AND ${sameKeys}`,
    ExpressionAttributeValues: {
      ':spread': fields.spread,
      ':copies': fields.copies,
      ...same.values,
      ...(operations === undefined ? {} : { ':operations': operations }),
      ...(live_keys === undefined ? {} : { ':live': live_keys }),
    },
  };
  const ofKeys = await liveKeyParts(organizationItem, { spread: fields.spread });
  return ofKeys && { fields, parts: { organization: { Update: organization }, ...ofKeys } };
}

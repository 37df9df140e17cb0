/** How an organization's records are spread, as its item and its API keys have it. */
import { type CountByDay, countText } from '../count-by-day.ts';
import { type Spread, spreadIn, spreadText } from '../spread.ts';
import { get, type Item, type Part } from '../table/client.ts';
import { apiKeyKey, keysOf, organizationKey } from '../table/keys.ts';
import { readRange } from '../table/ranges.ts';

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
  { organization_id, spread: was, operations, live_keys }: Item,
  next: Spread,
  copies: CountByDay,
): Promise<{ fields: { spread: string; copies: string }; parts: Record<string, Part> } | undefined> {
  const id = String(organization_id);
  const fields = { spread: spreadText(next), copies: countText(copies) };
  const values = { ':spread': fields.spread };
  const same = sameSpread(was as string | undefined);
  const sameSettings =
    operations === undefined ? 'attribute_not_exists(operations)' : 'operations = :operations';
  const sameKeys = live_keys === undefined ? 'attribute_not_exists(live_keys)' : 'live_keys = :live';
  const organization = {
    Key: organizationKey(id),
    UpdateExpression: 'SET spread = :spread, copies = :copies',
    ConditionExpression: `attribute_exists(pk) AND ${same.condition} AND ${sameSettings} AND ${sameKeys}`,
    ExpressionAttributeValues: {
      ...values,
      ':copies': fields.copies,
      ...same.values,
      ...(operations === undefined ? {} : { ':operations': operations }),
      ...(live_keys === undefined ? {} : { ':live': live_keys }),
    },
  };
  const keys = (await readRange(keysOf(id))).filter(({ revoked_at }) => revoked_at === undefined);
  if (live_keys !== undefined && keys.length !== live_keys) return undefined;
  const ofKeys = keys.map(({ key_id }, index) => {
    const Key = apiKeyKey(String(key_id));
    const UpdateExpression = 'SET spread = :spread';
    return [`key${index}`, { Update: { Key, UpdateExpression, ExpressionAttributeValues: values } }];
  });
  return { fields, parts: { organization: { Update: organization }, ...Object.fromEntries(ofKeys) } };
}

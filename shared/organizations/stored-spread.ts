/** How an organization's records are spread, as its item and its API keys have it. */
import { type Spread, spreadIn, spreadText } from '../spread.ts';
import { get, type Part } from '../table/client.ts';
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
 * The parts of a transaction that give an organization another spread: in its item, if that has still the one that was
 * read, and in all of its API keys.
 */
export async function spreadParts(
  organizationId: string,
  was: string | undefined,
  next: Spread,
): Promise<Record<string, Part>> {
  const UpdateExpression = 'SET spread = :spread';
  const values = { ':spread': spreadText(next) };
  const same = sameSpread(was);
  const organization = {
    Key: organizationKey(organizationId),
    UpdateExpression,
    ConditionExpression: `attribute_exists(pk) AND ${same.condition}`,
    ExpressionAttributeValues: { ...values, ...same.values },
  };
  const keys = await readRange(keysOf(organizationId));
  const ofKeys = keys.map(({ key_id }, index) => {
    const Key = apiKeyKey(String(key_id));
    return [`key${index}`, { Update: { Key, UpdateExpression, ExpressionAttributeValues: values } }];
  });
  return { organization: { Update: organization }, ...Object.fromEntries(ofKeys) };
}

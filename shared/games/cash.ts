/** The day's cash: what an organization has granted on a calendar day in New York, never above its limit. */
import type { Item, Part } from '../table/client.ts';
import { cashKey } from '../table/keys.ts';

/** Whole USD that the limit leaves of the day's cash, of the item as it was read (undefined: nothing granted yet). */
export function cashLeft(limitUsd: number, item: Item | undefined): number {
  return Math.max(0, limitUsd - Number(item?.granted_usd ?? 0));
}

/**
 * The part of a transaction that grants cash of a day; it fails where others granted so much in the meantime
 * that it would go above the limit. A spin that wins no cash leaves the item alone.
 */
export function grantCash(organizationId: string, day: string, usd: number, limitUsd: number): Part {
  return {
    Update: {
      Key: cashKey(organizationId, day),
      UpdateExpression: 'ADD granted_usd :usd',
      ConditionExpression: withinLimit,
      ExpressionAttributeValues: { ':usd': usd, ':most': limitUsd - usd },
    },
  };
}

const withinLimit = 'attribute_not_exists(granted_usd) OR granted_usd <= :most';

/** The day's cash: what an organization has granted on a calendar day in New York, never above its limit. */
import type { Item, Part } from '../table/client.ts';
import { cashKey } from '../table/keys.ts';
import { whileCashLimitIs } from './settings.ts';

/** Whole USD that the limit leaves of the day's cash, of the item as it was read (undefined: nothing granted yet). */
export function cashLeft(limitUsd: number, item: Item | undefined): number {
  return Math.max(0, limitUsd - Number(item?.granted_usd ?? 0));
}

/**
 * The parts of a transaction that grant cash of a day. They fail if others granted so much in the meantime that it
 * would go above the limit, or if the limit is no longer this one. None if there is nothing to grant: a draw that
 * wins no cash is held up by nobody.
 */
export function grantCash(
  organizationId: string,
  day: string,
  usd: number,
  limitUsd: number,
): Record<string, Part> {
  if (usd === 0) return {};
  return {
    cash: {
      Update: {
        Key: cashKey(organizationId, day),
        UpdateExpression: 'ADD granted_usd :usd',
        ConditionExpression: withinLimit,
        ExpressionAttributeValues: { ':usd': usd, ':most': limitUsd - usd },
      },
    },
    cashLimit: whileCashLimitIs(organizationId, limitUsd),
  };
}

const withinLimit = 'attribute_not_exists(granted_usd) OR granted_usd <= :most';

/**
 * The day's cash: what an organization has granted on a calendar day in New York, never above its limit. Its grants are
 * numbered, and every draw says after which of them it was made: so anybody can add up what was left.
 */
import type { Item, Part } from '../table/client.ts';
import { cashKey } from '../table/keys.ts';
import { whileCashLimitIs } from './settings.ts';

/** How a day's cash stands: the number of its grants, their sum, and the limit, in whole USD. */
export type DayCash = { day: string; sequence: number; grantedUsd: number; limitUsd: number };

/** How a day's cash stands, of its item as it was read (undefined: nothing granted yet). */
export const dayCash = (day: string, limitUsd: number, item: Item | undefined): DayCash => ({
  day,
  sequence: Number(item?.grants ?? 0),
  grantedUsd: Number(item?.granted_usd ?? 0),
  limitUsd,
});

/** Whole USD that the limit leaves of the day's cash. */
export const cashLeft = ({ limitUsd, grantedUsd }: DayCash): number => Math.max(0, limitUsd - grantedUsd);

/** How the day's cash stands after a grant of whole USD; none of 0. */
export const granted = (cash: DayCash, usd: number): DayCash =>
  usd === 0 ? cash : { ...cash, sequence: cash.sequence + 1, grantedUsd: cash.grantedUsd + usd };

/**
 * The parts of a transaction that grant what a day's cash has come to since it was read. They fail if others granted
 * some in the meantime, or if the limit is no longer this one. None if there is nothing to grant: a draw that wins no
 * cash is held up by nobody.
 */
export function grantCash(organizationId: string, before: DayCash, after: DayCash): Record<string, Part> {
  if (after.sequence === before.sequence) return {};
  return {
    cash: {
      Update: {
        Key: cashKey(organizationId, before.day),
        UpdateExpression: 'SET grants = :grants, granted_usd = :granted',
        ConditionExpression: before.sequence === 0 ? nothingGranted : unchanged,
        ExpressionAttributeValues: {
          ':grants': after.sequence,
          ':granted': after.grantedUsd,
          ':sum': before.grantedUsd,
          ...(before.sequence === 0 ? {} : { ':number': before.sequence }),
        },
      },
    },
    cashLimit: whileCashLimitIs(organizationId, before.limitUsd),
  };
}

// Both are compared: grants of before have no numbers.
const unchanged = 'grants = :number AND granted_usd = :sum';
const nothingGranted =
  'attribute_not_exists(grants) AND (attribute_not_exists(granted_usd) OR granted_usd = :sum)';

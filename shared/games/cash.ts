/**
 * The day's cash: what an organization has granted on a calendar day in New York, never above its limit. Its grants are
 * numbered, and every draw says after which of them it was made: so anybody can add up what was left.
 */
import type { User } from '../accounts/user.ts';
import { copiesFor, copiesIn, copiesOn } from '../copies.ts';
import { shardOf } from '../spread.ts';
import type { Item, Part } from '../table/client.ts';
import { cashKey, type Key, organizationKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import { whileCashLimitIs } from './settings.ts';

/** How a day's cash stands: the number of its grants, their sum, and the limit, in whole USD. */
export type DayCash = { day: string; sequence: number; grantedUsd: number; limitUsd: number };

/** What a user's spins read besides the user: the organization's settings, and how the day's cash stands. */
export type SpinReads = { organization: Key; cash: Key };

/** Where a user's spins at a time read it. */
export function spinReads(organizationId: string, userId: string, now: number): SpinReads {
  const day = dayOf(now);
  const copy = copiesFor(organizationId, userId, day);
  return {
    organization: organizationKey(organizationId, copy.organization),
    cash: cashKey(organizationId, day, copy.cash),
  };
}

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
export function grantCash(
  { organization_id, user_id }: User,
  organization: Item | undefined,
  before: DayCash,
  after: DayCash,
): Record<string, Part> {
  if (after.sequence === before.sequence) return {};
  const copies = copiesIn(organization?.copies);
  const limitKey = organizationKey(organization_id, shardOf(user_id, copies.count));
  const parts: Record<string, Part> = { cashLimit: whileCashLimitIs(limitKey, before.limitUsd) };
  for (let copy = 0; copy < copiesOn(copies, before.day); copy++) {
    parts[`cash${copy}`] = grantPart(cashKey(organization_id, before.day, copy), before, after);
  }
  return parts;
}

const grantPart = (key: Key, before: DayCash, after: DayCash): Part => ({
  Update: {
    Key: key,
    UpdateExpression: 'SET grants = :grants, granted_usd = :granted',
    ConditionExpression: before.sequence === 0 ? nothingGranted : unchanged,
    ExpressionAttributeValues: {
      ':grants': after.sequence,
      ':granted': after.grantedUsd,
      ':sum': before.grantedUsd,
      ...(before.sequence === 0 ? {} : { ':number': before.sequence }),
    },
  },
});

// Both are compared: grants of before have no numbers.
const unchanged = 'grants = :number AND granted_usd = :sum';
const nothingGranted =
  'attribute_not_exists(grants) AND (attribute_not_exists(granted_usd) OR granted_usd = :sum)';

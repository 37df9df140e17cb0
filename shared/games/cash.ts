/**
 * The day's cash: what an organization has granted on a calendar day in New York, never above its limit. Its grants are
 * numbered, and every draw says after which of them it was made: so anybody can add up what was left. Numbering lets one
 * grant be made after another; an organization with many a second has several chains, each of a share of the limit.
 */
import type { User } from '../accounts/user.ts';
import { type Copies, copiesIn, copiesOf, copyFor } from '../copies.ts';
import { countOn } from '../count-by-day.ts';
import { shardOf } from '../spread.ts';
import { getAll, type Item, type Part } from '../table/client.ts';
import { cashKey, type Key, organizationKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import { chainOf, shareOf } from './cash-chains.ts';
import { pacedUsd } from './cash-pace.ts';
import { settingsOf } from './settings.ts';

/** How a chain of a day's cash stands: the number of its grants, their sum, and the limit, in whole USD. */
export type DayCash = {
  day: string;
  /** How many chains there are, if there are several: each has a share of the day's limit. */
  chains?: number;
  sequence: number;
  grantedUsd: number;
  limitUsd: number;
  /** If the day's cash is paced: what of the limit is available at the time. */
  pacedUsd?: number;
};

/** What the day's cash is read of: the organization's settings, and how it stands. */
export type CashReads = { organization: Key; cash: Key };

/** Where a user's spins at a time read it, as far as this process knows. */
export function cashReads(organizationId: string, userId: string, now: number): CashReads {
  const copies = copiesOf(organizationId);
  const user = { organization_id: organizationId, user_id: userId };
  return {
    organization: organizationKey(
      organizationId,
      copyFor(copies, (among) => shardOf(userId, among)),
    ),
    cash: cashKeysOn(dayOf(now), user, copies).own,
  };
}

/**
 * Where a user's chain of a day's cash is: the number of all chains, the keys of this one's copies, the original first,
 * and the key of the copy that the user reads.
 */
function cashKeysOn(
  day: string,
  { organization_id, user_id }: Pick<User, 'organization_id' | 'user_id'>,
  organization: Copies,
): { chains: number; all: Key[]; own: Key } {
  const chains = countOn(organization.chains, day);
  const copies = Math.ceil(countOn(organization.copies, day) / chains);
  const keyOf = (number: number) => cashKey(organization_id, day, number, chains);
  const original = chainOf(user_id, chains);
  return {
    chains,
    all: Array.from({ length: copies }, (_, copy) => keyOf(original + copy * chains)),
    // One of these: both are remainders of one number.
    own: keyOf(shardOf(user_id, chains * copies)),
  };
}

/**
 * How a user's chain of a day's cash stands, of what was read (no cash: nothing granted yet). One more round trip if this
 * process did not know of the organization's chains.
 */
export async function dayCash(
  user: User,
  now: number,
  reads: CashReads,
  { organization, cash }: { organization: Item | undefined; cash: Item | undefined },
): Promise<DayCash> {
  const day = dayOf(now);
  const { chains, all, own } = cashKeysOn(day, user, copiesIn(organization));
  const isRead = all.some(({ pk, sk }) => pk === reads.cash.pk && sk === reads.cash.sk);
  const [item] = isRead ? [cash] : await getAll([own]);
  const { daily_cash_limit_usd, daily_cash_paced } = settingsOf(organization);
  const limitUsd = shareOf(daily_cash_limit_usd, user.user_id, chains);
  return {
    day,
    ...(chains > 1 ? { chains } : {}),
    sequence: Number(item?.grants ?? 0),
    grantedUsd: Number(item?.granted_usd ?? 0),
    limitUsd,
    ...(daily_cash_paced ? { pacedUsd: pacedUsd(limitUsd, now) } : {}),
  };
}

/** Whole USD that the limit, or its pace, leaves of the day's cash. */
export const cashLeft = ({ limitUsd, pacedUsd = limitUsd, grantedUsd }: DayCash): number =>
  Math.max(0, pacedUsd - grantedUsd);

/** How the day's cash stands after a grant of whole USD. */
export const granted = (cash: DayCash, usd: number): DayCash => ({
  ...cash,
  sequence: cash.sequence + 1,
  grantedUsd: cash.grantedUsd + usd,
});

/**
 * The parts of a transaction that grant what a day's cash has come to since it was read. They fail if others were granted
 * some in the meantime.
 */
export function grantCash(
  user: User,
  organization: Item | undefined,
  before: DayCash,
  after: DayCash,
): Record<string, Part> {
  if (after.sequence === before.sequence) return {};
  const { all } = cashKeysOn(before.day, user, copiesIn(organization));
  return Object.fromEntries(all.map((key, copy) => [`cash${copy}`, grantPart(key, before, after)]));
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

/**
 * The day's cash: what an organization has granted on a calendar day in New York, never above its limit. Its grants are
 * numbered, and every draw says after which of them it was made: so anybody can add up what was left.
 */
import type { User } from '../accounts/user.ts';
import { shardOf } from '../shards.ts';
import { getAll, type Item, type Part } from '../table/client.ts';
import { cashKey, type Key, settingsKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import { chainOf, chainsOn, oneChain, shareOf } from './cash-chains.ts';
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

/** The keys under which a spin reads the day's cash: of the organization's settings, and of the state of the user's chain. */
export type CashReads = { organization: Key; cash: Key };

/** The setting `cash_chains` of organizations, as this process read it last. */
const knownChains = new Map<string, string>();
const mostKnown = 1000;

function noteChains(organizationId: string, setting: string): void {
  if (setting === oneChain && !knownChains.has(organizationId)) return;
  if (knownChains.size >= mostKnown) knownChains.clear();
  knownChains.set(organizationId, setting);
}

/** The keys for a user's spins at a time, by the number of chains that this process read last: one chain if it read none. */
export const cashReads = (organizationId: string, userId: string, now: number): CashReads => ({
  organization: settingsKey(organizationId, shardOf(userId)),
  cash: ownKey(organizationId, userId, dayOf(now), knownChains.get(organizationId) ?? oneChain),
});

const ownKey = (organizationId: string, userId: string, day: string, setting: string): Key =>
  cashKey(organizationId, day, chainOf(userId, chainsOn(setting, day)));

/**
 * How a user's chain of a day's cash stands, of what was read (no cash: nothing granted yet). One more round trip if this
 * process did not know of the organization's chains.
 */
export async function dayCash(
  { organization_id, user_id }: Pick<User, 'organization_id' | 'user_id'>,
  now: number,
  reads: CashReads,
  { organization, cash }: { organization: Item | undefined; cash: Item | undefined },
): Promise<DayCash> {
  const day = dayOf(now);
  const { daily_cash_limit_usd, daily_cash_paced, cash_chains } = settingsOf(organization);
  noteChains(organization_id, cash_chains);
  const chains = chainsOn(cash_chains, day);
  const key = ownKey(organization_id, user_id, day, cash_chains);
  const [item] = key.pk === reads.cash.pk ? [cash] : await getAll([key]);
  const limitUsd = shareOf(daily_cash_limit_usd, user_id, chains);
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
  { organization_id, user_id }: Pick<User, 'organization_id' | 'user_id'>,
  before: DayCash,
  after: DayCash,
): Record<string, Part> {
  if (after.sequence === before.sequence) return {};
  const { day, chains = 1, sequence, grantedUsd } = after;
  const Item = {
    ...cashKey(organization_id, day, chainOf(user_id, chains)),
    grants: sequence,
    granted_usd: grantedUsd,
  };
  return { cash: { Put: { Item, ...whileGranted(before.sequence) } } };
}

/** The condition that as many grants were made as when they were read. */
export const whileGranted = (grants: number) =>
  grants === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'grants = :grants', ExpressionAttributeValues: { ':grants': grants } };

/**
 * Where the budgets that users share are kept. The day's cash has an item for each chain. The stock of a game
 * has a copy in each shard, since every spin reads it; a win writes all copies. A grant is written under the
 * condition that there was no other grant since the budget was read.
 */
import type { User } from '../accounts/user.ts';
import { allShards, shardOf } from '../shards.ts';
import { getAll, type Item, type Part } from '../table/client.ts';
import { budgetKey, type Key, settingsKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import { type BudgetState, type Budgets, type Counts, hasStock, noGrants, onDay } from './budgets.ts';
import { cashLimits, chainOf, chainsOn } from './cash-limit.ts';
import type { Prize } from './prize-tables.ts';
import { defaultSettings, type StoredSettings, settingsOf } from './settings.ts';

/** What a user's spins read besides the user: the organization's settings, and budgets. */
export type SpinReads = { organization: Key; cash: Key; stock?: Key };
type Drawing = { game: Game; prizes: readonly Prize[] };
type Chains = Pick<StoredSettings, 'cash_chains' | 'chains_before'>;

/** The last read numbers of chains of organizations that have changed it. */
const knownChains = new Map<string, Chains>();
const mostKnown = 1000;

function noteChains(organizationId: string, { cash_chains, chains_before }: Chains): void {
  if (!chains_before) return;
  if (knownChains.size >= mostKnown) knownChains.clear();
  knownChains.set(organizationId, { cash_chains, chains_before });
}

/**
 * Keys for a user's spins at a time. They have the stock if it is known from which table the spins draw. The
 * chain is by the number of chains that this process read last.
 */
export function spinReads(organizationId: string, userId: string, now: number, drawing?: Drawing): SpinReads {
  const chains = knownChains.get(organizationId) ?? defaultSettings;
  return {
    organization: settingsKey(organizationId, shardOf(userId)),
    cash: cashKey(organizationId, userId, dayOf(now), chains),
    ...(drawing && hasStock(drawing.prizes)
      ? { stock: stockKey(organizationId, drawing.game, shardOf(userId)) }
      : {}),
  };
}

const cashKey = (organizationId: string, userId: string, day: string, chains: Chains): Key =>
  budgetKey(organizationId, `cash#${day}`, chainOf(userId, chainsOn(chains, day)));
const stockKey = (organizationId: string, game: Game, shard: number): Key =>
  budgetKey(organizationId, `stock#${game}`, shard);

/**
 * The budgets of draws from a table, without stock if no table is given, from the items that were read under
 * `reads`. One more round trip if the table has a stock that was not read, or if this process did not know
 * the organization's chains.
 */
export async function readBudgets(
  { organization_id, user_id }: Pick<User, 'organization_id' | 'user_id'>,
  drawing: Drawing | undefined,
  now: number,
  reads: SpinReads,
  items: { [name in keyof SpinReads]?: Item | undefined },
): Promise<Budgets> {
  const day = dayOf(now);
  const settings = settingsOf(items.organization);
  noteChains(organization_id, settings);
  const stateOf = async (name: 'cash' | 'stock', key: Key) =>
    stateIn(reads[name]?.pk === key.pk ? items[name] : await readItem(key), now);
  const [cash, stock] = await Promise.all([
    stateOf('cash', cashKey(organization_id, user_id, day, settings)),
    drawing && hasStock(drawing.prizes)
      ? stateOf('stock', stockKey(organization_id, drawing.game, shardOf(user_id)))
      : undefined,
  ]);
  const limits = cashLimits(settings, user_id, chainsOn(settings, day), now);
  return { day, cash: { ...cash, ...limits }, ...(stock ? { stock } : {}) };
}

/** The state of the stock of a game at a time, as the users of a shard read it. One round trip. */
export async function readStock(
  organizationId: string,
  game: Game,
  now: number,
  shard = 0,
): Promise<BudgetState> {
  return stateIn(await readItem(stockKey(organizationId, game, shard)), now);
}

const readItem = async (key: Key): Promise<Item | undefined> => (await getAll([key]))[0];

type StoredBudget = Pick<BudgetState, 'grants' | 'day' | 'granted'> & { granted_on_day: Counts };

function stateIn(item: Item | undefined, now: number): BudgetState {
  if (!item) return onDay(noGrants, dayOf(now));
  const { grants, day, granted, granted_on_day } = item as StoredBudget;
  return onDay({ grants, day, granted, grantedOnDay: granted_on_day }, dayOf(now));
}

/**
 * The parts of a transaction that write what was granted since budgets were read. They fail if others were
 * granted some in between, or if the limits were changed. None if nothing was granted.
 */
export function grantParts(
  user: User,
  game: Game,
  organization: Item | undefined,
  before: Budgets,
  after: Budgets,
): Record<string, Part> {
  const { organization_id, user_id } = user;
  const settings = settingsOf(organization);
  const { day } = before;
  const keys = {
    cash: [cashKey(organization_id, user_id, day, settings)],
    stock: allShards.map((shard) => stockKey(organization_id, game, shard)),
  };
  const parts = (['cash', 'stock'] as const).flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (!was || !is || is.grants === was.grants) return [];
    return keys[name].map((key, index) => [`${name}${index}`, statePart(key, was, is)] as const);
  });
  if (parts.length === 0) return {};
  return { settings: whileCashIsSet(user, day, settings), ...Object.fromEntries(parts) };
}

function statePart(key: Key, before: BudgetState, { grants, day, granted, grantedOnDay }: BudgetState): Part {
  const stored: StoredBudget = { grants, day, granted, granted_on_day: grantedOnDay };
  const Item = { ...key, ...stored };
  return { Put: { Item, ...whileGranted(before.grants) } };
}

const whileGranted = (grants: number) =>
  grants === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'grants = :grants', ExpressionAttributeValues: { ':grants': grants } };

/**
 * The part of a transaction that fails if the settings that limit a day's cash were changed. Users of different chains
 * check different copies of the settings, so that the chains do not meet there.
 */
function whileCashIsSet({ organization_id, user_id }: User, day: string, settings: StoredSettings): Part {
  const { daily_cash_limit_usd, daily_cash_paced, cash_chains } = settings;
  return {
    ConditionCheck: {
      Key: settingsKey(organization_id, chainOf(user_id, chainsOn(settings, day))),
      ConditionExpression:
        'daily_cash_limit_usd = :limit AND daily_cash_paced = :paced AND cash_chains = :chains',
      ExpressionAttributeValues: {
        ':limit': daily_cash_limit_usd,
        ':paced': daily_cash_paced,
        ':chains': cash_chains,
      },
    },
  };
}

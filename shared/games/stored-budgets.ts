import type { User } from '../accounts/user.ts';
import { allShards, shardOf } from '../shards.ts';
import { getItems, type Item, type TableWrite } from '../table/client.ts';
import { budgetKey, type Key, settingsKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import {
  type AmountByKey,
  amountIn,
  type BudgetState,
  type Budgets,
  hasStock,
  noGrants,
  onDay,
} from './budgets.ts';
import { cashLimits } from './cash-limit.ts';
import type { Prize } from './prize-tables.ts';
import { periodTerms } from './promotion.ts';
import { type Settings, settingsOf } from './settings.ts';

/** Table keys of the items that a user's spins read: settings (`organization`), cash budgets and stock. */
export type SpinReadKeys = { organization: Key; cash: Key; promotion: Key; stock?: Key };
type Draw = { game: Game; prizes: readonly Prize[] };

export function spinReadKeys(organizationId: string, userId: string, now: number, draw?: Draw): SpinReadKeys {
  return {
    organization: settingsKey(organizationId, shardOf(userId)),
    cash: cashKey(organizationId, dayOf(now)),
    promotion: promotionKey(organizationId),
    ...(draw && hasStock(draw.prizes) ? { stock: stockKey(organizationId, draw.game, shardOf(userId)) } : {}),
  };
}

const cashKey = (organizationId: string, day: string): Key => budgetKey(organizationId, `cash#${day}`, 0);
const promotionKey = (organizationId: string): Key => budgetKey(organizationId, 'cash#promotion', 0);
const stockKey = (organizationId: string, game: Game, shard: number): Key =>
  budgetKey(organizationId, `stock#${game}`, shard);

/** `periodDay` decides whether a promotion applies: for a free spin, it is the day of the order. */
export async function readBudgets(
  { organization_id, user_id }: Pick<User, 'organization_id' | 'user_id'>,
  draw: Draw | undefined,
  now: number,
  reads: SpinReadKeys,
  items: { [name in keyof SpinReadKeys]?: Item | undefined },
  periodDay = dayOf(now),
): Promise<Budgets> {
  const settings = settingsOf(items.organization);
  const day = dayOf(now);
  const terms = periodTerms(settings.promotion, periodDay);
  const stateOf = async (name: keyof SpinReadKeys, key: Key) =>
    stateFromItem(reads[name]?.pk === key.pk ? items[name] : await readItem(key), day);
  const [cash, promotion, stock] = await Promise.all([
    stateOf('cash', cashKey(organization_id, day)),
    terms.promotion && stateOf('promotion', promotionKey(organization_id)),
    draw && hasStock(draw.prizes)
      ? stateOf('stock', stockKey(organization_id, draw.game, shardOf(user_id)))
      : undefined,
  ]);
  return {
    day,
    cash: { ...cash, ...cashLimits(settings, now) },
    ...(terms.outside && { outside: true }),
    ...(promotion && terms.promotion && { promotion: { ...promotion, ...terms.promotion } }),
    ...(stock ? { stock } : {}),
  };
}

export async function readStock(
  organizationId: string,
  game: Game,
  day: string,
  shard = 0,
): Promise<BudgetState> {
  return stateFromItem(await readItem(stockKey(organizationId, game, shard)), day);
}

/** Returns the cash won so far in the promotion that began on a day, in USD. */
export const readPromotionCash = async (organizationId: string, firstDay: string): Promise<number> =>
  amountIn(stateFromItem(await readItem(promotionKey(organizationId)), '').granted, firstDay);

const readItem = async (key: Key): Promise<Item | undefined> => (await getItems([key]))[0];

type StoredBudget = Pick<BudgetState, 'grants' | 'day' | 'granted'> & { granted_on_day: AmountByKey };

function stateFromItem(item: Item | undefined, today: string): BudgetState {
  if (!item) return onDay(noGrants, today);
  const { grants, day, granted, granted_on_day } = item as StoredBudget;
  return onDay({ grants, day, granted, grantedOnDay: granted_on_day }, today);
}

export function grantWrites(
  user: User,
  game: Game,
  organization: Item | undefined,
  before: Budgets,
  after: Budgets,
): Record<string, TableWrite> {
  const { organization_id } = user;
  const settings = settingsOf(organization);
  const { day } = before;
  const keys = {
    cash: [cashKey(organization_id, day)],
    promotion: [promotionKey(organization_id)],
    stock: allShards.map((shard) => stockKey(organization_id, game, shard)),
  };
  const parts = (['cash', 'promotion', 'stock'] as const).flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (!was || !is || is.grants === was.grants) return [];
    return keys[name].map((key, index) => [`${name}${index}`, statePart(key, was, is)] as const);
  });
  if (parts.length === 0) return {};
  return { settings: cashLimitsUnchanged(user, settings), ...Object.fromEntries(parts) };
}

function statePart(
  key: Key,
  before: BudgetState,
  { grants, day, granted, grantedOnDay }: BudgetState,
): TableWrite {
  const stored: StoredBudget = { grants, day, granted, granted_on_day: grantedOnDay };
  const Item = { ...key, ...stored };
  return { Put: { Item, ...ifGrantsAre(before.grants) } };
}

const ifGrantsAre = (grants: number) =>
  grants === 0
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'grants = :grants', ExpressionAttributeValues: { ':grants': grants } };

function cashLimitsUnchanged(
  { organization_id, user_id }: User,
  { daily_cash_limit_usd, daily_cash_paced, promotion }: Settings,
): TableWrite {
  return {
    ConditionCheck: {
      Key: settingsKey(organization_id, shardOf(user_id)),
      ConditionExpression:
        'daily_cash_limit_usd = :limit AND daily_cash_paced = :paced AND promotion = :promotion',
      ExpressionAttributeValues: {
        ':limit': daily_cash_limit_usd,
        ':paced': daily_cash_paced,
        ':promotion': promotion,
      },
    },
  };
}

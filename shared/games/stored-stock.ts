/**
 * Where the stock of a game is kept: one item, of which an organization that is spread has copies. Whoever wins of it
 * writes all of them, under the condition that nobody else has since it was read.
 */
import { copiesIn, copiesOf } from '../copies.ts';
import { shardOf } from '../spread.ts';
import { getAll, type Item, type Part } from '../table/client.ts';
import { type Key, stockKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import { type Game, games } from '../vocabulary.ts';
import type { Stock } from './stock.ts';

/** Where a user's spins read the stock of a game, as far as this process knows of copies. */
export const stockRead = (organizationId: string, userId: string, game: Game): Key =>
  stockKey(organizationId, game, shardOf(userId, copiesOf(organizationId).copies.count));

/**
 * How the stock stands at a time, of what was read (no item: nothing won yet). What is of a day that is over by the time
 * it counts is of the day that began.
 */
export function stockIn(item: Item | undefined, now: number): Stock {
  const { grants = 0, day = '', won = {}, won_on_day = {} } = (item ?? {}) as Partial<StockItem>;
  const today = dayOf(now);
  const on = day > today ? day : today;
  return { sequence: grants, day: on, won, wonOnDay: day === on ? won_on_day : {} };
}

type StockItem = { grants: number; day: string; won: Stock['won']; won_on_day: Stock['wonOnDay'] };

/** How the stock of a game stands at a time. One round trip. */
export async function readStock(
  organizationId: string,
  userId: string,
  game: Game,
  now: number,
): Promise<Stock> {
  const [item] = await getAll([stockRead(organizationId, userId, game)]);
  return stockIn(item, now);
}

/** The parts of a transaction that grant what a stock has come to since it was read, in all of its copies. */
export function grantStock(
  organizationId: string,
  game: Game,
  organization: Item | undefined,
  before: Stock,
  after: Stock,
): Record<string, Part> {
  if (after.sequence === before.sequence) return {};
  const { sequence, day, won, wonOnDay } = after;
  const item: StockItem = { grants: sequence, day, won, won_on_day: wonOnDay };
  const parts: Record<string, Part> = {};
  for (let copy = 0; copy < copiesIn(organization).copies.count; copy++) {
    const Item = { ...stockKey(organizationId, game, copy), organization_id: organizationId, ...item };
    parts[`stock${copy}`] = { Put: { Item, ...whileGranted(before.sequence) } };
  }
  return parts;
}

const whileGranted = (grants: number) =>
  grants === 0
    ? { ConditionExpression: nothingGranted }
    : { ConditionExpression: noneSince, ExpressionAttributeValues: { ':grants': grants } };
const nothingGranted = 'attribute_not_exists(pk)';
const noneSince = 'grants = :grants';

/**
 * The parts of a transaction that give the stocks of an organization so many copies, the original included. They fail if
 * something was won of one since. One round trip.
 */
export async function stockCopies(organizationId: string, copies: number): Promise<Record<string, Part>> {
  const items = await getAll(games.map((game) => stockKey(organizationId, game)));
  const parts: Record<string, Part> = {};
  for (const [index, game] of games.entries()) {
    const item = items[index];
    const check = whileGranted(Number(item?.grants ?? 0));
    parts[`${game}Stock`] = { ConditionCheck: { Key: stockKey(organizationId, game), ...check } };
    for (let copy = 1; item && copy < copies; copy++) {
      parts[`${game}Stock${copy}`] = {
        Put: { Item: { ...item, ...stockKey(organizationId, game, copy) } },
      };
    }
  }
  return parts;
}

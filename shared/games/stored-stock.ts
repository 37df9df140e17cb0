/**
 * Where the stock of a game is kept: an item in each shard, all of which say the same. Whoever wins of it writes all of
 * them, under the condition that nobody else has since it was read.
 */
import { allShards, shardOf } from '../shards.ts';
import { getAll, type Item, type Part } from '../table/client.ts';
import { type Key, stockKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import type { Game } from '../vocabulary.ts';
import { whileGranted } from './cash.ts';
import type { Stock } from './stock.ts';

/** The key under which a user's spins read the stock of a game. */
export const stockRead = (organizationId: string, userId: string, game: Game): Key =>
  stockKey(organizationId, game, shardOf(userId));

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

/** The parts of a transaction that grant what a stock has come to since it was read, in all shards. */
export function grantStock(
  organizationId: string,
  game: Game,
  before: Stock,
  after: Stock,
): Record<string, Part> {
  if (after.sequence === before.sequence) return {};
  const { sequence, day, won, wonOnDay } = after;
  const item: StockItem = { grants: sequence, day, won, won_on_day: wonOnDay };
  return Object.fromEntries(
    allShards.map((shard) => {
      const Item = { ...stockKey(organizationId, game, shard), organization_id: organizationId, ...item };
      return [`stock${shard}`, { Put: { Item, ...whileGranted(before.sequence) } }];
    }),
  );
}

/** What draws are granted from, and users of an organization share: the day's cash, and the stock of prizes. */
import type { User } from '../accounts/user.ts';
import type { Item, Part } from '../table/client.ts';
import type { Key } from '../table/keys.ts';
import type { Game } from '../vocabulary.ts';
import { type CashReads, cashReads, type DayCash, dayCash, grantCash } from './cash.ts';
import type { Prize } from './prize-tables.ts';
import { settingsOf, whileCashIsSet } from './settings.ts';
import { hasStock, type Stock } from './stock.ts';
import { grantStock, readStock, stockIn, stockRead } from './stored-stock.ts';

/** How budgets stand; `stock` is that of the game, and absent if the table that is drawn from has none. */
export type Budgets = { cash: DayCash; stock?: Stock };

/** What a user's spins read besides the user: the organization's settings, and how budgets stand. */
export type SpinReads = CashReads & { stock?: Key };

/**
 * Where a user's spins at a time read it, as far as this process knows. The stock is read with the rest if it is known
 * which table they draw from.
 */
export const spinReads = (
  organizationId: string,
  userId: string,
  now: number,
  drawing?: { game: Game; prizes: readonly Prize[] },
): SpinReads => ({
  ...cashReads(organizationId, userId, now),
  ...(drawing && hasStock(drawing.prizes) ? { stock: stockRead(organizationId, userId, drawing.game) } : {}),
});

/**
 * How budgets stand for draws from a table, of what was read. One more round trip if the table has a stock that was not
 * read, and one if this process did not know of the organization's chains of cash.
 */
export async function readBudgets(
  user: User,
  { game, prizes }: { game: Game; prizes: readonly Prize[] },
  now: number,
  reads: SpinReads,
  { organization, cash, stock }: { [name in keyof SpinReads]?: Item | undefined },
): Promise<Budgets> {
  const standing = dayCash(user, now, reads, { organization, cash });
  if (!hasStock(prizes)) return { cash: await standing };
  const { organization_id, user_id } = user;
  const ofGame = reads.stock ? stockIn(stock, now) : readStock(organization_id, user_id, game, now);
  const [cashOfDay, stockOfGame] = await Promise.all([standing, ofGame]);
  return { cash: cashOfDay, stock: stockOfGame };
}

/**
 * The parts of a transaction that grant what budgets have come to since they were read. They fail if others were granted
 * some in the meantime, or if they are set in another way. None if there is nothing to grant: a draw that wins nothing of
 * them is held up by nobody.
 */
export function grantParts(
  user: User,
  game: Game,
  organization: Item | undefined,
  before: Budgets,
  after: Budgets,
): Record<string, Part> {
  const parts = {
    ...grantCash(user, before.cash, after.cash),
    ...(before.stock && after.stock ? grantStock(user.organization_id, game, before.stock, after.stock) : {}),
  };
  if (Object.keys(parts).length === 0) return {};
  return { settings: whileCashIsSet(user, before.cash.day, settingsOf(organization)), ...parts };
}

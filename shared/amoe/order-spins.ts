/** Pure, so that the draw of every free spin can be repeated. */
import type { OrderRecord } from '../accounts/records.ts';
import type { SpinInput } from '../games/outcomes.ts';
import { gameOfVersion, type PrizeTable } from '../games/prize-tables.ts';
import { seedOfSpin } from '../games/seeds.ts';

/** Maximum spins per transaction if stock is limited, because a win then also writes the stock's 16 copies. */
export const maxSpinsWithStock = 25;

export type OrderDrawData = {
  table: PrizeTable;
  /** The day of the spins' records, never before the order's due day. */
  secretDay: string;
  secret: Buffer;
};

export const spinOfOrder = (
  { order_id, hash, result_effective_date }: OrderRecord,
  spinIndex: number,
  { table, secretDay, secret }: OrderDrawData,
): Omit<SpinInput, 'budgets' | 'winLimit' | 'tracking'> => ({
  game: gameOfVersion(table.version),
  table,
  playType: 'amoe',
  seeds: { serverSeed: seedOfSpin(secret, order_id, spinIndex), clientSeed: hash, spinIndex },
  seedFields: { secret_day: secretDay, order_id },
  cost: 0,
  resultEffectiveDate: result_effective_date,
});

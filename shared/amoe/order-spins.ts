/** Rules of an order's spins. Pure, so that checks of books can repeat every free spin. */
import type { OrderRecord } from '../accounts/records.ts';
import type { Spin } from '../games/outcomes.ts';
import type { PrizeTable } from '../games/prize-tables.ts';
import { clientSeedOfSpins, seedOfSpin } from '../games/seeds.ts';
import { dayOf } from '../time.ts';
import { lastMinutesMs } from './checkpoint.ts';
import { game } from './place-order.ts';

/** Result of a beacon round: its randomness (32 bytes in hex), or `out` if the beacon was unavailable. */
export type BeaconRound = { round: number; randomness: string } | { round: number; out: true };

/**
 * Maximum spins per transaction if the prize table has limited stock, because a win from stock also writes the stock's
 * 16 copies. The transaction that stores a guest's order runs at least this number of its spins, or all.
 */
export const spinsWithStock = 25;

export type OrderDrawing = {
  table: PrizeTable;
  /** The secret of the order's due day, even if the spin runs later. So a delay changes no draw. */
  secret: Buffer;
  /** The beacon round that the client seed contains. Absent if the order has no beacon. */
  randomness?: BeaconRound | undefined;
};

/** The fields of an order on which its spins depend. */
type SpunOrder = Pick<
  OrderRecord,
  'order_id' | 'sequence' | 'due_day' | 'last_hash' | 'result_effective_date'
>;

/**
 * Returns one spin of an order, without budgets. With `seedFields` and the day's secret, anybody can derive
 * the spin's seeds.
 */
export function spinOfOrder(
  order: SpunOrder,
  spinIndex: number,
  { table, secret, randomness }: OrderDrawing,
): Omit<Spin, 'budgets' | 'winLimit'> {
  const { order_id, sequence: order_sequence, due_day } = order;
  const mixedIn = randomness && 'randomness' in randomness ? randomness.randomness : undefined;
  return {
    game,
    table,
    playType: 'amoe',
    seeds: {
      serverSeed: seedOfSpin(secret, order_id, spinIndex),
      clientSeed: clientSeedOfSpins(order.last_hash, mixedIn),
      spinIndex,
    },
    seedFields: {
      secret_day: due_day,
      order_id,
      order_sequence,
      ...(mixedIn ? { beacon_round: randomness?.round } : randomness && { beacon_out: true }),
    },
    cost: 0,
    resultEffectiveDate: order.result_effective_date,
  };
}

/** Returns whether it is too late to cancel an order's spins, because their draws can soon be known. */
export const isClosing = ({ due_day }: Pick<OrderRecord, 'due_day'>, now: number): boolean =>
  due_day <= dayOf(now + lastMinutesMs);

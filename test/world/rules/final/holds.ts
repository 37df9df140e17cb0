/** Computes from actions when each hold was in force. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { organizationOf } from '../item-types.ts';
import type { World } from './final-state.ts';

/** Start and end of a hold in epoch milliseconds. `until` is Infinity if the hold has not ended. */
type Interval = { from: number; until: number };

const actionsOf = (world: World, organizationId: string): StoredItem[] =>
  world
    .of('action')
    .filter((action) => organizationOf(action) === organizationId)
    .sort((a, b) => a.sequence - b.sequence);

/**
 * Returns a hold's intervals. `begins` returns true if an action starts the hold, false if it ends the hold,
 * undefined for other actions.
 */
function intervals(actions: StoredItem[], begins: (action: StoredItem) => boolean | undefined) {
  const found: Interval[] = [];
  for (const action of actions) {
    const [at, begun] = [Date.parse(action.date_created), begins(action)];
    const open = found.at(-1)?.until === Infinity;
    if (begun === true && !open) found.push({ from: at, until: Infinity });
    if (begun === false && open) found.at(-1)!.until = at;
  }
  return found;
}

const words = (paused: unknown): string[] => String(paused).split(' ');

export const suspensions = (world: World, organizationId: string): Interval[] =>
  intervals(actionsOf(world, organizationId), ({ after }) => after.suspended);

/** Returns the intervals in which any of the games in `needed` was paused. `amoe` means all free spins. */
export const pauses = (world: World, organizationId: string, needed: string[]): Interval[] =>
  intervals(actionsOf(world, organizationId), ({ after }) =>
    after.paused === undefined ? undefined : words(after.paused).some((one) => needed.includes(one)),
  );

export const freezes = (world: World, organizationId: string, userId: string): Interval[] =>
  intervals(actionsOf(world, organizationId), ({ action, about }) =>
    about?.user_id !== userId
      ? undefined
      : ({ user_frozen: true, user_unfrozen: false } as Record<string, boolean>)[action],
  );

/** Returns the intervals in which a suspension, pause, freeze or cancellation kept an order's spins from running. */
export function holdsOfOrder(world: World, order: StoredItem): Interval[] {
  const { user_id, order_id } = order;
  const organizationId = organizationOf(order);
  const cancelled = intervals(actionsOf(world, organizationId), ({ action, about }) =>
    about?.spins?.[order_id] === undefined ? undefined : action === 'spins_cancelled',
  );
  return [
    ...suspensions(world, organizationId),
    ...pauses(world, organizationId, ['amoe', order.prize_table_version.split('-')[0]]),
    ...freezes(world, organizationId, user_id),
    ...cancelled,
  ];
}

/** Returns whether a hold may have affected a request. The gateway's cache extends holds by up to a minute. */
export const mayHaveSeen = (world: World, { sentAt, answer }: Exchange, times: Interval[]): boolean =>
  times.some(
    ({ from, until }) =>
      from <= (answer?.at ?? Infinity) + world.clockErrorMs && until >= sentAt - world.requestMs - gatewayMs,
  );
const gatewayMs = 60_000;

/** Returns the number of cancelled free spins of each order, minus the number of restored spins. */
export function cancelledSpins(world: World): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { action, about } of world.of('action')) {
    const sign = ({ spins_cancelled: 1, spins_restored: -1 } as Record<string, number>)[action] ?? 0;
    for (const [id, count] of Object.entries(about?.spins ?? {}))
      sums.set(id, (sums.get(id) ?? 0) + sign * Number(count));
  }
  return sums;
}

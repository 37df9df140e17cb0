/** Computes from operations when each hold was in force. Checks that only holds in force cause refusals. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { organizationOf } from '../item-types.ts';
import { codeOf, nameOf } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';
import { sessionOf } from './pages.ts';

/** Start and end of a hold in epoch milliseconds. `until` is Infinity if the hold has not ended. */
type Interval = { from: number; until: number };

const actionsOf = (world: World, organizationId: string): StoredItem[] =>
  world
    .of('operation')
    .filter((operation) => organizationOf(operation) === organizationId)
    .sort((a, b) => a.sequence - b.sequence);

/**
 * Returns a hold's intervals. `begins` returns true if an operation starts the hold, false if it ends the hold,
 * undefined for other operations.
 */
function intervals(operations: StoredItem[], begins: (operation: StoredItem) => boolean | undefined) {
  const found: Interval[] = [];
  for (const operation of operations) {
    const [at, begun] = [Date.parse(operation.date_created), begins(operation)];
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

const freeSpins = ['amoe/queue', 'amoe/guest-queue', 'amoe/guest-play'];

/** Returns the intervals of all holds that can cause the error code `code` in response to a request. */
function timesFor(world: World, exchange: Exchange, code: string): Interval[] {
  const { organizationId, endpoint, path, body } = exchange;
  const session = sessionOf(world, exchange);
  if (code === 'organization_suspended') return suspensions(world, organizationId);
  if (code === 'user_frozen') return freezes(world, organizationId, String(path.user_id ?? session?.user_id));
  const game = session?.game ?? body?.game ?? 'prizewheel';
  return pauses(world, organizationId, freeSpins.includes(endpoint) ? ['amoe', game] : [game]);
}

/**
 * A hold's error code occurs only if the hold was in force during or shortly before the request. `play_voided` occurs
 * only for a play URL that an operator voided.
 */
const refusedByHold: EndRule = {
  rule: 'a request is refused for a hold only while the hold is in force',
  check(world, report) {
    for (const exchange of world.journal.exchanges) {
      const code = codeOf(exchange);
      if (code === 'organization_suspended' || code === 'user_frozen' || code === 'game_paused') {
        if (!mayHaveSeen(world, exchange, timesFor(world, exchange, code)))
          report(`${nameOf(exchange)} is refused with ${code}`);
      }
      if (code !== 'play_voided') continue;
      const token_hash = sessionOf(world, exchange)?.pk.split('#')[1];
      const voided = world.of('operation').some(({ about }) => about?.token_hash === token_hash);
      if (!voided) report(`${nameOf(exchange)} is refused as voided, but never was`);
    }
  },
};

/** Returns the number of cancelled free spins of each order, minus the number of restored spins. */
export function cancelledSpins(world: World): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { action, about } of world.of('operation')) {
    const sign = ({ spins_cancelled: 1, spins_restored: -1 } as Record<string, number>)[action] ?? 0;
    for (const [id, count] of Object.entries(about?.spins ?? {}))
      sums.set(id, (sums.get(id) ?? 0) + sign * Number(count));
  }
  return sums;
}

export const holdRules = [refusedByHold];

/** What operators put on hold, and when, as their records say; and rules of what is refused for it. */
import type { Exchange, StoredItem } from '../../journal.ts';
import { organizationOf } from '../stored.ts';
import { codeOf, nameOf } from './exchanges.ts';
import { sessionOf } from './pages.ts';
import type { EndRule, World } from './world.ts';

/** From when until when, in epoch milliseconds. */
type Interval = { from: number; until: number };

const operationsOf = (world: World, organizationId: string): StoredItem[] =>
  world
    .of('operation')
    .filter((operation) => organizationOf(operation) === organizationId)
    .sort((a, b) => a.sequence - b.sequence);

/** The times in which something was on hold, by whether an operation begins it (true), ends it (false), or neither. */
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

/** When an organization was suspended. */
export const suspensions = (world: World, organizationId: string): Interval[] =>
  intervals(operationsOf(world, organizationId), ({ after }) => after.suspended);

/** When some of these were paused. */
export const pauses = (world: World, organizationId: string, needed: string[]): Interval[] =>
  intervals(operationsOf(world, organizationId), ({ after }) =>
    after.paused === undefined ? undefined : words(after.paused).some((one) => needed.includes(one)),
  );

/** When a user was frozen. */
export const freezes = (world: World, organizationId: string, userId: string): Interval[] =>
  intervals(operationsOf(world, organizationId), ({ action, about }) =>
    about?.user_id !== userId
      ? undefined
      : ({ user_frozen: true, user_unfrozen: false } as Record<string, boolean>)[action],
  );

/** When spins of an order could not run. */
export function holdsOfOrder(world: World, order: StoredItem): Interval[] {
  const { user_id, order_id } = order;
  const organizationId = organizationOf(order);
  const cancelled = intervals(operationsOf(world, organizationId), ({ action, about }) =>
    about?.spins?.[order_id] === undefined ? undefined : action === 'spins_cancelled',
  );
  return [
    ...suspensions(world, organizationId),
    ...pauses(world, organizationId, ['amoe', 'prizewheel']),
    ...freezes(world, organizationId, user_id),
    ...cancelled,
  ];
}

/** Whether one of some times is one in which a request may have seen it: the gateway remembers for a minute. */
export const mayHaveSeen = (world: World, { sentAt, answer }: Exchange, times: Interval[]): boolean =>
  times.some(
    ({ from, until }) =>
      from <= (answer?.at ?? Infinity) + world.clockErrorMs && until >= sentAt - world.requestMs - gatewayMs,
  );
const gatewayMs = 60_000;

const freeSpins = ['amoe/queue', 'amoe/guest-queue', 'amoe/guest-play'];

/** What may have been on hold for a request that is refused with a code. */
function timesFor(world: World, exchange: Exchange, code: string): Interval[] {
  const { organizationId, endpoint, path, body } = exchange;
  const session = sessionOf(world, exchange);
  if (code === 'organization_suspended') return suspensions(world, organizationId);
  if (code === 'user_frozen') return freezes(world, organizationId, String(path.user_id ?? session?.user_id));
  const game = freeSpins.includes(endpoint) ? undefined : (session?.game ?? body?.game ?? 'prizewheel');
  return pauses(world, organizationId, game === undefined ? ['amoe', 'prizewheel'] : [game]);
}

/** What is refused for a hold was on hold, or a moment before. A voided URL was voided by then. */
const refusedRightly: EndRule = {
  rule: 'what is refused for a hold was on hold',
  check(world, say) {
    for (const exchange of world.journal.exchanges) {
      const code = codeOf(exchange);
      if (code === 'organization_suspended' || code === 'user_frozen' || code === 'game_paused') {
        if (!mayHaveSeen(world, exchange, timesFor(world, exchange, code)))
          say(`${nameOf(exchange)} is refused with ${code}`);
      }
      if (code !== 'play_voided') continue;
      const token_hash = sessionOf(world, exchange)?.pk.split('#')[1];
      const voided = world.of('operation').some(({ about }) => about?.token_hash === token_hash);
      if (!voided) say(`${nameOf(exchange)} is refused, and was never voided`);
    }
  },
};

/** How many spins of orders are cancelled in the end, by their ids, as the records of operations say. */
export function cancelledSpins(world: World): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { action, about } of world.of('operation')) {
    const sign = ({ spins_cancelled: 1, spins_restored: -1 } as Record<string, number>)[action] ?? 0;
    for (const [id, count] of Object.entries(about?.spins ?? {}))
      sums.set(id, (sums.get(id) ?? 0) + sign * Number(count));
  }
  return sums;
}

export const holdRules = [refusedRightly];

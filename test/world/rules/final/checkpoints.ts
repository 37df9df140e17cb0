/** Rules of checkpoints of orders: each order is in one checkpoint, made in time, whose round draws the order. */
import type { StoredItem } from '../../journal.ts';
import { beacon } from '../../relays.ts';
import { startOf } from '../days-and-ulids.ts';
import { groupBy } from './exchanges.ts';
import type { EndRule, World } from './final-state.ts';
import { holdsOfOrder } from './holds.ts';

const roundAt = (at: number) => Math.ceil((at / 1000 - beacon.genesis_time) / beacon.period) + 1;
const prefixLength = 10;

/** Returns the checkpoints of each order by the first characters of its record's hash. */
function checkpointsByOrder(world: World): Map<string, StoredItem[]> {
  const byOrder = new Map<string, StoredItem[]>();
  const add = (prefix: string, checkpoint: StoredItem) =>
    byOrder.set(prefix, [...(byOrder.get(prefix) ?? []), checkpoint]);
  const lists = groupBy(world.of('closed orders'), ({ sk }) => sk.split('#')[0]!);
  for (const checkpoint of world.of('checkpoint')) {
    for (const text of checkpoint.listed) add(text.split(' ')[1]!.slice(0, prefixLength), checkpoint);
    for (const { hashes } of lists.get(checkpoint.digest) ?? [])
      for (const prefix of hashes.match(/.{10}/g) ?? []) add(prefix, checkpoint);
  }
  return byOrder;
}

/** Yields each spin that a round has drawn, with its order and the order's checkpoints. */
function* drawnByRounds(world: World) {
  const byOrder = checkpointsByOrder(world);
  for (const spin of world.of('record')) {
    if (spin.beacon_round === undefined) continue;
    const order = world.record(spin.order_id)!;
    yield { spin, order, checkpoints: byOrder.get(order.hash.slice(0, prefixLength)) ?? [] };
  }
}

const drawnByCheckpoint: EndRule = {
  rule: 'each queued spin is drawn by the round of its order’s only checkpoint',
  check(world, report) {
    for (const { spin, checkpoints } of drawnByRounds(world)) {
      const { id, order_id, beacon_round } = spin;
      const rounds = checkpoints.map(({ draws_at }) => roundAt(Date.parse(draws_at)));
      if (rounds.join() !== `${beacon_round}`) report(`${id} of ${order_id}: ${rounds}, not ${beacon_round}`);
    }
  },
};

const timestampedCheckpoints: EndRule = {
  rule: 'without faults each checkpoint has a timestamp',
  check(world, report) {
    for (const { pk, draws_at, timestamp } of world.of('checkpoint'))
      if (!timestamp && Date.parse(draws_at) >= world.faultFreeFrom + minuteMs) report(`${pk} ${draws_at}`);
  },
};

const minuteMs = 60_000;
const withinMs = 1.5 * minuteMs;

const soonAfterMidnight: EndRule = {
  rule: 'without faults queued spins run within a minute and a half after midnight',
  check(world, report) {
    const listed = new Set(world.of('checkpoint').flatMap((checkpoint) => checkpoint.listed as string[]));
    for (const { id, order_id, timestamp, play_type } of world.of('record')) {
      const order = play_type === 'amoe' ? world.record(order_id) : undefined;
      // An order of the last two minutes can be stored after midnight, and then waits for the next sweep.
      if (order?.run !== 'queued' || listed.has(`${order.due_day} ${order.hash}`)) continue;
      const due = startOf(order.due_day);
      const isHeld = holdsOfOrder(world, order).some(
        ({ from, until }) => from < due + withinMs && until > due,
      );
      if (due < world.faultFreeFrom || isHeld) continue;
      if (Date.parse(timestamp) > due + withinMs + world.clockErrorMs)
        report(`${id} of ${order.due_day} ran at ${timestamp}`);
    }
  },
};

const closedAtMidnight: EndRule = {
  rule: 'without faults queued spins have a checkpoint within a minute and a half after midnight, also on hold',
  check(world, report) {
    for (const { spin, order, checkpoints } of drawnByRounds(world)) {
      const due = startOf(order.due_day);
      const [checkpoint] = checkpoints;
      // Listed orders can be stored or restored after midnight, and then get a later checkpoint.
      const isListed = checkpoint?.listed.includes(`${order.due_day} ${order.hash}`);
      if (due < world.faultFreeFrom || isListed) continue;
      if (!checkpoint || Date.parse(checkpoint.draws_at) > due + withinMs + world.clockErrorMs)
        report(`${spin.id} of ${order.due_day}: ${checkpoint?.draws_at}`);
    }
  },
};

export const checkpointRules = [
  drawnByCheckpoint,
  timestampedCheckpoints,
  soonAfterMidnight,
  closedAtMidnight,
];

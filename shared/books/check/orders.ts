/** The orders of free spins. An order determines its spins' inputs before anybody can know the results. */
import { timeOfUlid, ulidOf } from '../../ids.ts';
import type { OrderLeaf, OutcomeLeaf } from '../leaves.ts';

/** The fields of an order that determine its spins. */
export type Order = Pick<
  OrderLeaf,
  | 'order_id'
  | 'num_of_spins'
  | 'run'
  | 'due_day'
  | 'last_hash'
  | 'result_effective_date'
  | 'prize_table_version'
  | 'beacon'
  | 'hash'
> & {
  /** The order's time, in epoch milliseconds. */
  placedAt: number;
  /** The next spin's index, from 0. */
  next: number;
  /** Set if the books lack the order, so that its fields were taken from a spin. */
  isPresumed?: true;
};

/** Returns the fields of a new order that determine its spins. */
export function newOrder(leaf: OrderLeaf): Order {
  const { order_id, num_of_spins, run, due_day, last_hash, result_effective_date } = leaf;
  const { prize_table_version, beacon, hash } = leaf;
  const fields = {
    order_id,
    num_of_spins,
    run,
    due_day,
    last_hash,
    result_effective_date,
    prize_table_version,
    hash,
    placedAt: timeOfUlid(ulidOf(order_id)),
  };
  return { ...fields, ...(beacon ? { beacon } : {}), next: 0 };
}

/** Returns a substitute for a missing order, made from its spin. The substitute lacks the inputs of the client seed. */
export function presumedOrder(leaf: OutcomeLeaf): Order {
  const { order_id = '', secret_day: due_day, result_effective_date, prize_table_version } = leaf;
  const fields = { order_id, due_day, result_effective_date, prize_table_version };
  const unknown = { num_of_spins: 0, run: 'queued', last_hash: '', hash: '', placedAt: 0, next: 0 } as const;
  return { ...fields, ...unknown, isPresumed: true };
}

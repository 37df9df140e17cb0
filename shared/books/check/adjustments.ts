/**
 * The check of adjusted balances: each transaction is of the operation that it names, and each operation has
 * made one.
 */

import { timeOfUlid, ulidOf } from '../../ids.ts';
import { dayOf } from '../../time.ts';
import type { OperationLeaf, PostingLeaf } from '../leaves.ts';
import type { Report, Where } from './findings.ts';

/** A transaction that says that an operator made it. */
export type AdjustedPosting = {
  operation_id: string;
  transaction_id: string;
  user_id: string;
  account: string;
  amount: number;
  balance_after: number;
  place: Where;
};

/** What of an adjustment's transaction its operation must say too; undefined of any other posting. */
export function adjustedBy(leaf: PostingLeaf, place: Where): AdjustedPosting | undefined {
  const { operation_id, transaction_id, user_id, amount, balance_after } = leaf;
  if (operation_id === undefined) return undefined;
  const account = leaf.kind === 'entries' ? leaf.entry_type : leaf.kind;
  return { operation_id, transaction_id, user_id, account, amount, balance_after, place };
}

/** An operation as a book has it, and where. */
type Placed = { leaf: OperationLeaf; place: Where };

/**
 * Checks that transactions and operations of some days name each other and say the same. `days` are the days
 * whose records were checked: what is of another is noticed. (The two are written at once, and may stand on
 * both sides of a midnight.)
 */
export function checkAdjustments(
  postings: readonly AdjustedPosting[],
  operations: readonly Placed[],
  days: ReadonlySet<string>,
  reportAt: (place: Where) => Report,
): void {
  const adjusting = operations.filter(({ leaf }) => leaf.action === 'balance_adjusted');
  const byId = new Map(adjusting.map(({ leaf }) => [leaf.operation_id, leaf.about ?? {}]));
  const made = new Set(postings.map(({ transaction_id }) => transaction_id));
  const isGiven = (id: string) => days.has(dayOf(timeOfUlid(ulidOf(id))));
  for (const { operation_id, place, ...said } of postings) {
    const about = byId.get(operation_id);
    const report = reportAt(place);
    if (!about && !isGiven(operation_id)) report.notice('adjustment_open', `It is of ${operation_id}.`);
    else if (!about) report.finding('adjusted_by_nobody', `There is no adjustment ${operation_id}.`);
    else if (!isSame(about, said)) {
      report.finding('adjusted_by_nobody', `It is not what ${operation_id} says that it adjusted.`);
    }
  }
  for (const { leaf, place } of adjusting) {
    const id = leaf.about?.transaction_id;
    if (id !== undefined && made.has(id)) continue;
    const report = reportAt(place);
    if (id !== undefined && !isGiven(id)) report.notice('adjustment_open', `Its transaction is ${id}.`);
    else report.finding('adjustment_missing', `There is no transaction ${id ?? 'that it names'}.`);
  }
}

type Said = Omit<AdjustedPosting, 'operation_id' | 'place'>;

const isSame = (about: NonNullable<OperationLeaf['about']>, said: Said): boolean =>
  about.transaction_id === said.transaction_id &&
  about.user_id === said.user_id &&
  about.account === said.account &&
  about.amount === said.amount &&
  about.balance?.after === said.balance_after &&
  about.balance.before === said.balance_after - said.amount;

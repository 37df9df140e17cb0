/** Checks that each operator's adjustment of a balance has two matching records: a transaction and an operation. */

import { timeOfUlid, ulidOf } from '../../ids.ts';
import { dayOf } from '../../time.ts';
import type { OperationLeaf, PostingLeaf } from '../leaves.ts';
import type { Report, Where } from './findings.ts';

/** A transaction by which an operator adjusted a balance. `operation_id` names the record of the operator's action. */
export type AdjustedPosting = {
  operation_id: string;
  transaction_id: string;
  user_id: string;
  account: string;
  amount: number;
  balance_after: number;
  place: Where;
};

/**
 * Returns the fields of an adjusting transaction that the operation's record must repeat. Returns undefined
 * for other transactions.
 */
export function adjustedBy(leaf: PostingLeaf, place: Where): AdjustedPosting | undefined {
  const { operation_id, transaction_id, user_id, amount, balance_after } = leaf;
  if (operation_id === undefined) return undefined;
  const account = leaf.kind === 'entries' ? leaf.entry_type : leaf.kind;
  return { operation_id, transaction_id, user_id, account, amount, balance_after, place };
}

/** The record of an operation, and its position in a book. */
type Placed = { leaf: OperationLeaf; place: Where };

/** Matches adjusting transactions with operations. Around midnight, the two can be in different books. */
export function checkAdjustments(
  postings: readonly AdjustedPosting[],
  operations: readonly Placed[],
  days: ReadonlySet<string>,
  reportAt: (place: Where) => Report,
): void {
  const adjusting = operations.filter(({ leaf }) => leaf.action === 'balance_adjusted');
  const byId = new Map(adjusting.map(({ leaf }) => [leaf.operation_id, leaf.about ?? {}]));
  const transactionIds = new Set(postings.map(({ transaction_id }) => transaction_id));
  const isGiven = (id: string) => days.has(dayOf(timeOfUlid(ulidOf(id))));
  for (const { operation_id, place, ...posting } of postings) {
    const about = byId.get(operation_id);
    const report = reportAt(place);
    // A missing record causes only a notice if its day's book is not given.
    if (!about && !isGiven(operation_id))
      report.notice('adjustment_open', `The missing record is ${operation_id}.`);
    else if (!about)
      report.finding('adjustment_unrecorded', `No adjustment with the id ${operation_id} is recorded.`);
    else if (!isSame(about, posting)) {
      report.finding(
        'adjustment_unrecorded',
        `The transaction differs from the adjustment recorded as ${operation_id}.`,
      );
    }
  }
  for (const { leaf, place } of adjusting) {
    const id = leaf.about?.transaction_id;
    if (id !== undefined && transactionIds.has(id)) continue;
    const report = reportAt(place);
    if (id !== undefined && !isGiven(id))
      report.notice('adjustment_open', `The missing transaction is ${id}.`);
    else
      report.finding(
        'adjustment_missing',
        id === undefined ? 'The record names no transaction.' : `Transaction ${id} is missing.`,
      );
  }
}

type PostingFields = Omit<AdjustedPosting, 'operation_id' | 'place'>;

const isSame = (about: NonNullable<OperationLeaf['about']>, posting: PostingFields): boolean =>
  about.transaction_id === posting.transaction_id &&
  about.user_id === posting.user_id &&
  about.account === posting.account &&
  about.amount === posting.amount &&
  about.balance?.after === posting.balance_after &&
  about.balance.before === posting.balance_after - posting.amount;

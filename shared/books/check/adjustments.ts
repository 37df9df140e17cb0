/** Checks that each operator's adjustment of a balance has two matching records: a transaction and an operation. */
import { aboutAdjustment } from '../../accounts/post.ts';
import { canonicalJson, timeOfUlid, ulidOf } from '../../ids.ts';
import { dayOf } from '../../time.ts';
import type { OperationLeaf, PostingLeaf } from '../leaves.ts';
import type { Report, Where } from './findings.ts';
import { accountOfLeaf } from './user-state.ts';

/** A transaction by which an operator adjusted a balance, and what the operator's action must record about it. */
export type AdjustedPosting = {
  operation_id: string;
  about: ReturnType<typeof aboutAdjustment>;
  place: Where;
};

/** Returns an adjusting transaction. Returns undefined for other transactions. */
export const adjustedBy = (leaf: PostingLeaf, place: Where): AdjustedPosting | undefined =>
  leaf.operation_id === undefined
    ? undefined
    : { operation_id: leaf.operation_id, about: aboutAdjustment(leaf, accountOfLeaf(leaf)), place };

/** The record of an operation, and its position in a book. */
type Placed = { leaf: OperationLeaf; place: Where };

/**
 * Matches adjusting transactions with operations. Around midnight, the two can be in different books. So a missing
 * record causes only a notice if its day's book is not given.
 */
export function checkAdjustments(
  postings: readonly AdjustedPosting[],
  operations: readonly Placed[],
  days: ReadonlySet<string>,
  reportAt: (place: Where) => Report,
): void {
  const adjusting = operations.filter(({ leaf }) => leaf.action === 'balance_adjusted');
  const byId = new Map(adjusting.map(({ leaf }) => [leaf.operation_id, leaf.about]));
  const transactionIds = new Set(postings.map(({ about }) => about.transaction_id));
  const isGiven = (id: string) => days.has(dayOf(timeOfUlid(ulidOf(id))));
  for (const { operation_id: id, about, place } of postings) {
    const recorded = byId.get(id);
    const report = reportAt(place);
    if (!recorded && !isGiven(id)) report.notice('adjustment_open', `The missing record is ${id}.`);
    else if (canonicalJson(recorded ?? {}) !== canonicalJson(about))
      report.finding('adjustment_unrecorded', `The adjustment ${id} is missing or differs.`);
  }
  for (const { leaf, place } of adjusting) {
    const id = leaf.about!.transaction_id!;
    if (transactionIds.has(id)) continue;
    const report = reportAt(place);
    if (isGiven(id)) report.finding('adjustment_missing', `Transaction ${id} is missing.`);
    else report.notice('adjustment_open', `The missing transaction is ${id}.`);
  }
}

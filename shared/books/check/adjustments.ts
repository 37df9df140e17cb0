/** Checks that each operator's adjustment of a balance has two matching records: a transaction and an operation. */
import { aboutAdjustment } from '../../accounts/post.ts';
import { canonicalJson, timeOfUlid, ulidOf } from '../../ids.ts';
import { dayOf } from '../../time.ts';
import type { OperationLeaf, PostingLeaf } from '../leaves.ts';
import type { Report, Where } from './findings.ts';
import { toleranceMs } from './in-force.ts';
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
 * Matches adjusting transactions with operations. Both are made at once, but around midnight they can be in different
 * books. So a missing record causes only a notice if its day's book is not given.
 */
export function checkAdjustments(
  postings: readonly AdjustedPosting[],
  operations: readonly Placed[],
  /** Returns whether a day's records were given, or whether it has none because the organization did not exist yet. */
  isGiven: (day: string) => boolean,
  reportAt: (place: Where) => Report,
): void {
  const adjusting = operations.filter(({ leaf }) => leaf.action === 'balance_adjusted');
  const byId = new Map(adjusting.map(({ leaf }) => [leaf.operation_id, leaf.about]));
  const operationOf = new Map(
    postings.map(({ operation_id, about }) => [about.transaction_id, operation_id]),
  );
  const timeOf = (id: string) => timeOfUlid(ulidOf(id));
  const areOfOneTime = (id: string, other: string) => Math.abs(timeOf(id) - timeOf(other)) <= toleranceMs;
  const isElsewhere = (id: string, other: string) => !isGiven(dayOf(timeOf(id))) && areOfOneTime(id, other);
  for (const { operation_id: id, about, place } of postings) {
    const recorded = byId.get(id);
    const report = reportAt(place);
    const isSame = canonicalJson(recorded ?? {}) === canonicalJson(about);
    if (!recorded && isElsewhere(id, about.transaction_id))
      report.notice('adjustment_open', `The missing record is ${id}.`);
    else if (!isSame || !areOfOneTime(id, about.transaction_id))
      report.finding(
        'adjustment_unrecorded',
        `The adjustment ${id} is missing, differs or is of another time.`,
      );
  }
  for (const { leaf, place } of adjusting) {
    const id = leaf.about!.transaction_id!;
    const operation = operationOf.get(id);
    if (operation === leaf.operation_id) continue;
    const report = reportAt(place);
    if (!operation && isElsewhere(id, leaf.operation_id))
      report.notice('adjustment_open', `The missing transaction is ${id}.`);
    else report.finding('adjustment_missing', `Transaction ${id} is missing or names another operation.`);
  }
}

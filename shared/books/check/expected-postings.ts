/** Checks that each outcome is followed by the transactions of its cost and its prize in the user's history. */
import type { OutcomePosting } from '../../games/outcome-postings.ts';
import { timeOfUlid, ulidOf } from '../../ids.ts';
import type { UserLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/**
 * Removes from `expected` the transaction that a user's next record matches. Reports skipped or differing
 * transactions as missing.
 */
export function takeExpected(
  expected: OutcomePosting[],
  leaf: UserLeaf,
  report: Report,
): OutcomePosting | undefined {
  const isPosting = leaf.kind === 'tickets' || leaf.kind === 'entries';
  const outcome = isPosting ? leaf.outcome_id : undefined;
  for (let next = expected.shift(); next; next = expected.shift()) {
    const account = leaf.kind === 'entries' ? leaf.entry_type : leaf.kind;
    const isMeant = isPosting && outcome === next.outcome_id && account === next.account;
    if (isMeant && isSame(leaf, next)) return next;
    reportMissing(next, report);
    if (isMeant && leaf.amount > 0 === next.amount > 0) return undefined;
  }
  if (outcome !== undefined) {
    report.finding('credited_without_outcome', `The posting names outcome ${outcome}.`);
  }
  return undefined;
}

const isSame = (leaf: Extract<UserLeaf, { amount: number }>, expected: OutcomePosting): boolean =>
  // The service writes an outcome and its transactions in one write, with the same time in their ids.
  timeOfUlid(ulidOf(leaf.transaction_id)) === timeOfUlid(ulidOf(expected.outcome_id)) &&
  leaf.amount === expected.amount &&
  leaf.description === expected.description &&
  leaf.result_effective_date === expected.result_effective_date;

export function reportMissing(expected: OutcomePosting, report: Report): void {
  const { outcome_id, account, amount, description, result_effective_date } = expected;
  const postingText = `“${description}” of ${amount} to ${account}, effective ${result_effective_date}`;
  const code = amount < 0 ? 'cost_not_taken' : 'prize_not_credited';
  report.finding(code, `Outcome ${outcome_id} must be followed by a posting ${postingText}.`);
}

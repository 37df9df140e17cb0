/**
 * Checks that each outcome is followed by the transactions of its cost and its prize in the user's history.
 */
import { accountOf } from '../../games/prizes.ts';
import type { Account, PrizeKind } from '../../vocabulary.ts';
import type { OutcomeLeaf, UserLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/**
 * A transaction that must come next in a user's history. If the transaction is missing, `code` is reported.
 */
export type Expected = {
  code: 'cost_not_taken' | 'prize_not_credited';
  outcome: string;
  account: Account;
  amount: number;
};

/** Returns the transactions that must follow an outcome: the cost's debit, then the prize's credit. */
export function postingsOf(leaf: OutcomeLeaf): Expected[] {
  const expected: Expected[] = [];
  const outcome = leaf.id;
  if (leaf.cost > 0) {
    expected.push({ code: 'cost_not_taken', outcome, account: 'tickets', amount: -leaf.cost });
  }
  for (const [kind, amount] of Object.entries(leaf.prize)) {
    const account = accountOf(kind as PrizeKind);
    if (account) expected.push({ code: 'prize_not_credited', outcome, account, amount });
  }
  return expected;
}

/**
 * Compares a user's next record with the transactions in `expected`, in order. Removes the transaction that
 * the record matches. Reports each transaction before that one as missing, and removes it too. Also reports a
 * transaction that belongs to an outcome but was not expected.
 */
export function checkPosting(expected: Expected[], leaf: UserLeaf, report: Report): void {
  const isPosting = leaf.kind === 'tickets' || leaf.kind === 'entries';
  const outcome = isPosting ? leaf.outcome_id : undefined;
  for (let next = expected.shift(); next; next = expected.shift()) {
    const account = leaf.kind === 'entries' ? leaf.entry_type : leaf.kind;
    const isMeant = outcome === next.outcome && account === next.account;
    if (isPosting && isMeant && leaf.amount === next.amount) return;
    reportMissing(next, report);
    if (isPosting && isMeant && leaf.amount > 0 === next.amount > 0) return;
  }
  if (outcome !== undefined) {
    report.finding('credited_without_outcome', `The posting names outcome ${outcome}.`);
  }
}

/** Reports that an expected transaction is missing. */
export function reportMissing({ code, outcome, account, amount }: Expected, report: Report): void {
  report.finding(code, `Outcome ${outcome} must be followed by a posting of ${amount} to ${account}.`);
}

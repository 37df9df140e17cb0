/** Checks that each outcome is followed in its user's history by the postings of its cost and its prize. */
import { accountOf } from '../../games/prizes.ts';
import type { Account, PrizeKind } from '../../vocabulary.ts';
import type { OutcomeLeaf, UserLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/** A posting that must come next in a user's history. */
export type Expected = {
  code: 'cost_not_taken' | 'prize_not_credited';
  outcome: string;
  account: Account;
  amount: number;
};

/** Returns the postings that must follow an outcome, in order. */
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
 * Checks a user's next record against the expected postings, removing those that it fulfils or skips. Reports
 * a posting that names an outcome but was not expected.
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

/** Reports an expected posting that is missing. */
export function reportMissing({ code, outcome, account, amount }: Expected, report: Report): void {
  report.finding(code, `Outcome ${outcome} must be followed by a posting of ${amount} to ${account}.`);
}

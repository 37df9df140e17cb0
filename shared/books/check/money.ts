/** The check that outcomes were paid for and credited: what each costs and wins follows it in its user's history. */
import { accountOf } from '../../games/prizes.ts';
import type { Account, PrizeKind } from '../../vocabulary.ts';
import type { OutcomeLeaf, UserLeaf } from '../leaves.ts';
import type { Report } from './findings.ts';

/** A posting that must be a user's next record. */
export type Expected = {
  code: 'cost_not_taken' | 'prize_not_credited';
  outcome: string;
  account: Account;
  amount: number;
};

/** The postings that must follow an outcome, in their order. */
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
 * Checks a user's next record against the postings that must come first, which it takes off the list, and
 * that a posting of an outcome is one of them.
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
    report.finding('credited_without_outcome', `It is said to be of ${outcome}.`);
  }
}

/** Reports a posting that should have followed. */
export function reportMissing({ code, outcome, account, amount }: Expected, report: Report): void {
  report.finding(code, `A posting of ${amount} (${account}) should follow ${outcome}.`);
}

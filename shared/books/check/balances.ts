/** Checks that balances follow from the ones before, and an outcome's postings from its cost and prize. */
import { outcomePostings } from '../../games/outcome-postings.ts';
import type { OutcomeLeaf, PostingLeaf, UserLeaf } from '../leaves.ts';
import type { ReportFinding } from './findings.ts';
import type { UserState } from './state.ts';

const accountOf = (leaf: PostingLeaf) => (leaf.kind === 'entries' ? leaf.entry_type : 'tickets');

/** Compares a balance with the one before. Continues with the recorded balance, so that an error is reported once. */
export function checkBalance({ balances }: UserState, leaf: PostingLeaf, report: ReportFinding): void {
  const account = accountOf(leaf);
  const { amount, balance_after } = leaf;
  const before = balances[account];
  if (before !== undefined && before + amount !== balance_after)
    report('balance_differs', `${before} and ${amount} of ${account} do not give ${balance_after}.`);
  balances[account] = balance_after;
}

/** Checks that the postings of a user's last outcome come next, and that no posting names another outcome. */
export function checkOwedPostings(user: UserState, leaf: UserLeaf, report: ReportFinding): void {
  const isPosting = leaf.kind === 'tickets' || leaf.kind === 'entries';
  const owed = user.owed.shift();
  const isOwed =
    owed &&
    isPosting &&
    leaf.outcome_id === owed.outcome_id &&
    accountOf(leaf) === owed.account &&
    leaf.amount === owed.amount &&
    leaf.description === owed.description &&
    leaf.result_effective_date === owed.result_effective_date;
  if (owed && !isOwed) {
    user.owed.unshift(owed);
    reportOwedPostings(user, report);
  }
  if (!isOwed && isPosting && leaf.outcome_id !== undefined)
    report('cost_or_prize_differs', `The posting does not follow from outcome ${leaf.outcome_id}.`);
  if (leaf.kind === 'outcomes')
    user.owed = outcomePostings(leaf as OutcomeLeaf & { prize: Record<string, number> });
}

export function reportOwedPostings(user: UserState, report: ReportFinding): void {
  for (const { outcome_id, amount, account } of user.owed.splice(0))
    report('cost_or_prize_differs', `Outcome ${outcome_id} lacks a posting of ${amount} to ${account}.`);
}

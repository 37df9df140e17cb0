import { playRulesOf } from '../games/rules.ts';
import type { BookCounts, BookSums } from './book.ts';
import type { Leaf, OutcomeLeaf, PostingLeaf } from './leaves.ts';

/** Totals of a book's records. The order of the records does not matter. */
export type RecordSums = {
  counts: BookCounts;
  sums: BookSums;
  /** The days whose secrets the outcomes used. */
  secretDays: Set<string>;
};

const nothing = () => ({ credited: 0, debited: 0 });

const sumOf = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

export const newSums = (): RecordSums => ({
  counts: { tickets: 0, entries: 0, outcomes: 0, orders: 0, claims: 0, actions: 0 },
  sums: {
    tickets: nothing(),
    truck: nothing(),
    flight: nothing(),
    cash_usd: 0,
    spins: { regular: 0, amoe: 0, debug: 0 },
    spins_ordered: 0,
  },
  secretDays: new Set(),
});

export function addLeafToSums(summed: RecordSums, leaf: Leaf): void {
  summed.counts[leaf.kind]++;
  if (leaf.kind === 'outcomes') addOutcome(summed, leaf);
  else if (leaf.kind === 'orders') summed.sums.spins_ordered += leaf.num_of_spins;
  else if (leaf.kind !== 'actions' && leaf.kind !== 'claims') addPosting(summed, leaf);
}

function addPosting({ sums }: RecordSums, leaf: PostingLeaf) {
  const moved = sums[leaf.kind === 'entries' ? leaf.entry_type : leaf.kind];
  if (leaf.amount > 0) moved.credited = sumOf(moved.credited, leaf.amount);
  else moved.debited = sumOf(moved.debited, -leaf.amount);
}

function addOutcome(summed: RecordSums, leaf: OutcomeLeaf) {
  const { debug, play_type, secret_day } = leaf;
  summed.sums.spins[debug ? 'debug' : play_type]++;
  if (playRulesOf(debug).isBudgeted) summed.sums.cash_usd += leaf.prize.cash_usd ?? 0;
  if (secret_day !== undefined) summed.secretDays.add(secret_day);
}

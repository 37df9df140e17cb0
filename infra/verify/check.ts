/** State of a running check: of all files, and of one organization. */

import type { Book, BookCounts, BookSums } from '../../shared/books/book.ts';
import type { AdjustedPosting } from '../../shared/books/check/adjustments.ts';
import type { DecidedRounds } from '../../shared/books/check/beacon-rounds.ts';
import { type Common, newCommon } from '../../shared/books/check/books.ts';
import type { BudgetSum, BudgetsFacts } from '../../shared/books/check/budgets.ts';
import {
  type Code,
  type NoticeCode,
  type Report,
  type Tallies,
  tally,
  type Where,
} from '../../shared/books/check/findings.ts';
import type { Odds } from '../../shared/books/check/odds.ts';
import { type KnownSecrets, noSecrets } from '../../shared/books/check/secrets.ts';
import type { Prize } from '../../shared/games/prize-tables.ts';
import type { Slices } from './worker-slices.ts';

/** Findings and notices of all files. */
export type CheckResults = { findings: Tallies<Code>; notices: Tallies<NoticeCode> };

/**
 * Options of a check: the expected verifier key, lines of books that somebody kept, and the slices that do
 * the work.
 */
export type CheckOptions = {
  key?: string | undefined;
  kept: readonly string[];
  slices: Slices;
  /** Called after each chunk with its size in bytes. */
  onProgress: (bytes: number) => void;
};

/** Result of one day; `isChecked` is true if both its book and its records were given. */
export type DayVerdict = {
  day: string;
  isChecked: boolean;
  kept_line?: string;
  records?: number;
  counts?: BookCounts;
  sums?: BookSums;
  settings?: Record<string, unknown>;
};

/** Result of one organization's books. */
export type OrganizationVerdict = {
  organization_id: string;
  /** Verifier key that the books name, if any. */
  key?: string;
  days: DayVerdict[];
  budgets: BudgetSum[];
  odds: Odds;
  tables: Record<string, readonly Prize[]>;
};

/** State of the check of one organization. */
export type OrganizationCheck = {
  results: CheckResults;
  options: CheckOptions;
  common: Common;
  secrets: KnownSecrets;
  budgets: BudgetsFacts;
  decided: DecidedRounds;
  adjusted: AdjustedPosting[];
  /** Books by day. */
  books: Map<string, Book>;
  /** File name of the records by day, for all days whose records were checked. */
  files: Map<string, string>;
  verdict: OrganizationVerdict;
};

/** Returns the state before the first day. */
export const newOrganizationCheck = (
  id: string,
  results: CheckResults,
  options: CheckOptions,
): OrganizationCheck => ({
  results,
  options,
  common: newCommon(),
  secrets: noSecrets(),
  budgets: new Map(),
  decided: new Map(),
  adjusted: [],
  books: new Map(),
  files: new Map(),
  verdict: { organization_id: id, days: [], budgets: [], odds: new Map(), tables: {} },
});

/** Returns a report that adds the organization and `where` to each finding and notice. */
export function reportAt({ results, verdict }: OrganizationCheck, where: Where): Report {
  const { organization_id } = verdict;
  return {
    finding: (code, sentence) => tally(results.findings, code, { organization_id, ...where, sentence }),
    notice: (code, sentence) => tally(results.notices, code, { organization_id, ...where, sentence }),
  };
}

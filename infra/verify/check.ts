/** What a check has found so far, of all files and of one organization. */

import type { Book, BookCounts, BookSums } from '../../shared/books/book.ts';
import type { AdjustedPosting } from '../../shared/books/check/adjustments.ts';
import { type Common, newCommon } from '../../shared/books/check/books.ts';
import type { CashOfDay, CashOfDays } from '../../shared/books/check/cash.ts';
import {
  type Code,
  type NoticeCode,
  type Report,
  type Tallies,
  tally,
  type Where,
} from '../../shared/books/check/findings.ts';
import type { Odds } from '../../shared/books/check/odds.ts';
import type { DecidedRounds } from '../../shared/books/check/rounds.ts';
import { type KnownSecrets, noSecrets } from '../../shared/books/check/secrets.ts';
import type { StockOfGame, StockOfGames } from '../../shared/books/check/stock.ts';
import type { Prize } from '../../shared/games/prize-tables.ts';
import type { Slices } from './worker-slices.ts';

/** What was found in all files. */
export type CheckResults = { findings: Tallies<Code>; notices: Tallies<NoticeCode> };

/** What is asked for: a key from elsewhere, lines that were kept; and how the check is carried out. */
export type CheckOptions = {
  key?: string | undefined;
  kept: readonly string[];
  slices: Slices;
  /** Is told how many bytes more were checked. */
  onProgress: (bytes: number) => void;
};

/** What a day came to; `isChecked` tells whether both its book and its records were there. */
export type DayVerdict = {
  day: string;
  isChecked: boolean;
  kept_line?: string;
  records?: number;
  counts?: BookCounts;
  sums?: BookSums;
  settings?: Record<string, unknown>;
};

/** What an organization's books came to. */
export type OrganizationVerdict = {
  organization_id: string;
  /** Of which the books are signed, as far as they say it. */
  key?: string;
  days: DayVerdict[];
  cash: CashOfDay[];
  stock: StockOfGame[];
  odds: Odds;
  tables: Record<string, readonly Prize[]>;
};

/** The check of an organization's books, as far as it has come. */
export type OrganizationCheck = {
  results: CheckResults;
  options: CheckOptions;
  common: Common;
  secrets: KnownSecrets;
  cash: CashOfDays;
  stock: StockOfGames;
  decided: DecidedRounds;
  adjusted: AdjustedPosting[];
  /** By their day. */
  books: Map<string, Book>;
  /** The files of days whose records were checked. */
  files: Map<string, string>;
  verdict: OrganizationVerdict;
};

/** A check that has seen nothing yet. */
export const newOrganizationCheck = (
  id: string,
  results: CheckResults,
  options: CheckOptions,
): OrganizationCheck => ({
  results,
  options,
  common: newCommon(),
  secrets: noSecrets(),
  cash: new Map(),
  stock: new Map(),
  decided: new Map(),
  adjusted: [],
  books: new Map(),
  files: new Map(),
  verdict: { organization_id: id, days: [], cash: [], stock: [], odds: new Map(), tables: {} },
});

/** Where findings go that are at a place. */
export function reportAt({ results, verdict }: OrganizationCheck, where: Where): Report {
  const { organization_id } = verdict;
  return {
    finding: (code, sentence) => tally(results.findings, code, { organization_id, ...where, sentence }),
    notice: (code, sentence) => tally(results.notices, code, { organization_id, ...where, sentence }),
  };
}

/** The state of a running check: the findings in all files, and the facts about one organization. */

import type { Prize } from '../../games/prize-tables.ts';
import type { Book, BookCounts, BookSums } from '../book.ts';
import type { AdjustedPosting } from '../check/adjustments.ts';
import type { UsedRounds } from '../check/attached.ts';
import { type Common, newCommon } from '../check/books.ts';
import type { BudgetSum, BudgetsFacts } from '../check/budgets.ts';
import type { Checkpoint } from '../check/checkpoints.ts';
import {
  type Code,
  type NoticeCode,
  type Report,
  type Tallies,
  tally,
  type Where,
} from '../check/findings.ts';
import type { Odds } from '../check/odds.ts';
import { type KnownSecrets, noSecrets } from '../check/secrets.ts';
import type { LatestTimestamp, TimestampVerdict } from '../check/timestamps.ts';
import type { Tokens } from '../check/tokens.ts';
import type { Slices } from './worker-slices.ts';

/** The findings and notices of all files. */
export type CheckResults = { findings: Tallies<Code>; notices: Tallies<NoticeCode> };

export type CheckOptions = {
  /** The verifier key that the auditor expects. If absent, trusts the key in the files, and adds a notice. */
  key?: string | undefined;
  /** Lines with the digests of earlier books, which the auditor kept. */
  kept: readonly string[];
  /** The hex SHA-256 of the certificates of trusted timestamp authorities. If absent, trusts those in the files. */
  authorities?: readonly string[] | undefined;
  slices: Slices;
  /** Called after each chunk of records with the chunk's size in bytes. */
  onProgress: (bytes: number) => void;
};

/** The result for one day. `isChecked` means that both the book and the records were given. */
export type DayVerdict = {
  day: string;
  isChecked: boolean;
  kept_line?: string;
  /** When an authority saw the book. Absent without a valid timestamp. */
  timestamp?: TimestampVerdict;
  records?: number;
  counts?: BookCounts;
  sums?: BookSums;
  settings?: Record<string, unknown>;
};

export type OrganizationVerdict = {
  organization_id: string;
  /** The verifier key that the organization's records files contain, if any. */
  key?: string;
  days: DayVerdict[];
  budgets: BudgetSum[];
  odds: Odds;
  tables: Record<string, readonly Prize[]>;
};

export type OrganizationCheck = {
  results: CheckResults;
  options: CheckOptions;
  common: Common;
  secrets: KnownSecrets;
  budgets: BudgetsFacts;
  usedRounds: UsedRounds;
  latestTimestamp: LatestTimestamp;
  /** The checkpoints of orders that have the right form, in order of time. Signatures can be invalid. */
  checkpoints: Checkpoint[];
  /** The authorities of all valid timestamps, for readers. */
  namedAuthorities: Set<string>;
  adjusted: AdjustedPosting[];
  /** The token hashes of the play URLs that were played on the latest day. */
  tokens: { day: string; parts: Tokens[] };
  /** The organization's books by day. */
  books: Map<string, Book>;
  /** The names of the records files by day, for all days whose records were checked. */
  files: Map<string, string>;
  verdict: OrganizationVerdict;
};

/** Returns the state of an organization's check before its first day. */
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
  usedRounds: new Map(),
  latestTimestamp: undefined,
  checkpoints: [],
  namedAuthorities: new Set(),
  adjusted: [],
  tokens: { day: '', parts: [] },
  books: new Map(),
  files: new Map(),
  verdict: { organization_id: id, days: [], budgets: [], odds: new Map(), tables: {} },
});

/** Returns functions that record findings and notices about `place` with the organization's id. */
export function reportAt({ results, verdict }: OrganizationCheck, place: Where): Report {
  const { organization_id } = verdict;
  return {
    finding: (code, sentence) => tally(results.findings, code, { organization_id, ...place, sentence }),
    notice: (code, sentence) => tally(results.notices, code, { organization_id, ...place, sentence }),
  };
}

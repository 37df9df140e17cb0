import type { AmountByKey } from '../../games/budgets.ts';
import type { Prize } from '../../games/prize-tables.ts';
import type { PlayType } from '../../vocabulary.ts';
import type { BookCounts, BookSums } from '../book.ts';
import type { ActionLeaf } from '../leaves.ts';
import { type DrawingVerdict, drawingVerdictOf } from './drawings.ts';
import {
  type Finding,
  type FindingCode,
  type FindingTallies,
  findingMeanings,
  type NoticeCode,
  noticeMeanings,
} from './findings.ts';
import type { TimestampVerdict } from './genuine.ts';
import type { DrawCounts, DrawSetCounts } from './odds.ts';
import type { DrawingInBooks } from './state.ts';

export type CodeVerdict = { code: string; means: string; count: number; first: Finding[] };

/** `isChecked` means that both the book and the records were given. */
export type DayVerdict = {
  day: string;
  /** Absent if the day was not checked. */
  stage?: string;
  isChecked: boolean;
  kept_line?: string;
  /** Absent without a valid timestamp. */
  timestamp?: TimestampVerdict;
  records?: number;
  counts?: BookCounts;
  sums?: BookSums;
  settings?: Record<string, unknown>;
};

export type ReportedAction = Pick<
  ActionLeaf,
  'operator' | 'action' | 'about' | 'before' | 'after' | 'why'
> & {
  at: string;
};

/** A budget's totals in the given books: `granted` by prize id, promotion's first day or `usd`. */
export type BudgetSum = { budget: string; limit?: number; granted: AmountByKey; grants: number };

/** `share` is the prize's probability; `regular` and `amoe` count draws of the prize. */
export type PrizeVerdict = {
  id: string;
  label: string;
  weight: number;
  share: number;
  /** Undefined if the prize table is not in the files. */
  pays: Pick<Prize, 'kind' | 'amount' | 'value_usd' | 'stock' | 'stock_per_day'> | undefined;
} & { [type in PlayType]: number };

export type DrawsVerdict = {
  table: string;
  whole: boolean;
  prizes: PrizeVerdict[];
  draws: { [type in PlayType]: number };
};

export type BooksVerdict = {
  organization_id: string;
  key?: string;
  days: DayVerdict[];
  budgets: BudgetSum[];
  draws: DrawsVerdict[];
  actions: ReportedAction[];
  drawings: DrawingVerdict[];
};

/** The verdict on all files: `good` if a day was checked and there are no findings. */
export type Verdict = {
  verdict: 'good' | 'findings';
  days_checked: number;
  findings: CodeVerdict[];
  noticed: CodeVerdict[];
  organizations: BooksVerdict[];
};

type Checked = Omit<BooksVerdict, 'organization_id' | 'key' | 'draws' | 'drawings'> & {
  drawings: DrawingInBooks[];
  organizationId: string;
  key: string | undefined;
  odds: DrawCounts;
  tables: Record<string, readonly Prize[]>;
};

/** Notices do not affect whether the verdict is `good`. */
export function verdictOf(tallies: FindingTallies, checks: readonly Checked[]): Verdict {
  const days = checks.flatMap((check) => check.days.filter(({ isChecked }) => isChecked));
  const findings = codesOf(tallies, findingMeanings);
  return {
    verdict: findings.length === 0 && days.length > 0 ? 'good' : 'findings',
    days_checked: days.length,
    findings,
    noticed: codesOf(tallies, noticeMeanings),
    organizations: checks.map(({ organizationId, key, days, budgets, actions, odds, tables, drawings }) => ({
      organization_id: organizationId,
      ...(key === undefined ? {} : { key }),
      days,
      budgets,
      draws: [...odds.values()]
        .map((drawn) => drawsOf(drawn, tables[drawn.table] ?? []))
        .sort((a, b) => (a.table === b.table ? total(b) - total(a) : a.table < b.table ? -1 : 1)),
      actions,
      drawings: drawings.map(drawingVerdictOf),
    })),
  };
}

const total = ({ draws }: DrawsVerdict) => draws.regular + draws.amoe;

function codesOf<C extends FindingCode | NoticeCode>(
  tallies: FindingTallies,
  means: Record<C, string>,
): CodeVerdict[] {
  return (Object.keys(means) as C[]).flatMap((code) => {
    const tally = tallies.get(code);
    return tally ? [{ code, means: means[code], ...tally }] : [];
  });
}

function drawsOf({ table, prizes }: DrawSetCounts, known: readonly Prize[]): DrawsVerdict {
  const sum = (field: 'weight' | PlayType) => prizes.reduce((total, prize) => total + prize[field], 0);
  const weights = sum('weight');
  return {
    table,
    whole: prizes.length === known.length,
    prizes: prizes.map((prize) => {
      const found = known.find(({ id }) => id === prize.id);
      return { ...prize, label: found?.label.en ?? prize.id, share: prize.weight / weights, pays: found };
    }),
    draws: { regular: sum('regular'), amoe: sum('amoe') },
  };
}

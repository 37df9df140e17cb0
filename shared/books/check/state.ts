import type { Entrant, EntrantListSummary } from '../../drawings/list.ts';
import type { DrawingTerms } from '../../drawings/terms.ts';
import type { BudgetState } from '../../games/budgets.ts';
import type { OutcomePosting } from '../../games/outcome-postings.ts';
import type { Prize } from '../../games/prize-tables.ts';
import type { Account, EntryType } from '../../vocabulary.ts';
import type { Book, BookHeader } from '../book.ts';
import type { ActionLeaf, ClaimLeaf, OrderLeaf } from '../leaves.ts';
import type { ReportFinding } from './findings.ts';
import type { DrawCounts } from './odds.ts';

export type BookSettings = BookHeader['settings'];
export type Link = { sequence: number; hash: string };

export type OrderState = Pick<OrderLeaf, 'hash' | 'num_of_spins' | 'due_day' | 'prize_table_version'> & {
  next: number;
};

export type UserState = {
  link: Link;
  isWhole: boolean;
  /** Absent for an account whose balance is in a book that was not given. */
  balances: Partial<Record<Account, number>>;
  /** The postings of the user's last outcome that must be the user's next records. */
  owed: OutcomePosting[];
  /** The wins that count towards the user's daily limit. */
  wins?: { day: string; count: number };
  orders?: Map<string, OrderState>;
};

/** A cost, table or limit that must have been in force between `from` and `to` (epoch milliseconds). */
export type TermToCheck = {
  from: number;
  to: number;
  holds: (settings: BookSettings) => boolean;
  sentence: string;
  report: ReportFinding;
};

/** A budget before a draw, as the outcome's record states it. `isRight` compares its amounts with earlier wins. */
export type BudgetView = {
  grants: number;
  day: string;
  at: number;
  isRight: (state: BudgetOnDay) => boolean;
  report: ReportFinding;
};
/** A win: `amount` is counted under `counted`, which is a prize's id, `usd` or a promotion's first day. */
export type BudgetGrant = Omit<BudgetView, 'isRight'> & {
  counted: string;
  amount: number;
  before: number;
  /** Absent for a promotion's cash, which records do not count by day. */
  beforeOnDay?: number;
  isOver: (state: BudgetOnDay) => boolean;
};
export type BudgetOnDay = BudgetState & { isWhole: boolean; isDayWhole: boolean };

/** A budget that users share: its state after the checked grants, and the draws that are not checked yet. */
export type Budget = {
  name: string;
  /** For a day's cash: the day, and its highest limit. */
  day?: string;
  limit?: number;
  /** The first day whose grants are all known. Not used if all days' are (`isWhole`). */
  firstDay: string;
  state: BudgetState & { isWhole: boolean };
  views: Map<string, BudgetView>;
  grants: BudgetGrant[];
};

export type RecordedDraw = { place: number; user_id: string; forfeited?: string };
/** A win or a forfeit, which is checked after the list. */
export type DrawingStepLeaf = { leaf: ActionLeaf; report: ReportFinding };

/** A drawing as the books describe it. */
export type DrawingInBooks = {
  id: string;
  /** Absent before the first action on the drawing in the given books. */
  terms?: DrawingTerms;
  /** ISO instant; absent if the announcement is in a book that was not given. */
  announcedAt?: string;
  /** The public reason. */
  calledOff?: string;
  state: 'announced' | 'called_off' | 'closed';
  /** Users with entries at the midnight that ends the closing day, and whether they spent them later. Absent before. */
  due?: Map<string, { entries: number; isSpent?: boolean }>;
  list: Map<string, number>;
  closed?: { at: number; day: string; summary: EntrantListSummary; report: ReportFinding };
  returned?: { at: number; report: ReportFinding };
  isSettled: boolean;
  /** Whether the books have all debits of the list. */
  isWhole: boolean;
  /**
   * Whether the books show that nobody was left out: they reach back to the type's drawing before, or the first day.
   */
  isComplete: boolean;
  firstDay: string;
  lastDay: string;
  /** The users in the order of the round's draws. The first `compared` have been compared with the records. */
  draws?: Generator<Entrant, undefined>;
  compared: number;
  steps: DrawingStepLeaf[];
  drawn: RecordedDraw[];
  /** The steps of prizes, which are checked when all draws are known. */
  claims: { leaf: ClaimLeaf; report: ReportFinding }[];
  /** ISO instant at which an authority saw the list. */
  timestampedAt?: string;
};

/** State that the check carries from day to day. A gap between the given days begins a new one. */
export type History = {
  /** Whether the books of all earlier days were given, so that everything unknown is a fault. */
  isWhole: boolean;
  /** The first day whose records were given; empty until then. */
  firstDay: string;
  users: Map<string, UserState>;
  actions: Link | undefined;
  /** The known settings, oldest first. Each is in force until the next. */
  settings: { at: number; settings: BookSettings }[];
  /** Terms that were not in force by the changes so far: a change by a faster clock can come later in the books. */
  openTerms: TermToCheck[];
  fingerprints: Map<string, string>;
  secrets: Map<string, string>;
  /** The token hashes of the URLs played on the previous and on the current day. */
  tokens: { before: Set<string>; today: Set<string> };
  budgets: Map<string, Budget>;
  drawings: Map<string, DrawingInBooks>;
  erased: Set<string>;
  /** The types of entries of which a drawing has closed. */
  closedTypes: Set<EntryType>;
};

export const newHistory = (isWhole: boolean): History => ({
  isWhole,
  firstDay: '',
  users: new Map(),
  actions: undefined,
  settings: [],
  openTerms: [],
  fingerprints: new Map(),
  secrets: new Map(),
  tokens: { before: new Set(), today: new Set() },
  budgets: new Map(),
  drawings: new Map(),
  erased: new Set(),
  closedTypes: new Set(),
});

/** The day that is being checked. Times are epoch milliseconds. */
export type BookDay = {
  day: string;
  start: number;
  end: number;
  book: Book;
  tables: Record<string, Prize[]>;
  /** The secrets in the book and its records, in hex by day. */
  secrets: Record<string, string>;
  history: History;
  odds: DrawCounts;
};

export function userStateOf(
  { history: { users, isWhole } }: BookDay,
  userId: string,
  sequence: number,
): UserState {
  const known = users.get(userId);
  if (known) return known;
  const isFirst = isWhole || sequence === 1;
  const balances = isFirst ? { tickets: 0, truck: 0, flight: 0 } : {};
  const link = { sequence: isFirst ? 0 : -1, hash: '' };
  const user: UserState = { link, isWhole: isFirst, balances, owed: [] };
  users.set(userId, user);
  return user;
}

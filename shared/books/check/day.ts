/** The state of a check: the current day, the facts in its records, and the users. */
import type { OutcomePosting } from '../../games/outcome-postings.ts';
import type { Prize } from '../../games/prize-tables.ts';
import { timeOfUlid, ulidOf } from '../../ids.ts';
import type { Stage } from '../../stage.ts';
import { noSums, type RecordSums } from '../sums.ts';
import type { AdjustedPosting } from './adjustments.ts';
import type { SignedRounds, UsedRounds } from './attached.ts';
import type { BudgetsFacts } from './budgets.ts';
import type { Checkpoint } from './checkpoints.ts';
import { type Code, type NoticeCode, type Report, type Tallies, tally } from './findings.ts';
import type { Holds } from './holds.ts';
import { type Timeline, toleranceMs } from './in-force.ts';
import type { Odds } from './odds.ts';
import type { Order } from './orders.ts';
import type { Tokens } from './tokens.ts';
import { newReplayed, type Replayed } from './user-state.ts';

/** The context for checking a day's records, as plain data. Times are epoch milliseconds. */
export type DayToCheck = {
  organizationId: string;
  day: string;
  stage: Stage;
  start: number;
  end: number;
  /** The number of gaps before this day. A gap is one or more consecutive days whose book or records were not given. */
  gaps: number;
  /** The start of the first day after the latest gap. Without a gap, the start of the first given day. */
  gaplessSince: number;
  /** Whether the books and records of all of the organization's days up to this day were given. */
  whole: boolean;
  rounds: SignedRounds;
  usedRounds: UsedRounds;
  /** The checkpoints of orders of all given days that have the right form, in order of time. */
  checkpoints: readonly Checkpoint[];
  /** The secrets in the day's book and in its records file, in hex by day. */
  secrets: Record<string, string>;
  /** The prizes of each prize table, by the table's version. */
  tables: Record<string, Prize[]>;
  timeline: Timeline;
  /** The holds on users, orders and play URLs, from the operations in all given books. */
  holds: Holds;
};

/** The facts found in a day's records. Plain data, so that a worker thread can return them. */
export type DayFacts = {
  findings: Tallies<Code>;
  notices: Tallies<NoticeCode>;
  summed: RecordSums;
  budgets: BudgetsFacts;
  odds: Odds;
  adjusted: AdjustedPosting[];
  tokens: Tokens;
  /** The records of operations, as canonical JSON. */
  operations: string[];
};

/** The position of a record: the day of its book, its id, and its line in the records file. */
export type Place = { day: string; record: string; line: number };
/** A free spin whose order is missing from the history of its user. */
export type StraySpin = { orderId: string; place: Place };

/** The state of one user according to the records checked so far. */
export type UserState = {
  gaps: number;
  replayed: Replayed;
  /** The transactions that must come next in the user's history, for the cost and prize of the last outcome. */
  expected: OutcomePosting[];
  /** The user's orders by sequence number. Absent for users without orders, to save memory. */
  orders?: Map<number, Order>;
};

/** A check of records, day by day. `users` and `strays` cover all days, the other fields the current day. */
export type Checking = {
  users: Map<string, UserState>;
  /** Users whose next record must be a transaction, with the position of the outcome that requires the transaction. */
  owing: Map<UserState, Place>;
  strays: StraySpin[];
  day: DayToCheck;
  facts: DayFacts;
  /** The position of the record being checked. Findings refer to it. */
  place: Place;
  report: Report;
  /** Whether the record is neither altered nor inserted, judging by its number and hash in the user's chain. */
  isGenuine: boolean;
};

const noFacts = (): DayFacts => ({
  findings: new Map(),
  notices: new Map(),
  summed: noSums(),
  budgets: new Map(),
  odds: new Map(),
  adjusted: [],
  tokens: { prefixes: [], lines: [] },
  operations: [],
});

/** Returns a new check whose first day is `day`. */
export function newChecking(day: DayToCheck): Checking {
  const checking: Checking = {
    users: new Map(),
    owing: new Map(),
    strays: [],
    day,
    facts: noFacts(),
    place: { day: day.day, record: '', line: 0 },
    isGenuine: true,
    report: {
      finding: (code, sentence) => tally(checking.facts.findings, code, { ...checking.place, sentence }),
      notice: (code, sentence) => tally(checking.facts.notices, code, { ...checking.place, sentence }),
    },
  };
  return checking;
}

/** Continues a check with a later day, and keeps the states of the users. */
export function startDay(checking: Checking, day: DayToCheck): void {
  Object.assign(checking, { day, facts: noFacts() });
}

/** Returns the state of a user. Creates the state at the user's first record. */
export function stateOf({ users, day, place, report }: Checking, userId: string): UserState {
  const existing = users.get(userId);
  if (existing) return existing;
  // A user created after the last missing book has no records in missing books, so the user's history is complete.
  const isNew = timeOfUlid(ulidOf(userId)) >= day.gaplessSince + toleranceMs;
  const state: UserState = {
    gaps: day.gaps,
    replayed: newReplayed(day.organizationId, userId, day.whole || isNew),
    expected: [],
  };
  users.set(userId, state);
  if (timeOfUlid(ulidOf(place.record)) < timeOfUlid(ulidOf(userId)) - toleranceMs)
    report.finding('record_not_by_rules', 'The user was created later.');
  return state;
}

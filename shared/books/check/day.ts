/** The state of a check: the data that a day's records are checked against, and the facts found in them. */
import type { Prize } from '../../games/prize-tables.ts';
import { timeOfUlid, ulidOf } from '../../ids.ts';
import { noSums, type RecordSums } from '../sums.ts';
import type { AdjustedPosting } from './adjustments.ts';
import type { SignedRounds } from './attached.ts';
import type { DecidedRounds } from './beacon-rounds.ts';
import type { BudgetsFacts, UserWins } from './budgets.ts';
import { type Chain, newChain } from './chain.ts';
import { type Drawing, newDrawing } from './draws.ts';
import type { Expected } from './expected-postings.ts';
import { type Code, type NoticeCode, type Report, type Tallies, tally } from './findings.ts';
import type { Holds } from './holds.ts';
import { type Timeline, toleranceMs } from './in-force.ts';
import type { Odds } from './odds.ts';
import type { Order } from './orders.ts';
import { newPlays, type Plays } from './plays.ts';

/** The data that a day's records are checked against. Plain data; times are epoch milliseconds. */
export type DayToCheck = {
  organizationId: string;
  day: string;
  start: number;
  end: number;
  /**
   * The number of gaps between the books up to this day, and the start of the first day after the last gap.
   */
  run: number;
  runStart: number;
  /** Whether the books up to this day are all of the organization's books. */
  whole: boolean;
  rounds: SignedRounds;
  /** The revealed secrets, in hex, by day. */
  secrets: Record<string, string>;
  /** The prizes of each table, by version. */
  tables: Record<string, Prize[]>;
  timeline: Timeline;
  /** The holds of all days checked. */
  holds: Holds;
};

/** The facts found in the records of a day, or of some of its users. Plain data. */
export type DayFacts = {
  findings: Tallies<Code>;
  notices: Tallies<NoticeCode>;
  summed: RecordSums;
  budgets: BudgetsFacts;
  odds: Odds;
  decided: DecidedRounds;
  adjusted: AdjustedPosting[];
  /** The lines of operation records. */
  operations: string[];
};

/** The position of a record in the books. */
export type Place = { day: string; record: string; line: number };
/** A free spin whose order is not in its user's history. */
export type StraySpin = { orderId: string; place: Place };

/** The known state of a user. */
export type UserState = {
  run: number;
  chain: Chain;
  /** The postings that must come next in the user's history. */
  expected: Expected[];
  /** Orders by sequence number. Most users have none. */
  orders?: Map<number, Order>;
  plays: Plays;
  wins: UserWins;
};

/**
 * A check of all or some users of an organization: the state that is carried from day to day, and the current
 * day.
 */
export type Checking = {
  users: Map<string, UserState>;
  /** Users whose next record must be a posting, each with the outcome that caused the posting. */
  owing: Map<UserState, Place>;
  strays: StraySpin[];
  day: DayToCheck;
  drawing: Drawing;
  facts: DayFacts;
  /** The record being checked. */
  place: Place;
  report: Report;
};

const noFacts = (): DayFacts => ({
  findings: new Map(),
  notices: new Map(),
  summed: noSums(),
  budgets: new Map(),
  odds: new Map(),
  decided: new Map(),
  adjusted: [],
  operations: [],
});

/** Returns a check that starts with a day. */
export function newChecking(day: DayToCheck): Checking {
  const checking: Checking = {
    users: new Map(),
    owing: new Map(),
    strays: [],
    day,
    drawing: newDrawing(day.secrets, day.tables),
    facts: noFacts(),
    place: { day: day.day, record: '', line: 0 },
    report: {
      finding: (code, sentence) => tally(checking.facts.findings, code, { ...checking.place, sentence }),
      notice: (code, sentence) => tally(checking.facts.notices, code, { ...checking.place, sentence }),
    },
  };
  return checking;
}

/** Advances the check to a later day. */
export function goOnTo(checking: Checking, day: DayToCheck): void {
  Object.assign(checking, { day, drawing: newDrawing(day.secrets, day.tables), facts: noFacts() });
}

/** Returns the state of a user, creating it for the user's first record. */
export function stateOf({ users, day }: Checking, userId: string): UserState {
  const known = users.get(userId);
  if (known) return known;
  // A user created since the books became gapless has no earlier records.
  const isNew = timeOfUlid(ulidOf(userId)) >= day.runStart + toleranceMs;
  const state: UserState = {
    run: day.run,
    chain: newChain(day.whole || isNew),
    expected: [],
    plays: newPlays(),
    wins: { day: '', count: 0 },
  };
  users.set(userId, state);
  return state;
}

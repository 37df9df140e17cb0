/** A day whose records are checked: what they are checked against, and what was found in them. */
import type { Prize } from '../../games/prize-tables.ts';
import { timeOfUlid, ulidOf } from '../../ids.ts';
import { noSums, type Summed } from '../sums.ts';
import type { AdjustedPosting } from './adjustments.ts';
import type { SignedRounds } from './attached.ts';
import type { BudgetsFacts, UserWins } from './budgets.ts';
import { type Chain, newChain } from './chain.ts';
import { type Drawing, newDrawing } from './draws.ts';
import { type Code, type NoticeCode, type Report, type Tallies, tally } from './findings.ts';
import type { Holds } from './holds.ts';
import { type Timeline, toleranceMs } from './in-force.ts';
import type { Expected } from './money.ts';
import type { Odds } from './odds.ts';
import type { Order } from './orders.ts';
import { newPlays, type Plays } from './plays.ts';
import type { DecidedRounds } from './rounds.ts';

/** What the records of a day are checked against; plain data, times in epoch milliseconds. */
export type DayToCheck = {
  organizationId: string;
  day: string;
  start: number;
  end: number;
  /** How many gaps there are between the books before it, and when the first day after the last of them begins. */
  run: number;
  runStart: number;
  /** Whether the books up to it are all that the organization has. */
  whole: boolean;
  /** Whether all records must be of the kind that can be checked. */
  rounds: SignedRounds;
  /** In hex, by their day. */
  secrets: Record<string, string>;
  /** By their version. */
  tables: Record<string, Prize[]>;
  timeline: Timeline;
  /** Of all days that are checked. */
  holds: Holds;
};

/** What was found in the records of a day, or in a part of them; plain data. */
export type DayFacts = {
  findings: Tallies<Code>;
  notices: Tallies<NoticeCode>;
  summed: Summed;
  budgets: BudgetsFacts;
  odds: Odds;
  decided: DecidedRounds;
  adjusted: AdjustedPosting[];
  /** The lines of operations. */
  operations: string[];
};

/** Where a record is. */
export type Place = { day: string; record: string; line: number };
/** A free spin that is of no order of its user. */
export type StraySpin = { orderId: string; place: Place };

/** What is known of a user. */
export type UserState = {
  run: number;
  chain: Chain;
  /** What the next records must be. */
  expected: Expected[];
  /** By their sequence; most users have none. */
  orders?: Map<number, Order>;
  plays: Plays;
  wins: UserWins;
};

/**
 * The check of an organization's records, or of those of some of its users: what is known from one day to the next, and
 * the day that is checked at the moment.
 */
export type Checking = {
  users: Map<string, UserState>;
  /** The users whose next record must be a posting, and the outcome it must be of. */
  owing: Map<UserState, Place>;
  strays: StraySpin[];
  day: DayToCheck;
  drawing: Drawing;
  facts: DayFacts;
  /** The record that is looked at. */
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

/** A check that begins with a day. */
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

/** Goes on to a later day. */
export function goOnTo(checking: Checking, day: DayToCheck): void {
  Object.assign(checking, { day, drawing: newDrawing(day.secrets, day.tables), facts: noFacts() });
}

/** What is known of a user of whom there may have been no record yet. */
export function stateOf({ users, day }: Checking, userId: string): UserState {
  const known = users.get(userId);
  if (known) return known;
  // Who came into being in the meantime has no record before.
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

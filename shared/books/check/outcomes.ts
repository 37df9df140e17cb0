/** Replays an outcome: its draw, settings, budgets, and position among the user's plays or the order's spins. */

import type { OutcomeRecord } from '../../accounts/records.ts';
import type { User } from '../../accounts/user.ts';
import { timeOfRound } from '../../amoe/drand.ts';
import { type BeaconRound, spinOfOrder } from '../../amoe/order-spins.ts';
import { countingDay } from '../../games/budgets.ts';
import { cashLimits } from '../../games/cash-limit.ts';
import { freeSpins } from '../../games/holds.ts';
import { playOf, requirePlayable } from '../../games/play-rules.ts';
import type { Prize, PrizeTable } from '../../games/prize-tables.ts';
import { seedOfOutcome } from '../../games/seeds.ts';
import type { Settings } from '../../games/settings.ts';
import { debugStages, type Stage } from '../../stage.ts';
import { dayOf } from '../../time.ts';
import type { DebugResult } from '../../vocabulary.ts';
import type { OutcomeLeaf } from '../leaves.ts';
import { budgetDay, recordBudgets } from './budgets.ts';
import type { Checking, DayToCheck, UserState } from './day.ts';
import { budgetsOf, isWon, type Redrawn, redraw, redrawAsRecorded, seedFieldsOf } from './draws.ts';
import type { Report } from './findings.ts';
import { checkFreeSpin } from './free-spins.ts';
import { checkNotVoided } from './holds.ts';
import { beginningOf, settingsAt, toleranceMs } from './in-force.ts';
import { recordDraw } from './odds.ts';
import type { Order } from './orders.ts';
import { checkSession } from './plays.ts';
import { type Decide, refusedBy, replay, reportAll, requireAllowed } from './replay.ts';

import { recordToken } from './tokens.ts';

function reportForced(debug: DebugResult, stage: Stage, { finding, notice }: Report): void {
  const sentence = `The result was forced to “${debug}”.`;
  if (debugStages.includes(stage)) notice('debug_plays', sentence);
  else finding('debug_play_in_production', sentence);
}

/** Replays an outcome that was drawn at `at` (epoch milliseconds). Returns the user afterwards. */
export function replayOutcome(checking: Checking, state: UserState, leaf: OutcomeLeaf, at: number): User {
  const { day, facts, report, place } = checking;
  if (leaf.debug) reportForced(leaf.debug, day.stage, report);
  recordBudgets(facts.budgets, leaf, { at, place, timeline: day.timeline });
  const { day: counted } = leaf.budgets ?? {};
  if (counted) report.notice('counted_on_another_day', `A draw at ${leaf.timestamp} counted on ${counted}.`);
  const order = leaf.play_type === 'amoe' ? checkFreeSpin(checking, state, leaf, at) : undefined;
  if (!order) checkSession(leaf, at, day, report);
  if (leaf.token_hash) {
    recordToken(facts.tokens, leaf.token_hash, place.line);
    checkNotVoided(day.holds, leaf.token_hash, at, report);
  }
  const inputs = inputsOf(checking, leaf, order);
  if (!inputs) return state.replayed.user;
  presumeWins(state, leaf, at, day);
  const decide = order ? decideFreeSpin(day, leaf, order, inputs) : decidePlay(day, leaf, inputs);
  // A spin begins neither before its round nor before the day on which its order is due.
  const sinceRound = Math.max(at, publishedAt(day, leaf)) - toleranceMs;
  const earliest = order ? Math.max(sinceRound, beginningOf(order.due_day)) : sinceRound;
  const { user, differences, set } = replay(checking, state, at, decide, earliest);
  if (differences.length === 0) {
    recordDraw(facts.odds, leaf, set!);
    return user;
  }
  const recorded = redrawAsRecorded(state.replayed.user, leaf, inputs.recordedSecret, inputs.prizes);
  reportAll(checking, recorded.differences);
  if (recorded.set) recordDraw(facts.odds, leaf, recorded.set);
  return leaf.budgets?.wins ? { ...user, wins: winsAfter(user, leaf, at) } : user;
}

/** Returns when the beacon published an outcome's round (epoch milliseconds), or 0 without a signed round. */
function publishedAt({ rounds }: DayToCheck, { beacon_round: round = 0 }: OutcomeLeaf): number {
  const signed = rounds[round];
  return signed ? timeOfRound(signed.beacon, round) : 0;
}

/** A draw's inputs: the secret that the rules require, the secret that the record names, and the table's prizes. */
type Inputs = { secret: Buffer; recordedSecret: Buffer; prizes: Prize[] };

/**
 * Finds the inputs of a draw that are not in the outcome's record: secrets and prizes. Reports an input that the books
 * lack, and then returns undefined.
 */
function inputsOf(
  { day, report }: Checking,
  leaf: OutcomeLeaf,
  order: Order | undefined,
): Inputs | undefined {
  const { prize_table_version: version, secret_day } = leaf;
  const prizes = Object.hasOwn(day.tables, version) ? day.tables[version] : undefined;
  if (!prizes) report.finding('table_missing', `The draw used table “${version}”.`);
  const secretOf = (of: string) =>
    Object.hasOwn(day.secrets, of) ? Buffer.from(day.secrets[of]!, 'hex') : undefined;
  const recordedSecret = secretOf(secret_day);
  if (!recordedSecret) {
    report.finding('secret_missing', `The draw used the secret of ${secret_day}, which is not revealed.`);
  }
  if (!prizes || !recordedSecret) return undefined;
  const secret = order && order.due_day !== secret_day ? secretOf(order.due_day) : recordedSecret;
  return { secret: secret ?? recordedSecret, recordedSecret, prizes };
}

/** Takes a user's wins of the day from the record if missing books may contain some of them. */
function presumeWins({ replayed }: UserState, leaf: OutcomeLeaf, at: number, { gaplessSince }: DayToCheck) {
  if (!leaf.budgets?.wins) return;
  const day = countingDay(replayed.user.wins?.day ?? '', budgetDay(leaf, at));
  if (day >= dayOf(gaplessSince + toleranceMs)) return;
  replayed.user = { ...replayed.user, wins: { day, count: leaf.budgets.wins.granted } };
}

/**
 * Returns the user's number of wins after an outcome according to its record, so that a wrong number is reported only
 * once.
 */
function winsAfter({ wins }: User, leaf: OutcomeLeaf, at: number): User['wins'] & object {
  const count = (leaf.budgets?.wins?.granted ?? 0) + (isWon(leaf.prize) ? 1 : 0);
  return { day: countingDay(wins?.day ?? '', budgetDay(leaf, at)), count };
}

/** Returns the shared budgets at a draw. The day and limit follow from the rules, the state from the record. */
function budgetsAt(
  { timeline }: DayToCheck,
  leaf: OutcomeLeaf,
  prizes: Prize[],
  settings: Settings,
  now: number,
) {
  const day = dayOf(now);
  // `cash_chains` changes only at midnight, so the day's draws use the setting of the day's beginning.
  const cashChains = settingsAt(timeline, beginningOf(day)).cash_chains;
  return budgetsOf(leaf, prizes, day, cashLimits(settings, leaf.user_id, cashChains, now).limit);
}

const decidePlay =
  (day: DayToCheck, leaf: OutcomeLeaf, { secret, prizes }: Inputs): Decide<Redrawn> =>
  (user, settings, now) => {
    const budgets = budgetsAt(day, leaf, prizes, settings, now);
    const refused = refusedBy(() => {
      requireAllowed(user, settings, [leaf.game]);
      requirePlayable(user, leaf, settings, budgets.day);
    });
    const table: PrizeTable = { version: leaf.prize_table_version, prizes };
    const serverSeed = seedOfOutcome(secret, leaf as OutcomeRecord);
    const drawing = { table, seedFields: seedFieldsOf(leaf), serverSeed, clientSeed: leaf.client_seed };
    const played = playOf(user, leaf, drawing, budgets, settings, now);
    const redrawn = redraw(played.user, played.spin, leaf, now);
    return { ...redrawn, differences: [...refused, ...redrawn.differences] };
  };

const decideFreeSpin =
  (day: DayToCheck, leaf: OutcomeLeaf, order: Order, { secret, prizes }: Inputs): Decide<Redrawn> =>
  (user, settings, now) => {
    const refused = refusedBy(() => requireAllowed(user, settings, freeSpins));
    const table: PrizeTable = { version: order.prize_table_version, prizes };
    const randomness = randomnessOf(day, leaf);
    const promised = { ...order, user_id: leaf.user_id, sequence: leaf.order_sequence ?? 0 };
    const spin = spinOfOrder(promised, leaf.spin_index, { table, secret, randomness });
    // Takes the client seed from the record, because it cannot be computed without the order and a signed round.
    const isUnsigned = randomness && 'randomness' in randomness && randomness.randomness === unsigned;
    if (order.isPresumed || isUnsigned) spin.seeds.clientSeed = leaf.client_seed;
    const budgets = budgetsAt(day, leaf, prizes, settings, now);
    const ready = { ...spin, budgets, winLimit: settings.daily_win_limit };
    const redrawn = redraw(user, ready, leaf, now);
    return { ...redrawn, differences: [...refused, ...redrawn.differences] };
  };

/** Stands for the randomness of a round without a valid signature, which `checkBeacons` reports. */
const unsigned = 'unsigned';

/** Returns the randomness of the round in an outcome's record. `checkPromise` checks the round itself. */
function randomnessOf(
  { rounds }: DayToCheck,
  { beacon_round: round, beacon_out }: OutcomeLeaf,
): BeaconRound | undefined {
  if (beacon_out) return { round: 0, out: true };
  if (round === undefined) return undefined;
  return { round, randomness: rounds[round]?.randomness ?? unsigned };
}

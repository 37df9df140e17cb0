import type { User } from '../accounts/user.ts';
import { refusals } from '../refusals.ts';
import { startOfToday } from '../time.ts';
import type { DebugResult, Game, PlayObstacle } from '../vocabulary.ts';
import { type Budgets, countingDay } from './budgets.ts';
import { requireNoHold } from './holds.ts';
import type { SpinInput } from './outcomes.ts';
import { playRulesOf } from './rules.ts';
import { costOf, type Settings, tableVersionOf } from './settings.ts';

export const playUrlLifetimeMs = 30 * 60_000;

type PlaySettings = Pick<
  Settings,
  | 'daily_spin_limit_on'
  | 'daily_spin_limit'
  | 'daily_win_limit'
  | 'suspended'
  | 'paused'
  | 'tracked_prizes'
  | 'claim_days'
>;

export function playsOnDay({ plays }: User, day: string): number {
  return plays.day === day ? plays.count : 0;
}

function countPlay(user: User, day: string): User {
  const on = countingDay(user.plays.day, day);
  return { ...user, plays: { day: on, count: playsOnDay(user, on) + 1 } };
}

/** Returns the plays left on `day`, or on a later day with plays. Undefined if plays are not limited. */
export function playsLeftOf(
  user: User,
  { daily_spin_limit_on, daily_spin_limit }: PlaySettings,
  day: string,
): { plays: number; day: string } | undefined {
  if (!daily_spin_limit_on) return undefined;
  const on = countingDay(user.plays.day, day);
  return { plays: Math.max(0, daily_spin_limit - playsOnDay(user, on)), day: on };
}

export function obstaclesOf(user: User, cost: number, settings: PlaySettings, day: string): PlayObstacle[] {
  return [
    ...(playsLeftOf(user, settings, day)?.plays === 0 ? (['daily_spin_limit_reached'] as const) : []),
    // Comes last, because more tickets would not help against the other reasons.
    ...(user.balances.tickets < cost ? (['insufficient_tickets'] as const) : []),
  ];
}

/** Returns the cost and prize table for a new play URL, which later changes of settings do not affect. */
export const playTermsOf = (settings: Settings, game: Game, debug: DebugResult | undefined) => ({
  cost: playRulesOf(debug).cost(costOf(settings, game)),
  prize_table_version: tableVersionOf(settings, game),
});

/** `debug` is the forced result of a debug play. */
type Session = { game: Game; cost: number; debug?: DebugResult | undefined };

/** Throws a refusal if a hold, the daily spin limit or the user's ticket balance prevents a play on a day. */
export function requirePlayable(
  user: User,
  { game, cost, debug }: Session,
  settings: PlaySettings,
  day: string,
): void {
  requireNoHold(settings, [game], user);
  const [obstacle] = playRulesOf(debug).isLimited ? obstaclesOf(user, cost, settings, day) : [];
  if (obstacle) throw refusals.restricted(obstacle);
}

type PlayDraw = Pick<SpinInput, 'table' | 'seedFields'> & { serverSeed: string; clientSeed: string };

/** Builds a play's spin. Counts the play toward the daily spin limit, unless its prize is forced. */
export function preparePlay(
  user: User,
  { game, cost, debug }: Session,
  { table, seedFields, serverSeed, clientSeed }: PlayDraw,
  budgets: Budgets,
  { daily_win_limit: winLimit, ...tracking }: PlaySettings,
  now: number,
): { user: User; spin: SpinInput } {
  const spin: SpinInput = {
    game,
    table,
    playType: 'regular',
    seeds: { serverSeed, clientSeed, spinIndex: 0 },
    seedFields,
    budgets,
    winLimit,
    tracking,
    cost,
    resultEffectiveDate: startOfToday(now),
    debug,
  };
  return { user: playRulesOf(debug).isLimited ? countPlay(user, budgets.day) : user, spin };
}

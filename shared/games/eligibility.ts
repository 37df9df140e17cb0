import { type User, unlessErased } from '../accounts/user.ts';
import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { getAll, type Item } from '../table/client.ts';
import { type Key, userKey } from '../table/keys.ts';
import type { Obstacle, Restriction } from '../vocabulary.ts';
import { type Budgets, countingDay, coversNoCash, drawBudgets } from './budgets.ts';
import { holdOn } from './holds.ts';
import { readPrizeTable } from './organization-tables.ts';
import { costOf, type Settings, settingsOf, tableVersionOf } from './settings.ts';
import { readBudgets, spinReads } from './stored-budgets.ts';

/** Returns how many regular plays a user has made on a day. */
export function playsOn({ plays }: User, day: string): number {
  return plays.day === day ? plays.count : 0;
}

/** Returns the user with the count of regular plays on a day increased by one. */
export function countPlay(user: User, day: string): User {
  const on = countingDay(user.plays.day, day);
  return { ...user, plays: { day: on, count: playsOn(user, on) + 1 } };
}

/**
 * Returns all reasons against a play. A refusal contains only the first, so `insufficient_tickets` comes
 * last.
 */
export function obstaclesOf(user: User, cost: number, settings: Settings, day: string): Obstacle[] {
  const on = countingDay(user.plays.day, day);
  const limited = settings.daily_spin_limit_on && playsOn(user, on) >= settings.daily_spin_limit;
  return [
    ...(limited ? (['daily_spin_limit_reached'] as const) : []),
    ...(user.balances.tickets < cost ? (['insufficient_tickets'] as const) : []),
  ];
}

/** Data that decides whether a user can play. `budgets` does not include the stock. */
export type Circumstances = { user: User; settings: Settings; budgets: Budgets };

/**
 * Reads the user, settings, budgets and `others` in one round trip. Throws `userNotFound` if the user is
 * missing or erased.
 */
export async function readCircumstances(
  organizationId: string,
  userId: string,
  now: number,
  others: Key[] = [],
): Promise<Circumstances & { others: (Item | undefined)[] }> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const reads = spinReads(organizationId, userId, now);
  const [found, organization, cash, ...foundOthers] = await getAll([
    userKey(organizationId, userId),
    reads.organization,
    reads.cash,
    ...others,
  ]);
  const user = unlessErased(found as User | undefined);
  const settings = settingsOf(organization);
  const budgets = await readBudgets(user, undefined, now, reads, { organization, cash });
  return { user, settings, budgets, others: foundOthers };
}

/**
 * Returns whether a user can play the prize wheel, and what restricts a play. Throws `userNotFound` if the
 * user is missing or erased.
 */
export async function checkEligibility(
  organizationId: string,
  userId: string,
  now: number,
): Promise<{ playable: boolean; restrictions: Restriction[] }> {
  const { user, settings, budgets } = await readCircumstances(organizationId, userId, now);
  const game = 'prizewheel';
  const { prizes } = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
  const obstacles = obstaclesOf(user, costOf(settings, game), settings, budgets.day);
  const ticketsOnly = coversNoCash(prizes, drawBudgets(budgets, prizes));
  return {
    // The API contract has no restriction that means "on hold", so a hold only makes `playable` false.
    playable: obstacles.length === 0 && !holdOn(settings, [game], user),
    restrictions: ticketsOnly ? ['tickets_only', ...obstacles] : obstacles,
  };
}

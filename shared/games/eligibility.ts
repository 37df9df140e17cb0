import { type User, unlessErased } from '../accounts/user.ts';
import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { getAll, type Item } from '../table/client.ts';
import { type Key, userKey } from '../table/keys.ts';
import { dayOf } from '../time.ts';
import type { Obstacle, Restriction } from '../vocabulary.ts';
import { cashLeft, cashReads, type DayCash, dayCash } from './cash.ts';
import { holdOn } from './holds.ts';
import type { Left } from './limits.ts';
import { readPrizeTable } from './organization-tables.ts';
import { noCashAffordable } from './prizes.ts';
import { costOf, type Settings, settingsOf, tableVersionOf } from './settings.ts';
import { areUsedUp, winsOf } from './wins.ts';

/** Regular plays of a user on a day. */
export function playsOn({ plays }: User, day: string): number {
  return plays.day === day ? plays.count : 0;
}

/** Counts one more regular play. A play whose day is over by the time it counts is one of the day that began. */
export function countPlay(user: User, day: string): User {
  const on = user.plays.day > day ? user.plays.day : day;
  return { ...user, plays: { day: on, count: playsOn(user, on) + 1 } };
}

/** All that is in the way of a play at this cost on this day, the one that more tickets would not help first. */
export function obstaclesOf(user: User, cost: number, settings: Settings, day: string): Obstacle[] {
  const on = user.plays.day > day ? user.plays.day : day;
  const limited = settings.daily_spin_limit_on && playsOn(user, on) >= settings.daily_spin_limit;
  return [
    ...(limited ? (['daily_spin_limit_reached'] as const) : []),
    ...(user.balances.tickets < cost ? (['insufficient_tickets'] as const) : []),
  ];
}

/**
 * What a play depends on: the user, the organization's settings, how the day's cash stands, and what budgets leave;
 * `day` is that of the moment.
 */
export type Circumstances = { user: User; settings: Settings; cash: DayCash; left: Left; day: string };

/**
 * Reads what a play depends on as it is now, and an item of another key with it if one is given. One round trip. Throws
 * `Invalid user ID`.
 */
export async function readCircumstances(
  organizationId: string,
  userId: string,
  now: number,
  also?: Key,
): Promise<Circumstances & { also: Item | undefined }> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const day = dayOf(now);
  const reads = cashReads(organizationId, userId, now);
  const [found, organization, cash, alsoFound] = await getAll([
    userKey(organizationId, userId),
    reads.organization,
    reads.cash,
    ...(also ? [also] : []),
  ]);
  const user = unlessErased(found as User | undefined);
  const settings = settingsOf(organization);
  const standing = await dayCash(user, now, reads, { organization, cash });
  const left = {
    cashLeftUsd: cashLeft(standing),
    winsUsedUp: areUsedUp(winsOf(user, day, settings.daily_win_limit)),
  };
  return { user, settings, cash: standing, left, day, also: alsoFound };
}

/**
 * Whether a user can play, and what restricts a play, both by the prize wheel. One round trip (and one for a
 * prize table of the organization that this process has not met). Throws `Invalid user ID`.
 */
export async function checkEligibility(
  organizationId: string,
  userId: string,
  now: number,
): Promise<{ playable: boolean; restrictions: Restriction[] }> {
  const { user, settings, left, day } = await readCircumstances(organizationId, userId, now);
  const game = 'prizewheel';
  const { prizes } = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
  const obstacles = obstaclesOf(user, costOf(settings, game), settings, day);
  const ticketsOnly = noCashAffordable(prizes, left.cashLeftUsd);
  return {
    // What is on hold has no word among the restrictions of the contract.
    playable: obstacles.length === 0 && !holdOn(settings, [game], user),
    restrictions: ticketsOnly ? ['tickets_only', ...obstacles] : obstacles,
  };
}

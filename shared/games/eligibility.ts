import { unlessErased } from '../accounts/active.ts';
import type { User } from '../accounts/user.ts';
import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { getAll, type Item } from '../table/client.ts';
import { type Key, userKey } from '../table/keys.ts';
import type { Restriction } from '../vocabulary.ts';
import { type Budgets, drawBudgets, isCashUsedUp } from './budgets.ts';
import { holdOn } from './holds.ts';
import { readPrizeTable } from './organization-tables.ts';
import { obstaclesOf } from './play-rules.ts';
import { costOf, type Settings, settingsOf, tableVersionOf } from './settings.ts';
import { readBudgets, spinReads } from './stored-budgets.ts';

/** Data that decides whether a user can play. `budgets` does not include the stock. */
export type Circumstances = { user: User; settings: Settings; budgets: Budgets };

/**
 * Reads the user, the settings, the budgets and the items with the keys `others` in one round trip. Throws
 * `userNotFound` if the user is missing or erased.
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
 * Returns whether a user can play the prize wheel, and the restrictions of a play. Throws `userNotFound` if
 * the user is missing or erased.
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
  const ticketsOnly = isCashUsedUp(prizes, drawBudgets(budgets, prizes));
  return {
    // The API contract has no restriction that means "on hold", so a hold only makes `playable` false.
    playable: obstacles.length === 0 && !holdOn(settings, [game], user),
    restrictions: ticketsOnly ? ['tickets_only', ...obstacles] : obstacles,
  };
}

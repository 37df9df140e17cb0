import { unlessErased } from '../accounts/active.ts';
import type { User } from '../accounts/user.ts';
import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { getAll, type Item } from '../table/client.ts';
import { type Key, userKey } from '../table/keys.ts';
import { type Game, games, type Hold, type Restriction } from '../vocabulary.ts';
import { type Budgets, drawBudgets, isTicketsOnly } from './budgets.ts';
import { freeSpinsOf, holdsOn } from './holds.ts';
import { readPrizeTable } from './organization-tables.ts';
import { obstaclesOf } from './play-rules.ts';
import { timesOf } from './promotion.ts';
import { costOf, type Settings, settingsOf, tableVersionOf } from './settings.ts';
import { readBudgets, spinReads } from './stored-budgets.ts';

/** `budgets` does not include the stock. */
type Circumstances = { user: User; settings: Settings; budgets: Budgets };

export async function readCircumstances(
  organizationId: string,
  userId: string,
  now: number,
  others: Key[] = [],
): Promise<Circumstances & { organization: Item | undefined; others: (Item | undefined)[] }> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const reads = spinReads(organizationId, userId, now);
  const [found, organization, cash, promotion, ...foundOthers] = await getAll([
    userKey(organizationId, userId),
    reads.organization,
    reads.cash,
    reads.promotion,
    ...others,
  ]);
  const user = unlessErased(found as User | undefined);
  const settings = settingsOf(organization);
  const budgets = await readBudgets(user, undefined, now, reads, { organization, cash, promotion });
  return { user, settings, budgets, organization, others: foundOthers };
}

export type GameEligibility = {
  game: Game;
  playable: boolean;
  /** Whether nothing stops free spins of the game. */
  free_playable: boolean;
  cost: number;
  /** Each restriction except `tickets_only` prevents a play. */
  restrictions: Restriction[];
  holds: Hold[];
};

export async function eligibilityFor(
  game: Game,
  { user, settings, budgets }: Circumstances,
): Promise<GameEligibility> {
  const { prizes } = await readPrizeTable(user.organization_id, game, tableVersionOf(settings, game));
  const cost = costOf(settings, game);
  const obstacles = obstaclesOf(user, cost, settings, budgets.day);
  const holds = holdsOn(settings, [game], user);
  const ticketsOnly = isTicketsOnly(prizes, drawBudgets(budgets, prizes));
  return {
    game,
    playable: obstacles.length === 0 && holds.length === 0,
    free_playable: holdsOn(settings, freeSpinsOf(game), user).length === 0,
    cost,
    restrictions: ticketsOnly ? ['tickets_only', ...obstacles] : obstacles,
    holds,
  };
}

export const eligibilityByGame = (circumstances: Circumstances): Promise<GameEligibility[]> =>
  Promise.all(games.map((game) => eligibilityFor(game, circumstances)));

/** Throws `userNotFound` if the user is missing or erased. */
export async function checkEligibility(organizationId: string, userId: string, now: number) {
  const circumstances = await readCircumstances(organizationId, userId, now);
  const ofGames = await eligibilityByGame(circumstances);
  const { playable, restrictions, holds } = ofGames.find(({ game }) => game === 'prizewheel')!;
  const promotion = timesOf(circumstances.settings.promotion);
  return { playable, restrictions, holds, games: ofGames, promotion };
}

import { requireNotErased } from '../accounts/active.ts';
import type { User } from '../accounts/user.ts';
import { isId } from '../ids.ts';
import { refusals } from '../refusals.ts';
import { getItems, type Item } from '../table/client.ts';
import { type Key, userKey } from '../table/keys.ts';
import { type Game, games, type Hold, type Restriction } from '../vocabulary.ts';
import { type Budgets, budgetsForDraw, isTicketsOnly } from './budgets.ts';
import { freeSpinFeatures, holdsOn } from './holds.ts';
import { readPrizeTable } from './organization-tables.ts';
import { obstaclesOf } from './play-rules.ts';
import { promotionTimes } from './promotion.ts';
import { costOf, type Settings, settingsOf, tableVersionOf } from './settings.ts';
import { readBudgets, spinReadKeys } from './stored-budgets.ts';

/** `budgets` does not include the stock. */
type PlayerState = { user: User; settings: Settings; budgets: Budgets };

export async function readPlayerState(
  organizationId: string,
  userId: string,
  now: number,
  others: Key[] = [],
): Promise<PlayerState & { organization: Item | undefined; others: (Item | undefined)[] }> {
  if (!isId('usr', userId)) throw refusals.userNotFound();
  const reads = spinReadKeys(organizationId, userId, now);
  const [found, organization, cash, promotion, ...foundOthers] = await getItems([
    userKey(organizationId, userId),
    reads.organization,
    reads.cash,
    reads.promotion,
    ...others,
  ]);
  const user = requireNotErased(found as User | undefined);
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
  { user, settings, budgets }: PlayerState,
): Promise<GameEligibility> {
  const { prizes } = await readPrizeTable(user.organization_id, game, tableVersionOf(settings, game));
  const cost = costOf(settings, game);
  const obstacles = obstaclesOf(user, cost, settings, budgets.day);
  const holds = holdsOn(settings, [game], user);
  const ticketsOnly = isTicketsOnly(prizes, budgetsForDraw(budgets, prizes));
  return {
    game,
    playable: obstacles.length === 0 && holds.length === 0,
    free_playable: holdsOn(settings, freeSpinFeatures(game), user).length === 0,
    cost,
    restrictions: ticketsOnly ? ['tickets_only', ...obstacles] : obstacles,
    holds,
  };
}

export const eligibilityByGame = (circumstances: PlayerState): Promise<GameEligibility[]> =>
  Promise.all(games.map((game) => eligibilityFor(game, circumstances)));

/** Throws `userNotFound` if the user is missing or erased. */
export async function readEligibility(organizationId: string, userId: string, now: number) {
  const circumstances = await readPlayerState(organizationId, userId, now);
  const ofGames = await eligibilityByGame(circumstances);
  const { playable, restrictions, holds } = ofGames.find(({ game }) => game === 'prizewheel')!;
  const promotion = promotionTimes(circumstances.settings.promotion);
  return { playable, restrictions, holds, games: ofGames, promotion };
}

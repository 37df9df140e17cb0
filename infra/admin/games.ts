/** What an operator sees and sets of an organization's games. */
import { chainsOn } from '../../shared/games/cash-chains.ts';
import { changeSettings } from '../../shared/games/change-settings.ts';
import { pausedAfter, pausedIn } from '../../shared/games/holds.ts';
import type { By } from '../../shared/games/operations.ts';
import { putPrizeTable, readPrizeTable } from '../../shared/games/organization-tables.ts';
import { type Prize, type PrizeTable, versionOf } from '../../shared/games/prize-tables.ts';
import { costOf, settingsOf, tableVersionOf } from '../../shared/games/settings.ts';
import { hasStock } from '../../shared/games/stock.ts';
import { dayOf } from '../../shared/time.ts';
import { type Game, games, pausable } from '../../shared/vocabulary.ts';
import { Problem } from '../local/problem.ts';
import { compareGames } from './compare-games.ts';
import { gameOf, readGame, type TypedGame } from './game-file.ts';
import { type Limits, limitsOf, requireShare } from './limits.ts';
import { readOrganization, readSettings } from './organization.ts';
import { leftOf, requireStock, stockLeft, stockOf } from './stock-left.ts';

/** What holds for a game: its cost in tickets, and its prizes with their chances in percent. */
export type ShownGame = Pick<PrizeTable, 'version'> & {
  cost: number;
  prizes: ShownPrize[];
};
/** A prize with its chance, and if it has a stock, how many of it can be won still. */
type ShownPrize = Prize & { chance_percent: number; stock_left?: number; stock_left_today?: number };

/** An organization's limits, and of each game (or the one named) its cost and its prize table with the chances. */
export async function showGames(
  organizationId: string,
  named?: string,
  now = Date.now(),
): Promise<Limits & { games: Partial<Record<Game, ShownGame>> }> {
  const settings = await readSettings(organizationId);
  const shown = (named === undefined ? games : [gameOf(named)]).map(async (game) => {
    const { version, prizes } = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
    const stock = hasStock(prizes) ? await stockOf(organizationId, game, now) : undefined;
    const all = withChances(prizes).map((prize) =>
      stock ? { ...prize, ...stockLeft(prize, stock) } : prize,
    );
    return [game, { cost: costOf(settings, game), version, prizes: all }] as const;
  });
  return { ...limitsOf(settings), games: Object.fromEntries(await Promise.all(shown)) };
}

/**
 * Puts a prize table (`{"prizes": [...]}`, or what `game show` printed) and a cost in place for a game, each if it is
 * given. Sessions that are open keep what their pages showed. Returns what now holds.
 */
export async function setGame(organizationId: string, named: string, typed: TypedGame, by: By) {
  // All is read before any is written: a fault in one leaves the other as it was.
  const { game, changes, prizes } = await readGame(named, typed);
  const settings = await readSettings(organizationId);
  if (prizes) {
    requireShare(settings, game, prizes);
    await requireStock(organizationId, game, prizes, by.now);
    await putPrizeTable(organizationId, game, prizes, by);
  }
  await changeSettings(organizationId, changes, by);
  return showGames(organizationId, game, by.now);
}

/** What `setGame` would change, with the odds before and after. Changes nothing; what it refuses is refused here too. */
export async function previewGame(organizationId: string, named: string, typed: TypedGame, now: number) {
  const { game, changes, prizes } = await readGame(named, typed);
  const settings = await readSettings(organizationId);
  if (prizes) {
    requireShare(settings, game, prizes);
    await requireStock(organizationId, game, prizes, now);
  }
  const table = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
  const before = { cost: costOf(settings, game), table };
  const after = {
    cost: costOf({ ...settings, ...changes }, game),
    table: prizes ? { version: versionOf(game, prizes), prizes } : table,
  };
  const chains = chainsOn(settings.cash_chains, dayOf(now));
  const limitUsd = Math.floor(settings.daily_cash_limit_usd / chains);
  const left = hasStock(after.table.prizes)
    ? await leftOf(organizationId, game, after.table.prizes, now)
    : undefined;
  return {
    dry_run: true,
    game,
    ...compareGames(before, after, { limitUsd, chains }),
    ...(left ? { stock_left: left } : {}),
  };
}

/** Pauses a game or the alternative method of entry, or lets it go on. Returns what is paused from then on. */
export async function pauseGame(organizationId: string, named: string, isPaused: boolean, by: By) {
  const what = pausable.find((one) => one === named);
  if (!what) throw new Problem(`"${named}" cannot be paused: what can is one of ${pausable.join(', ')}.`);
  await readOrganization(organizationId);
  let paused = '';
  await changeSettings(
    organizationId,
    (organization) => {
      paused = pausedAfter(settingsOf(organization).paused, what, isPaused);
      return { paused };
    },
    by,
  );
  return { organization_id: organizationId, paused: pausedIn(paused) };
}

function withChances(prizes: PrizeTable['prizes']): ShownGame['prizes'] {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  return prizes.map((prize) => ({
    ...prize,
    chance_percent: Number(((100 * prize.weight) / total).toFixed(4)),
  }));
}

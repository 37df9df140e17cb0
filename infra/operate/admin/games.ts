import type { ActionContext } from '../../../shared/actions/action-records.ts';
import { changeSettings, oddsStandMessage } from '../../../shared/actions/change-settings.ts';
import { settingsAt } from '../../../shared/actions/scheduled-changes.ts';
import { type BudgetState, hasStock } from '../../../shared/games/budgets.ts';
import { pausedFeatures, pausedSettingAfter } from '../../../shared/games/holds.ts';
import { meanWinnings } from '../../../shared/games/odds.ts';
import { readPrizeTable } from '../../../shared/games/organization-tables.ts';
import type { Prize, PrizeTable } from '../../../shared/games/prize-tables.ts';
import {
  alteredPromotion,
  costOf,
  type Settings,
  settingsOf,
  tableVersionOf,
} from '../../../shared/games/settings.ts';
import { readStock } from '../../../shared/games/stored-budgets.ts';
import { reportPage } from '../../../shared/reports/reports.ts';
import type { Item } from '../../../shared/table/client.ts';
import { addDays, dayOf, startOfDay } from '../../../shared/time.ts';
import { type Game, games, type Pausable, pausable } from '../../../shared/vocabulary.ts';
import { BadUsage } from '../../common/arguments.ts';
import { Problem } from '../../common/problem.ts';
import { chancesInPercent, dayFigures, gameChanges, playFigures } from './game-changes.ts';
import { type GameChange, type GameOptions, parseGame, readGameChange } from './game-file.ts';
import { limitsOf, type OrganizationLimits } from './limits.ts';
import { readOrganization, readSettings } from './organization.ts';
import { parseFromTime, scheduleSettings } from './schedule-games.ts';
import { inStock, requireStockCoversWins, stockLeft } from './stock-left.ts';

/**
 * `play` has the odds of a play that can win every prize. `now.play` has the odds without the prizes that are out of
 * stock.
 */
type ShownGame = Pick<PrizeTable, 'version'> & {
  cost: number;
  play: Play;
  now?: { out_of_stock: string[]; play: Play };
  prizes: ShownPrize[];
};
type Play = ReturnType<typeof playFigures>;
/** The stock fields exist only if the table has stocks. */
type ShownPrize = Prize & {
  chance_percent: number;
  chance_now_percent?: number;
  stock_left?: number;
  stock_left_today?: number;
};

type Holds = { suspended: boolean; paused: Pausable[] };

export async function showGames(
  organizationId: string,
  named?: string,
  now = Date.now(),
): Promise<Holds & OrganizationLimits & { games: Partial<Record<Game, ShownGame>> }> {
  const settings = await readSettings(organizationId);
  const shown = (named === undefined ? games : [parseGame(named)]).map(async (game) => {
    const { version, prizes } = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
    const shown = { cost: costOf(settings, game), version, play: playFigures(prizes) };
    if (!hasStock(prizes)) return [game, { ...shown, prizes: withChances(prizes) }] as const;
    const stock = await readStock(organizationId, game, dayOf(now));
    return [game, { ...shown, ...withStock(prizes, stock) }] as const;
  });
  const holds = { suspended: settings.suspended, paused: pausedFeatures(settings.paused) };
  return { ...holds, ...limitsOf(settings), games: Object.fromEntries(await Promise.all(shown)) };
}

function withStock(prizes: readonly Prize[], stock: BudgetState): Pick<ShownGame, 'now' | 'prizes'> {
  const available = inStock(prizes, stock);
  const now = new Map(withChances(available).map(({ id, chance_percent }) => [id, chance_percent]));
  const missing = prizes.map(({ id }) => id).filter((id) => !now.has(id));
  return {
    now: { out_of_stock: missing, play: playFigures(available) },
    prizes: withChances(prizes).map((prize) => ({
      ...prize,
      chance_now_percent: now.get(prize.id) ?? 0,
      ...stockLeft(prize, stock),
    })),
  };
}

/** With `from`, schedules the change. Throws a Refusal for a past `from`. */
export async function setGame(
  organizationId: string,
  named: string,
  { from, ...typed }: GameOptions,
  context: ActionContext,
) {
  const change = await readGameChange(named, typed);
  await requireFit(organizationId, change, context.now);
  const { game, changes, table } = change;
  if (from !== undefined)
    return scheduleSettings(organizationId, { from: parseFromTime(from), changes }, context, table);
  const current = (organization: Item) => {
    requireCurrent(settingsOf(organization), change);
    return changes;
  };
  await changeSettings(organizationId, current, context, table);
  return showGames(organizationId, game, context.now);
}

/**
 * Throws a Problem if a new prize table was edited from an old version, or has a stock below the number already won.
 * Without `costly`, also throws if the new table more than triples a play's value.
 */
async function requireFit(organizationId: string, change: GameChange, now: number): Promise<void> {
  const settings = await readSettings(organizationId);
  const { game, table } = change;
  if (!table) return;
  requireCurrent(settings, change);
  await requireStockCoversWins(organizationId, game, table.prizes, dayOf(now));
  if (change.costly) return;
  const current = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
  const [today, then] = [current, table].map(({ prizes }) => meanWinnings(prizes).value) as [number, number];
  if (then > maxIncrease * today)
    throw new Problem(
      `A play would give ${usd(then)} USD on average, and gives ${usd(today)} USD today. Nothing was changed. Check the weights, or add --costly if this is intended.`,
    );
}
/** Maximum factor by which a play's average value may rise. */
const maxIncrease = 3;
const usd = (amount: number) => amount.toFixed(2);

function requireCurrent(settings: Settings, { game, editedFrom }: GameChange): void {
  const current = tableVersionOf(settings, game);
  if (editedFrom === undefined || editedFrom === current) return;
  throw new Problem(
    `The file was edited from table ${editedFrom}, but table ${current} is now in place. Run game show and apply your change to its output. To replace the current table anyway, remove "version" from the file.`,
  );
}

/** Shows what `setGame` would do, with the same errors, but permits a play's value to more than triple. */
export async function previewGame(organizationId: string, named: string, typed: GameOptions, now: number) {
  const change = await readGameChange(named, typed);
  await requireFit(organizationId, { ...change, costly: true }, now);
  const { game, changes } = change;
  const at = typed.from === undefined ? now : parseFromTime(typed.from);
  const settings = settingsAt(await readOrganization(organizationId), at);
  const table = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
  const before = { cost: costOf(settings, game), table };
  const after = { cost: costOf({ ...settings, ...changes }, game), table: change.table ?? table };
  const { prizes } = after.table;
  const limitUsd = settings.daily_cash_limit_usd;
  const playsADay = await playsOf(organizationId, addDays(dayOf(now), -1), now);
  const altered = alteredPromotion(settings, changes, at);
  return {
    dry_run: true,
    ...(altered && { warning: oddsStandMessage(altered) }),
    game,
    changes: gameChanges(before, after),
    chances_percent: chancesInPercent(prizes),
    play: playFigures(prizes),
    day: dayFigures(prizes, { limitUsd, playsADay }),
  };
}

async function playsOf(organizationId: string, day: string, now: number): Promise<number> {
  const range = { start: startOfDay(day), end: startOfDay(addDays(day, 1)), page: 0, page_size: 1 };
  const { paging } = await reportPage(organizationId, 'outcomes', range, ['id'], { now });
  return paging.total_count;
}

export async function pauseGame(
  organizationId: string,
  named: string,
  isPaused: boolean,
  context: ActionContext,
) {
  const what = pausable.find((one) => one === named);
  if (!what) throw new BadUsage(`"${named}" cannot be paused. Choose one of: ${pausable.join(', ')}.`);
  let paused = '';
  await changeSettings(
    organizationId,
    (organization) => {
      paused = pausedSettingAfter(settingsOf(organization).paused, what, isPaused);
      return { paused };
    },
    context,
  );
  return { organization_id: organizationId, paused: pausedFeatures(paused) };
}

function withChances(prizes: readonly Prize[]): ShownPrize[] {
  const chances = chancesInPercent(prizes);
  return prizes.map((prize) => ({ ...prize, chance_percent: chances[prize.id]! }));
}

/** What an operator sees and sets of an organization's games. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { countIn } from '../../shared/count-by-day.ts';
import { chainsAfter, chainsOn, mostChains } from '../../shared/games/cash-chains.ts';
import { changeSettings } from '../../shared/games/change-settings.ts';
import { pausedAfter, pausedIn } from '../../shared/games/holds.ts';
import type { By } from '../../shared/games/operations.ts';
import { putPrizeTable, readPrizeTable } from '../../shared/games/organization-tables.ts';
import { type Prize, type PrizeTable, versionOf } from '../../shared/games/prize-tables.ts';
import { costOf, type Settings, settingsOf, tableVersionOf } from '../../shared/games/settings.ts';
import { countOf, hasStock, isStocked, type Stock } from '../../shared/games/stock.ts';
import { stockIn } from '../../shared/games/stored-stock.ts';
import { get } from '../../shared/table/client.ts';
import { stockKey } from '../../shared/table/keys.ts';
import { dayOf } from '../../shared/time.ts';
import { type Game, games, pausable } from '../../shared/vocabulary.ts';
import { Problem } from '../local/problem.ts';
import { compareGames } from './compare-games.ts';
import { readOrganization } from './organization.ts';
import { parsePrizeTable } from './prize-table-schema.ts';
import { limitNames, parseSettings } from './settings-schema.ts';
import { simulate } from './simulation.ts';
import { wholeNumber } from './whole-number.ts';

type Limits = Pick<Settings, (typeof limitNames)[number]>;
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

/** What is to be put in place for a game: a prize table (a JSON file), a cost (tickets), or both. */
export type TypedGame = { file?: string | undefined; cost?: string | undefined };

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
  await change(organizationId, changes, by);
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

/** What was typed for a game, read and checked. Throws a Problem or a Refusal for the first fault. */
export async function readGame(named: string, { file, cost }: TypedGame) {
  const game = gameOf(named);
  if (file === undefined && cost === undefined) throw new Problem('Give --file, --cost, or both.');
  const changes = parse({ [`cost_${game}`]: cost });
  const prizes = file === undefined ? undefined : parsePrizeTable(await readJson(file), game);
  return { game, changes, prizes };
}

/** What is to be simulated: numbers, a prize table (a JSON file), a limit of the day's cash in USD or `none`. */
export type TypedSimulation = {
  file?: string | undefined;
  plays?: string | undefined;
  days?: string | undefined;
  playsPerDay?: string | undefined;
  dailyCash?: string | undefined;
  seed?: string | undefined;
};

/**
 * Plays a game as often as it is said, with the organization's limits, on no data: what its table, or that of a file,
 * gave beside what is expected of it. A million plays of one day unless something else is said.
 */
export async function simulateGame(
  organizationId: string,
  named: string,
  typed: TypedSimulation,
  now: number,
) {
  const game = gameOf(named);
  const numbers = playsOf(typed);
  const given = typed.file === undefined ? undefined : parsePrizeTable(await readJson(typed.file), game);
  const limit = typed.dailyCash === 'none' ? {} : parse({ daily_cash_limit_usd: typed.dailyCash });
  const settings = { ...(await readSettings(organizationId)), ...limit };
  const prizes = given ?? (await readPrizeTable(organizationId, game, tableVersionOf(settings, game))).prizes;
  const limitUsd = typed.dailyCash === 'none' ? null : settings.daily_cash_limit_usd;
  const chains = chainsOn(settings.cash_chains, dayOf(now));
  const paced = settings.daily_cash_paced;
  const { seed = randomBytes(16).toString('hex') } = typed;
  const said = {
    game,
    version: versionOf(game, prizes),
    seed,
    daily_cash_limit_usd: limitUsd,
    daily_cash_paced: paced,
    chains,
  };
  return { ...said, ...simulate({ prizes, ...numbers, limitUsd, paced, chains, seed }) };
}

// Some ten minutes.
const mostPlays = 100_000_000;
const mostDays = 10_000;

function playsOf({ plays, days, playsPerDay }: TypedSimulation): { days: number; playsPerDay: number } {
  if (days === undefined && playsPerDay === undefined) {
    return { days: 1, playsPerDay: wholeNumber('plays', plays ?? '1000000', mostPlays) };
  }
  if (plays !== undefined || days === undefined || playsPerDay === undefined) {
    throw new Problem('Give --plays, or both --days and --plays-per-day.');
  }
  const daysToPlay = wholeNumber('days', days, mostDays);
  const most = Math.floor(mostPlays / daysToPlay);
  return { days: daysToPlay, playsPerDay: wholeNumber('plays-per-day', playsPerDay, most) };
}

/**
 * Limits as they are typed: whole USD; `on` or `off`; a number, `on` or `off`; a number or `off`; an https URL or `none`;
 * a number of chains.
 */
export type TypedLimits = {
  dailyCash?: string | undefined;
  cashPacing?: string | undefined;
  dailySpins?: string | undefined;
  dailyWins?: string | undefined;
  rulesUrl?: string | undefined;
  cashChains?: string | undefined;
};

/** Sets an organization's limits and rules URL, those that are given. Returns what now holds. */
export async function setLimits(
  organizationId: string,
  { dailyCash, cashPacing, dailySpins, dailyWins, rulesUrl, cashChains }: TypedLimits,
  by: By,
): Promise<Limits> {
  const changes = limitsTyped({ dailyCash, cashPacing, dailySpins, dailyWins, rulesUrl });
  const chains = cashChains === undefined ? undefined : wholeNumber('cash-chains', cashChains, mostChains);
  const before = await readSettings(organizationId);
  const cash_chains = chains && chainsAfter(before.cash_chains, chains, by.now);
  const all = { ...changes, ...(cash_chains ? { cash_chains } : {}) };
  await requireShares(organizationId, { ...before, ...all });
  await change(organizationId, all, by);
  return limitsOf(await readSettings(organizationId));
}

/** Limits that were typed, as settings. Throws a Refusal for the first fault. */
export function limitsTyped(typed: Omit<TypedLimits, 'cashChains'>): Partial<Settings> {
  const { dailyCash, cashPacing, dailySpins, dailyWins, rulesUrl } = typed;
  if (cashPacing !== undefined && cashPacing !== 'on' && cashPacing !== 'off') {
    throw new Problem(`--cash-pacing is "${cashPacing}": give on or off.`);
  }
  const turned = dailySpins === 'on' || dailySpins === 'off';
  return parse({
    daily_cash_limit_usd: dailyCash,
    daily_cash_paced: cashPacing === undefined ? undefined : cashPacing === 'on',
    daily_win_limit: dailyWins === 'off' ? 0 : dailyWins,
    daily_spin_limit_on: dailySpins === undefined ? undefined : dailySpins !== 'off',
    daily_spin_limit: turned ? undefined : dailySpins,
    rules_url: rulesUrl === 'none' ? '' : rulesUrl,
  });
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

/** Throws a Problem if a chain's share of the day's cash is too small for a prize of a game: nobody could ever win it. */
export async function requireShares(organizationId: string, settings: Settings): Promise<void> {
  for (const game of games) {
    const { prizes } = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
    requireShare(settings, game, prizes);
  }
}

/** The same of one game's prizes. */
export function requireShare(settings: Settings, game: Game, prizes: PrizeTable['prizes']): void {
  const chains = countIn(settings.cash_chains).count;
  const share = Math.floor(settings.daily_cash_limit_usd / chains);
  const dearest = Math.max(0, ...prizes.map(({ kind, amount }) => (kind === 'cash_usd' ? amount : 0)));
  if (chains === 1 || dearest <= share) return;
  throw new Problem(
    `In ${chains} chains each has ${share} USD of the day's cash: nobody could win the ${dearest} USD of ${game}.`,
  );
}

/** How the stock of a game stands, read where no user reads it. */
async function stockOf(organizationId: string, game: Game, now: number): Promise<Stock> {
  return stockIn(await get(stockKey(organizationId, game)), now);
}

/** How many of a prize can be won still, in all and today, as far as it has a stock. */
function stockLeft({ id, stock, stock_per_day }: Prize, { won, wonOnDay }: Stock) {
  const left = (most: number, counts: Stock['won']) => Math.max(0, most - countOf(counts, id));
  return {
    ...(stock === undefined ? {} : { stock_left: left(stock, won) }),
    ...(stock_per_day === undefined ? {} : { stock_left_today: left(stock_per_day, wonOnDay) }),
  };
}

/** What is left of each prize of a table that has a stock, by its id. */
async function leftOf(organizationId: string, game: Game, prizes: readonly Prize[], now: number) {
  const stock = await stockOf(organizationId, game, now);
  return Object.fromEntries(
    prizes.filter(isStocked).map((prize) => [prize.id, stockLeft(prize, stock)] as const),
  );
}

/** Throws a Problem if a prize was won more often than its stock would be. */
async function requireStock(organizationId: string, game: Game, prizes: readonly Prize[], now: number) {
  if (!hasStock(prizes)) return;
  const { won } = await stockOf(organizationId, game, now);
  for (const { id, stock = Infinity } of prizes) {
    const count = countOf(won, id);
    if (count > stock) {
      throw new Problem(
        `"${id}" of ${game} was won ${count} times: its stock can be no less, and is ${stock}.`,
      );
    }
  }
}

/** The game of a name that was typed. Throws a Problem if there is none. */
export function gameOf(name: string): Game {
  const game = games.find((one) => one === name);
  if (!game) throw new Problem(`There is no game "${name}": it is one of ${games.join(', ')}.`);
  return game;
}

/** An organization's settings. Throws a Problem if there is no such organization. */
export async function readSettings(organizationId: string): Promise<Settings> {
  return settingsOf(await readOrganization(organizationId));
}

function parse(input: Record<string, unknown>): Partial<Settings> {
  return parseSettings(Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
}

async function change(organizationId: string, changes: Partial<Settings>, by: By) {
  if (Object.keys(changes).length > 0) await changeSettings(organizationId, changes, by);
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Problem(`${path} can't be read: ${error.message}`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(`${path} is not JSON: ${(error as Error).message}`);
  }
}

const limitsOf = (settings: Settings) =>
  Object.fromEntries(limitNames.map((name) => [name, settings[name]])) as Limits;

function withChances(prizes: PrizeTable['prizes']): ShownGame['prizes'] {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  return prizes.map((prize) => ({
    ...prize,
    chance_percent: Number(((100 * prize.weight) / total).toFixed(4)),
  }));
}

/** What an operator sees and sets of an organization's games. The SDK is loaded once the stage is chosen. */
import { readFile } from 'node:fs/promises';
import type { Game, PrizeTable } from '../../shared/prize-tables.ts';
import type { Settings } from '../../shared/settings.ts';
import { Problem } from '../local/problem.ts';

const games: Game[] = ['prizewheel', 'truck', 'flight'];

/** An organization's limits, and of each game (or the one named) its cost, and its prize table with the odds. */
export async function showGames(organizationId: string, named?: string): Promise<string> {
  const { readPrizeTable } = await import('../../shared/organization-tables.ts');
  const { costOf, tableVersionOf } = await import('../../shared/settings.ts');
  const settings = await readSettings(organizationId);
  const shown = named === undefined ? games : [gameOf(named)];
  const parts = shown.map(async (game) => {
    const table = await readPrizeTable(organizationId, game, tableVersionOf(settings, game));
    return [`${game}: ${costOf(settings, game)} tickets, prize table ${table.version}`, ...oddsOf(table)];
  });
  return [...limitLines(settings), ...(await Promise.all(parts)).flat()].join('\n');
}

/**
 * Puts a prize table (a JSON file, `{"prizes": [...]}`) and a cost in place for a game, each where it is given.
 * Sessions that are open keep what their pages showed. Answers what now holds.
 */
export async function setGame(
  organizationId: string,
  named: string,
  { file, cost }: { file?: string | undefined; cost?: string | undefined },
  now: number,
): Promise<string> {
  const game = gameOf(named);
  if (file === undefined && cost === undefined) throw new Problem('give --file, --cost, or both');
  const { parsePrizeTable } = await import('../../shared/prize-table-schema.ts');
  const { putPrizeTable } = await import('../../shared/organization-tables.ts');
  // All is read before any is written: a fault in one leaves the other as it was.
  const changes = await parse({ [`cost_${game}`]: cost });
  const prizes = file === undefined ? undefined : parsePrizeTable(await readJson(file));
  await readSettings(organizationId);
  if (prizes) await putPrizeTable(organizationId, game, prizes, now);
  await change(organizationId, changes);
  return showGames(organizationId, game);
}

/** Options of `game limits`: whole USD, a number or `on` or `off`, an https URL or `none`. */
export type LimitOptions = { dailyCash?: string; dailySpins?: string; rulesUrl?: string };

/** Sets an organization's limits and rules URL, those that are given. Answers what now holds. */
export async function setLimits(
  organizationId: string,
  { dailyCash, dailySpins, rulesUrl }: LimitOptions,
): Promise<string> {
  const turned = dailySpins === 'on' || dailySpins === 'off';
  const changes = await parse({
    daily_cash_limit_usd: dailyCash,
    daily_spin_limit_on: dailySpins === undefined ? undefined : dailySpins !== 'off',
    daily_spin_limit: turned ? undefined : dailySpins,
    rules_url: rulesUrl === 'none' ? '' : rulesUrl,
  });
  await readSettings(organizationId);
  await change(organizationId, changes);
  return limitLines(await readSettings(organizationId)).join('\n');
}

function gameOf(name: string): Game {
  const game = games.find((one) => one === name);
  if (!game) throw new Problem(`there is no game '${name}': it is one of ${games.join(', ')}`);
  return game;
}

async function readSettings(organizationId: string): Promise<Settings> {
  const { get } = await import('../../shared/table/client.ts');
  const { organizationKey } = await import('../../shared/table/keys.ts');
  const { settingsOf } = await import('../../shared/settings.ts');
  const organization = await get(organizationKey(organizationId));
  if (!organization) throw new Problem(`there is no organization ${organizationId}`);
  return settingsOf(organization);
}

async function parse(input: Record<string, unknown>): Promise<Partial<Settings>> {
  const { parseSettings } = await import('../../shared/settings-schema.ts');
  return parseSettings(Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
}

async function change(organizationId: string, changes: Partial<Settings>) {
  const { changeSettings } = await import('../../shared/settings.ts');
  if (Object.keys(changes).length > 0) await changeSettings(organizationId, changes);
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new Problem(`${path} can't be read: ${error.message}`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(`${path} is no JSON: ${(error as Error).message}`);
  }
}

function limitLines(settings: Settings): string[] {
  const { daily_cash_limit_usd, daily_spin_limit_on, daily_spin_limit, rules_url } = settings;
  return [
    `daily cash limit: ${daily_cash_limit_usd} USD`,
    `daily spin limit: ${daily_spin_limit_on ? `${daily_spin_limit} plays per user` : 'off'}`,
    `rules URL: ${rules_url || 'none'}`,
  ];
}

function oddsOf({ prizes }: PrizeTable): string[] {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  const widest = Math.max(...prizes.map(({ id }) => id.length));
  return prizes.map(({ id, kind, amount, weight, label }) => {
    const share = ((100 * weight) / total).toFixed(3).padStart(7);
    return `  ${id.padEnd(widest)} ${share} %  ${kind} ${amount}  ${label.en} / ${label.es}`;
  });
}
